/* crypt_vectors.c - known answers for the rooms that encrypt */
#include "crypt_vectors.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct kdf_vector kdf_vectors[] = {
    { .name = "empty password, zero salt, user",
      .password = "",
      .salt = "0000000000000000",
      .hash = 
          "439feba099a63d0d035a1e5fb67ff307329189584956425aff2d3bd3d15edc60",
      .rounds = 80 },
    { .name = "empty password, salt 00..07, user",
      .password = "",
      .salt = "0001020304050607",
      .hash = 
          "1403c04eb647d2e60452dfc4eb0a5e0cf322e8a83a759eabbd17d498a93ba041",
      .rounds = 64 },
    { .name = "ascii user, user",
      .password = "75736572",
      .salt = "0001020304050607",
      .hash = 
          "731758c09c8b0160a34721d18bdd24220abada0070aa3f05b8103fd5b8d05f17",
      .rounds = 65 },
    { .name = "ascii owner, owner with U=00..2f",
      .password = "6f776e6572",
      .salt = "a1b2c3d4e5f60718",
      .u = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
          "202122232425262728292a2b2c2d2e2f",
      .hash = 
          "5f03d5077966ee07931618892da01472fabd4461624e5d04daeef2e4115422c0",
      .rounds = 64 },
    { .name = "empty password, owner with U=00..2f",
      .password = "",
      .salt = "a1b2c3d4e5f60718",
      .u = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
          "202122232425262728292a2b2c2d2e2f",
      .hash = 
          "870b1d243403ad0064fdfe8f5318980ae2e759a2f92c86090d25dcc5621583d9",
      .rounds = 76 },
    { .name = "single byte a, user",
      .password = "61",
      .salt = "a1b2c3d4e5f60718",
      .hash = 
          "f1260d116ebf3367e479985cc6a9ff890962dc810265a91f8a16a4fd33c90516",
      .rounds = 89 },
    { .name = "utf-8 p-a-umlaut-ssw-o-umlaut-rd (already NFKC)",
      .password = "70c3a4737377c3b67264",
      .salt = "a1b2c3d4e5f60718",
      .hash = 
          "64c342569fdf2ea82efd48a974798956b3e27ab54e2f65ef296c23dca967d5ca",
      .rounds = 75 },
    { .name = "utf-8 CJK U+5F33",
      .password = "50617373776f7264e5bcb321",
      .salt = "0001020304050607",
      .hash = 
          "23bb84004642d169bde9c1c937b25775cace9456032451080420c63f334c25e8",
      .rounds = 67 },
    { .name = "127 bytes of x, user",
      .password = 
          "7878787878787878787878787878787878787878787878787878787878787878"
          "7878787878787878787878787878787878787878787878787878787878787878"
          "7878787878787878787878787878787878787878787878787878787878787878"
          "78787878787878787878787878787878787878787878787878787878787878",
      .salt = "0001020304050607",
      .hash = 
          "ed68dfa673a982b5560c2718dc539bbe19c5d86803c8b2b4d5170ff411465050",
      .rounds = 67 },
    { .name = "127 bytes of x, owner",
      .password = 
          "7878787878787878787878787878787878787878787878787878787878787878"
          "7878787878787878787878787878787878787878787878787878787878787878"
          "7878787878787878787878787878787878787878787878787878787878787878"
          "78787878787878787878787878787878787878787878787878787878787878",
      .salt = "0001020304050607",
      .u = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
          "202122232425262728292a2b2c2d2e2f",
      .hash = 
          "5016520196bbcd0958cbafd8928a6ba5eabb862a3c59fdcefe85951c5df9bb5d",
      .rounds = 65 },
    { .name = "all byte values 01..7f (127 bytes), user",
      .password = 
          "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"
          "2122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40"
          "4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f60"
          "6162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f",
      .salt = "a1b2c3d4e5f60718",
      .hash = 
          "f59e19743318faf9c1e787da6cda97c435f348ab9e50cdd468be729788549c08",
      .rounds = 71 },
    { .name = "16-byte password (AES block aligned), user",
      .password = "30313233343536373839616263646566",
      .salt = "0001020304050607",
      .hash = 
          "e4d276a9beb6722e591005f580aab009a80c4a92f7f0efdd661d2d27bcb51af7",
      .rounds = 68 },
    { .name = "15-byte password, owner, U=ff*48",
      .password = "303132333435363738396162636465",
      .salt = "a1b2c3d4e5f60718",
      .u = 
          "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
          "ffffffffffffffffffffffffffffffff",
      .hash = 
          "734305d8ead869c9e44dd7e97c04b92cc59932ed521b8e25748b1adaad5711e8",
      .rounds = 65 },
    { .name = "password with spaces correct horse battery staple, user",
      .password = 
          "636f727265637420686f727365206261747465727920737461706c65",
      .salt = "a1b2c3d4e5f60718",
      .hash = 
          "c393933d4bcf3a5b001bd75059299bb6d7e601b95ff859a450d49d110c46dca6",
      .rounds = 64 },
    { .name = "minimum rounds (64), user",
      .password = "75736572",
      .salt = "0000000000000019",
      .hash = 
          "0d953af47a11bc4990196da23aae9c9b3b01e2b4bcfe001c34aac29295c83d4e",
      .rounds = 64 },
    { .name = "stops with E_last == rounds-32 exactly, rounds>64, user",
      .password = "75736572",
      .salt = "0000000000000004",
      .hash = 
          "69d4ca7b63302879cbd8b6c47a75df5d8dfdb02beae648db25d450e356289715",
      .rounds = 77 },
    { .name = "a round >=64 has E_last == round-31 (must continue), user",
      .password = "75736572",
      .salt = "0000000000000000",
      .hash = 
          "de4ff998e4e1c4a295887beb3b0e08c8fb6f8b1854e78aef4f225e00ff086c71",
      .rounds = 72 },
    { .name = "at round 64 E_last is 33 (must continue), user",
      .password = "75736572",
      .salt = "00000000000000f0",
      .hash = 
          "dcf768ad3848e179892ca8414b6f192cdc38601cb7e15b0084b94fe2500b13bc",
      .rounds = 73 },
    { .name = "at round 64 E_last is 32 (must stop), user",
      .password = "75736572",
      .salt = "000000000000011d",
      .hash = 
          "525920dd381245ec09153cf2cc420d1be4b7aad0d2d4655680d2b6e1637b00f7",
      .rounds = 64 },
    { .name = "long run (>=100 rounds), owner",
      .password = "6f776e6572",
      .salt = "0000000000000552",
      .u = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
          "202122232425262728292a2b2c2d2e2f",
      .hash = 
          "2ca2e4fd05ed89651a50972d62787a4e7b2c8eb45d6d8294698b13f41c1c4687",
      .rounds = 102 },
    { .name = "very long run (>=104 rounds), user",
      .password = "",
      .salt = "0000000000000595",
      .hash = 
          "bd95364458900326e5b8d7fb1db990a8ae8a0129f054cf3e4cf8c2294cdb7239",
      .rounds = 107 },
    { .name = "last pass used SHA-384 (result truncated from 48)",
      .password = "75736572",
      .salt = "0000000000000002",
      .hash = 
          "1c5a7ed5ea7fbb9bfc01ffb8080e8c61cf0c7fd8cbbb64a1affbd52d26f5dc76",
      .rounds = 75 },
    { .name = "last pass used SHA-512 (result truncated from 64)",
      .password = "75736572",
      .salt = "0000000000000000",
      .hash = 
          "de4ff998e4e1c4a295887beb3b0e08c8fb6f8b1854e78aef4f225e00ff086c71",
      .rounds = 72 },
    { .name = "last pass used SHA-256",
      .password = "75736572",
      .salt = "0000000000000007",
      .hash = 
          "ed3c7cc2ef6b30fd51e7844b17ddbffcacdc772cbb1411bd3d13f0f74ea90623",
      .rounds = 67 },
};
const size_t kdf_vector_count = sizeof kdf_vectors / sizeof kdf_vectors[0];

const struct r6_vector r6_vectors[] = {
    { .name = "user/owner",
      .user = "75736572",
      .owner = "6f776e6572",
      .p = 0xfffffffcu,
      .encrypt_metadata = true,
      .file_key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .salts = "1011121314151617"
               "18191a1b1c1d1e1f"
               "2021222324252627"
               "28292a2b2c2d2e2f",
      .perms_tail = "deadbeef",
      .u = 
          "edfe57b1ebc001772c554dd9f560ac00a18fdd0e722d8d90d8b7d5355f32fb0f"
          "101112131415161718191a1b1c1d1e1f",
      .ue = 
          "94aeec6709eb7533427ebbd05d9925ad5bdb45149f970c605deb0b4281e52b32",
      .o = 
          "d7015d8ee43ffcbff7edb3ab20bcbbce0d4f505e86aafd273215b324f299a77e"
          "202122232425262728292a2b2c2d2e2f",
      .oe = 
          "0d27615453754b6db9c58a1ed736e153e4d2b10075e96675625423e8775e98e4",
      .perms = "8ea88ac7d1ef45a214319c9005d0275f" },
    { .name = "empty user password",
      .user = "",
      .owner = "6f776e6572",
      .p = 0xfffff0c0u,
      .encrypt_metadata = true,
      .file_key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .salts = "1011121314151617"
               "18191a1b1c1d1e1f"
               "2021222324252627"
               "28292a2b2c2d2e2f",
      .perms_tail = "deadbeef",
      .u = 
          "6e4191b6c94dd4705af38c7cc94ad87520e458d9ffc057b7104b429880f633be"
          "101112131415161718191a1b1c1d1e1f",
      .ue = 
          "9c26c213e0cecbb86eb64e54dd2a25c7d161cab1c0976bf8c2ef4fabe892f21b",
      .o = 
          "cc68891003c45109ab82f98a8145da2b5011ff4d3c8d4ffbd7f0e6a91625189f"
          "202122232425262728292a2b2c2d2e2f",
      .oe = 
          "ef97746d9c07716a680eb0f34bc0c2187e04c46267cf62f0ae4d4e082cade2ad",
      .perms = "dcfbd83923349b6756f20855f724d431" },
    { .name = "same user and owner password",
      .user = "736563726574",
      .owner = "736563726574",
      .p = 0xfffffffcu,
      .encrypt_metadata = true,
      .file_key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .salts = "1011121314151617"
               "18191a1b1c1d1e1f"
               "2021222324252627"
               "28292a2b2c2d2e2f",
      .perms_tail = "deadbeef",
      .u = 
          "cea0c821255591fb3ed75cb0266ac58d9f36f04ec42d5924d8b97c35970a3ffc"
          "101112131415161718191a1b1c1d1e1f",
      .ue = 
          "923bc86c889474311ad3cd660f19b05f31975fab7a6a5e65fd905d95c05a3789",
      .o = 
          "a830d13bbfdb8dfd310d9a01c1a8e17df758601cce3b9fed31126a42272918f1"
          "202122232425262728292a2b2c2d2e2f",
      .oe = 
          "63bacee99322c19e14f1590b895abc0032d9d1f9a4e8eb69fa71259c2066372f",
      .perms = "8ea88ac7d1ef45a214319c9005d0275f" },
    { .name = "EncryptMetadata false",
      .user = "75736572",
      .owner = "6f776e6572",
      .p = 0xfffffac4u,
      .encrypt_metadata = false,
      .file_key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .salts = "1011121314151617"
               "18191a1b1c1d1e1f"
               "2021222324252627"
               "28292a2b2c2d2e2f",
      .perms_tail = "deadbeef",
      .u = 
          "edfe57b1ebc001772c554dd9f560ac00a18fdd0e722d8d90d8b7d5355f32fb0f"
          "101112131415161718191a1b1c1d1e1f",
      .ue = 
          "94aeec6709eb7533427ebbd05d9925ad5bdb45149f970c605deb0b4281e52b32",
      .o = 
          "d7015d8ee43ffcbff7edb3ab20bcbbce0d4f505e86aafd273215b324f299a77e"
          "202122232425262728292a2b2c2d2e2f",
      .oe = 
          "0d27615453754b6db9c58a1ed736e153e4d2b10075e96675625423e8775e98e4",
      .perms = "54b86234d94e5d21e27c40ecfc462f2f" },
    { .name = "print only",
      .user = "",
      .owner = "c3b6776e6572",
      .p = 0xfffff7c4u,
      .encrypt_metadata = true,
      .file_key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .salts = "1011121314151617"
               "18191a1b1c1d1e1f"
               "2021222324252627"
               "28292a2b2c2d2e2f",
      .perms_tail = "deadbeef",
      .u = 
          "6e4191b6c94dd4705af38c7cc94ad87520e458d9ffc057b7104b429880f633be"
          "101112131415161718191a1b1c1d1e1f",
      .ue = 
          "9c26c213e0cecbb86eb64e54dd2a25c7d161cab1c0976bf8c2ef4fabe892f21b",
      .o = 
          "0ac6bff0fc71d382b257bdc03a81b06bc904ce99a535da868dafcd8e5c278229"
          "202122232425262728292a2b2c2d2e2f",
      .oe = 
          "0e3e006862a8e5fbb5b6cdabe07673daddc276cf17a6483c60be85c2233c5bfe",
      .perms = "712cf89c31d11d7e38791d8cd3b131e1" },
    { .name = "127-byte passwords",
      .user = 
          "7575757575757575757575757575757575757575757575757575757575757575"
          "7575757575757575757575757575757575757575757575757575757575757575"
          "7575757575757575757575757575757575757575757575757575757575757575"
          "75757575757575757575757575757575757575757575757575757575757575",
      .owner = 
          "6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f"
          "6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f"
          "6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f"
          "6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f",
      .p = 0xfffffffcu,
      .encrypt_metadata = true,
      .file_key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .salts = "1011121314151617"
               "18191a1b1c1d1e1f"
               "2021222324252627"
               "28292a2b2c2d2e2f",
      .perms_tail = "deadbeef",
      .u = 
          "0e294e91a5a22faf68f6024286dcfc52d95ab445c1f90d228548f1ffe1e0fcdd"
          "101112131415161718191a1b1c1d1e1f",
      .ue = 
          "ab74518e15a124bbed39627b165846026b3d4c85a84665535c3611a0844078b8",
      .o = 
          "7a97260d7b67b6c8b9366020cddef9dd1922f25a9c4c3a54b2e64685ca92f0e1"
          "202122232425262728292a2b2c2d2e2f",
      .oe = 
          "ce70578059373478c229301039a8d1959e87a5d5ca04dde8ed5b6717625a01c3",
      .perms = "8ea88ac7d1ef45a214319c9005d0275f" },
};
const size_t r6_vector_count = sizeof r6_vectors / sizeof r6_vectors[0];

const struct aesv3_vector aesv3_vectors[] = {
    { .plain = "",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf600d07a3b9b2c4e4082153d6d1707aa6" },
    { .plain = "41",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeafbe9523238c2f2d67230a14407761744b" },
    { .plain = "48656c6c6f2c20776f726c64",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf75734d749521521db9916ca5d2d16ccf" },
    { .plain = "303132333435363738396162636465",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeaffaf47759527d2b5315157a385c428735" },
    { .plain = "30313233343536373839616263646566",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeafce1cf3a4e3b87b139ba3cff10ace35b6"
          "06d96b2e184bf22b73d31ba4be14d8c9" },
    { .plain = "3031323334353637383961626364656630",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeafce1cf3a4e3b87b139ba3cff10ace35b6"
          "44ed3cc08cada4bb0f8ccbd3bc17be83" },
    { .plain = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
          "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
          "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"
          "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
          "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
          "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf"
          "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
      .key = 
          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      .stored = 
          "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf224c27f4ba378b27d3d6888adced6442"
          "5830cb2973f008c46e64c4e1ca612106f9c530e03496918b5ccda474a2fabf53"
          "0c2ee0e87c573abe5d4ef0496b029260e737d2e818463e388e6ce8c3ced14c1b"
          "139ebd2322861a66d899b1f2be2f2d1b1ca11251142e37469c00ec081c7fe14d"
          "f18c81856e124d7e3d447463a9509de7625d687c17a125900e2dc1283f4554f6"
          "b7666dea36f753698786c4790b8c21bdfb56adf60d1f500eb63738f9005d4768"
          "4dfe0f31660e71aa2b307a17d06f1d4f5520a295503df0e6e987774c0c4af9e5"
          "94e3ee437d857ae36e5450663bb4da4b1dcb821f756dfcf616e51c6d89b94819"
          "b6f55c461d0eccbc1aedbe05dc9df154c0b987d88b9b4e3b7290c90ca21d429c" },
};
const size_t aesv3_vector_count =
    sizeof aesv3_vectors / sizeof aesv3_vectors[0];

const struct saslprep_vector saslprep_vectors[] = {
    { "U+0075 U+0073 U+0065 U+0072",
      true, "75736572", "75736572", NULL },
    { "U+0075 U+0073 U+0065 U+0072",
      false, "75736572", "75736572", NULL },
    { "U+0049 U+00AD U+0058",
      true, "49c2ad58", "4958", NULL },
    { "U+0049 U+00AD U+0058",
      false, "49c2ad58", "4958", NULL },
    { "U+2168",
      true, "e285a8", "4958", NULL },
    { "U+2168",
      false, "e285a8", "4958", NULL },
    { "U+00AA",
      true, "c2aa", "61", NULL },
    { "U+00AA",
      false, "c2aa", "61", NULL },
    { "U+0053 U+00AA U+0053 U+004C U+00AD U+0070 U+0072 U+0065 U+0070",
      true, "53c2aa534cc2ad70726570", "5361534c70726570", NULL },
    { "U+0053 U+00AA U+0053 U+004C U+00AD U+0070 U+0072 U+0065 U+0070",
      false, "53c2aa534cc2ad70726570", "5361534c70726570", NULL },
    { "U+0061 U+00A0 U+0062",
      true, "61c2a062", "612062", NULL },
    { "U+0061 U+00A0 U+0062",
      false, "61c2a062", "612062", NULL },
    { "U+0061 U+3000 U+0062",
      true, "61e3808062", "612062", NULL },
    { "U+0061 U+3000 U+0062",
      false, "61e3808062", "612062", NULL },
    { "U+2000",
      true, "e28080", "20", NULL },
    { "U+2000",
      false, "e28080", "20", NULL },
    { "U+FB01 U+0078",
      true, "efac8178", "666978", NULL },
    { "U+FB01 U+0078",
      false, "efac8178", "666978", NULL },
    { "U+0065 U+0301",
      true, "65cc81", "c3a9", NULL },
    { "U+0065 U+0301",
      false, "65cc81", "c3a9", NULL },
    { "U+212B",
      true, "e284ab", "c385", NULL },
    { "U+212B",
      false, "e284ab", "c385", NULL },
    { "U+0050 U+0061 U+0073 U+0073 U+0077 U+006F U+0072 U+0064 U+2F874 U+0021",
      true, "50617373776f7264f0afa1b421", "50617373776f7264e5bcb321", NULL },
    { "U+0050 U+0061 U+0073 U+0073 U+0077 U+006F U+0072 U+0064 U+2F874 U+0021",
      false, "50617373776f7264f0afa1b421", "50617373776f7264e5bcb321", NULL },
    { "U+0627 U+0031",
      true, "d8a731", NULL, "right to left" },
    { "U+0627 U+0031",
      false, "d8a731", NULL, "right to left" },
    { "U+0627 U+0031 U+0628",
      true, "d8a731d8a8", "d8a731d8a8", NULL },
    { "U+0627 U+0031 U+0628",
      false, "d8a731d8a8", "d8a731d8a8", NULL },
    { "U+0007",
      true, "07", NULL, "character 1 (U+0007)" },
    { "U+0007",
      false, "07", NULL, "character 1 (U+0007)" },
    { "U+200B U+0078",
      true, "e2808b78", "78", NULL },
    { "U+200B U+0078",
      false, "e2808b78", "78", NULL },
    { "U+0061 U+200E U+0062",
      true, "61e2808e62", NULL, "character 2 (U+200E)" },
    { "U+0061 U+200E U+0062",
      false, "61e2808e62", NULL, "character 2 (U+200E)" },
    { "U+0221",
      true, "c8a1", NULL, "character 1 (U+0221)" },
    { "U+0221",
      false, "c8a1", "c8a1", NULL },
    { "U+1F600",
      true, "f09f9880", NULL, "character 1 (U+1F600)" },
    { "U+1F600",
      false, "f09f9880", "f09f9880", NULL },
    { "U+E000",
      true, "ee8080", NULL, "character 1 (U+E000)" },
    { "U+E000",
      false, "ee8080", NULL, "character 1 (U+E000)" },
};
const size_t saslprep_vector_count =
    sizeof saslprep_vectors / sizeof saslprep_vectors[0];
/* clang-format on */

static unsigned
digit(char c)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, c);

    if (!at || !c)
        abort();
    return (unsigned)(at - digits);
}

size_t
vector_bytes(const char *hex, uint8_t *out, size_t cap)
{
    size_t n = strlen(hex) / 2;

    if (strlen(hex) % 2 != 0 || n > cap)
        abort();
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return n;
}

bool
vector_is(const char *hex, const void *p, size_t n)
{
    uint8_t want[1024];

    return vector_bytes(hex, want, sizeof want) == n && memcmp(want, p, n) == 0;
}
