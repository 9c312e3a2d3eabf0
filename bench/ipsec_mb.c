/*
 * ipsec_mb.c - libipsec-mb, another library that encrypts many at once
 *
 * It knows no padding, so it gets the plaintexts with the padding on.  It
 * takes less than 64 KiB in one job, so a longer plaintext is many, each
 * submitted when the one before is back, with its last block as IV.
 */
#include "ipsec_mb.h"

#include <stdlib.h>

#include "measure.h"

#if __has_include(<intel-ipsec-mb.h>)
#include <intel-ipsec-mb.h>

#define JOB_BYTES ((size_t)65520) /* whole blocks, below 2^16 - 1 */

struct ipsec_mb {
    IMB_MGR *mgr;
    _Alignas(16) uint8_t enc[15 * 16];
    _Alignas(16) uint8_t dec[15 * 16];
};

struct ipsec_mb *
ipsec_mb_new(const uint8_t key[32])
{
    struct ipsec_mb *m = measure_alloc(sizeof *m);

    m->mgr = alloc_mb_mgr(0);
    if (!m->mgr)
        measure_fail("libipsec-mb: no manager");
    init_mb_mgr_auto(m->mgr, NULL);
    if (imb_get_errno(m->mgr) != 0)
        measure_fail("libipsec-mb: %s",
                     imb_get_strerror(imb_get_errno(m->mgr)));
    IMB_AES_KEYEXP_256(m->mgr, key, m->enc, m->dec);
    return m;
}

void
ipsec_mb_free(struct ipsec_mb *m)
{
    if (!m)
        return;
    free_mb_mgr(m->mgr);
    free(m);
}

/* Submits t from byte `from` on; returns a job that is done, or NULL. */
static IMB_JOB *
submit(struct ipsec_mb *m, const struct plaintext *t, size_t from)
{
    IMB_JOB *job = IMB_GET_NEXT_JOB(m->mgr);
    size_t n = t->padded_len - from;

    if (n > JOB_BYTES)
        n = JOB_BYTES;
    job->cipher_mode = IMB_CIPHER_CBC;
    job->cipher_direction = IMB_DIR_ENCRYPT;
    job->chain_order = IMB_ORDER_CIPHER_HASH;
    job->hash_alg = IMB_AUTH_NULL;
    job->enc_keys = m->enc;
    job->dec_keys = m->dec;
    job->key_len_in_bytes = IMB_KEY_256_BYTES;
    job->src = t->src + from;
    job->dst = t->dst + from;
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = n;
    job->iv = t->dst + from - 16;
    job->iv_len_in_bytes = 16;
    job->user_data = (void *)(uintptr_t)t;
    job->user_data2 = (void *)(uintptr_t)(from + n);
    job = IMB_SUBMIT_JOB(m->mgr);
    if (!job && imb_get_errno(m->mgr) != 0)
        measure_fail("libipsec-mb: %s",
                     imb_get_strerror(imb_get_errno(m->mgr)));
    return job;
}

/* Goes on with the plaintext of a job that is done, and of the job that this
 * gives back, and so on. */
static void
follow(struct ipsec_mb *m, const IMB_JOB *done)
{
    while (done) {
        const struct plaintext *t = done->user_data;
        size_t end = (size_t)(uintptr_t)done->user_data2;

        if (done->status != IMB_STATUS_COMPLETED)
            measure_fail("libipsec-mb: a job has failed");
        done = end < t->padded_len ? submit(m, t, end)
                                   : IMB_GET_COMPLETED_JOB(m->mgr);
    }
}

void
ipsec_mb_encrypt(struct ipsec_mb *m, const struct workload *w)
{
    const IMB_JOB *done;

    for (size_t i = 0; i < w->texts; i++)
        follow(m, submit(m, &w->text[i], 0));
    while ((done = IMB_FLUSH_JOB(m->mgr)) != NULL)
        follow(m, done);
}
#else
struct ipsec_mb *
ipsec_mb_new(const uint8_t key[32])
{
    (void)key;
    return NULL;
}

void
ipsec_mb_free(struct ipsec_mb *m)
{
    (void)m;
}

void
ipsec_mb_encrypt(struct ipsec_mb *m, const struct workload *w)
{
    (void)m;
    (void)w;
    abort(); /* nobody has one */
}
#endif
