/* arguments.c - the command line, from one table of options */
#include "cli/arguments.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/failure.h"
#include "batch/size.h"
#include "cli/command.h"
#include "cli/permissions.h"

#define FIELD(name) offsetof(struct pp_settings, name)

/* A choice this version knows of but cannot do. */
#define LATER (-1)

static void *
field_of(struct pp_settings *s, const struct pp_option *option)
{
    return (char *)s + option->field;
}

static enum pdfpipe_status
take_true(struct pp_settings *s, const struct pp_option *option,
          const char *value, struct pdfpipe_error *err)
{
    (void)value;
    (void)err;
    *(bool *)field_of(s, option) = true;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_false(struct pp_settings *s, const struct pp_option *option,
           const char *value, struct pdfpipe_error *err)
{
    (void)value;
    (void)err;
    *(bool *)field_of(s, option) = false;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_text(struct pp_settings *s, const struct pp_option *option,
          const char *value, struct pdfpipe_error *err)
{
    if (!*value)
        return pp_refuse(err, PDFPIPE_E_USAGE, "--%s: empty value",
                         option->name);
    memcpy(field_of(s, option), &value, sizeof value);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_choice(struct pp_settings *s, const struct pp_option *option,
            const char *value, struct pdfpipe_error *err)
{
    const struct pp_choice *c = option->choices;

    while (c->word && strcmp(c->word, value) != 0)
        c++;
    if (!c->word)
        return pp_refuse(err, PDFPIPE_E_USAGE, "--%s: \"%s\" is none of %s",
                         option->name, value, option->argument);
    if (c->value == LATER)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "--%s=%s is not available in this version",
                         option->name, value);
    memcpy(field_of(s, option), &c->value, sizeof c->value);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_threads(struct pp_settings *s, const struct pp_option *option,
             const char *value, struct pdfpipe_error *err)
{
    uint64_t n;

    if (!pp_number_parse(value, 1, PDFPIPE_MAX_THREADS, &n))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "--%s: \"%s\" is no number from 1 to %u", option->name,
                         value, PDFPIPE_MAX_THREADS);
    s->run.threads = (unsigned)n;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_memory(struct pp_settings *s, const struct pp_option *option,
            const char *value, struct pdfpipe_error *err)
{
    uint64_t n;

    if (!pp_size_parse(value, &n) || n == 0)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "--%s: \"%s\" is no size such as 64MiB or 2G",
                         option->name, value);
    s->run.max_memory = n;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_fd(struct pp_settings *s, const struct pp_option *option,
        const char *value, struct pdfpipe_error *err)
{
    uint64_t n;
    int fd;

    if (!pp_number_parse(value, 0, INT_MAX, &n))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "--%s: \"%s\" is no descriptor number", option->name,
                         value);
    fd = (int)n;
    memcpy(field_of(s, option), &fd, sizeof fd);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_glob(struct pp_settings *s, const struct pp_option *option,
          const char *value, struct pdfpipe_error *err)
{
    struct pp_list *list = field_of(s, option);

    if (!*value)
        return pp_refuse(err, PDFPIPE_E_USAGE, "--%s: empty value",
                         option->name);
    list->item[list->count++] = value; /* has room for argc */
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_permission(struct pp_settings *s, const struct pp_option *option,
                const char *value, struct pdfpipe_error *err)
{
    if (!pp_permission_apply(option->name, value, &s->run.permissions))
        return pp_refuse(err, PDFPIPE_E_USAGE, "--%s: \"%s\" is none of %s",
                         option->name, value, option->argument);
    if (strcmp(option->name, "accessibility") == 0)
        s->accessibility_refused = *value == 'n';
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_permissions(struct pp_settings *s, const struct pp_option *option,
                 const char *value, struct pdfpipe_error *err)
{
    if (!pp_permission_raw(value, &s->run.permissions))
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "--%s: \"%s\" is no number of 32 bits such as -3904",
                         option->name, value);
    return PDFPIPE_OK;
}

static enum pdfpipe_status
take_report(struct pp_settings *s, const struct pp_option *option,
            const char *value, struct pdfpipe_error *err)
{
    if (strcmp(value, "-") == 0) {
        s->json = true;
        return PDFPIPE_OK;
    }
    return take_text(s, option, value, err);
}

/* The value is a password: it is not repeated. */
static enum pdfpipe_status
refuse_password(struct pp_settings *s, const struct pp_option *option,
                const char *value, struct pdfpipe_error *err)
{
    const char *role =
        strcmp(option->name, "owner-password") == 0 ? "owner" : "user";

    (void)s;
    (void)value;
    return pp_refuse(err, PDFPIPE_E_USAGE,
                     "--%s: a password in an argument can be read by every "
                     "user of this machine; use --%s-password-file=FILE or "
                     "--%s-password-fd=N",
                     option->name, role, role);
}

static const struct pp_choice on_encrypted_words[] = {
    { "skip", PDFPIPE_SKIP },
    { "fail", PDFPIPE_FAIL },
    { "rotate", LATER },
    { NULL, 0 },
};
static const struct pp_choice on_signed_words[] = {
    { "skip", PDFPIPE_SKIP },
    { "fail", PDFPIPE_FAIL },
    { "encrypt", PDFPIPE_PROCEED },
    { NULL, 0 },
};
static const struct pp_choice verify_words[] = {
    { "none", PDFPIPE_VERIFY_NONE },
    { "structure", PDFPIPE_VERIFY_STRUCTURE },
    { "full", PDFPIPE_VERIFY_FULL },
    { NULL, 0 },
};
static const struct pp_choice durability_words[] = {
    { "file", PDFPIPE_DURABLE_FILE },
    { "group", PDFPIPE_DURABLE_GROUP },
    { "none", PDFPIPE_DURABLE_NONE },
    { NULL, 0 },
};
static const struct pp_choice engine_words[] = {
    { "auto", PDFPIPE_ENGINE_AUTO },   { "evp", PDFPIPE_ENGINE_EVP },
    { "aesni", PDFPIPE_ENGINE_AESNI }, { "vaes", PDFPIPE_ENGINE_VAES },
    { "armv8", PDFPIPE_ENGINE_ARMV8 }, { NULL, 0 },
};
static const struct pp_choice when_words[] = {
    { "auto", PP_AUTO },
    { "always", PP_ALWAYS },
    { "never", PP_NEVER },
    { NULL, 0 },
};

_Static_assert(sizeof(enum pp_when) == sizeof(int) &&
                   sizeof(enum pdfpipe_verify) == sizeof(int),
               "a choice is stored as int");

/* clang-format off */
static const struct pp_option options[] = {
    { 'o', "output", "PATH", "write to PATH: a file for one file; else a folder in which the tree below each named folder is mirrored", PP_GROUP_FILES, take_text, FIELD(catalog.output), NULL },
    { 0, "suffix", "S", "write NAME.S.pdf beside NAME.pdf", PP_GROUP_FILES, take_text, FIELD(catalog.suffix), NULL },
    { 'r', "recurse", NULL, "enter the folders below a named one (default)", PP_GROUP_FILES, take_false, FIELD(catalog.first_level_only), NULL },
    { 0, "no-recurse", NULL, "take only what stands directly in a named folder", PP_GROUP_FILES, take_true, FIELD(catalog.first_level_only), NULL },
    { 0, "include", "GLOB", "take only files that match; may be repeated", PP_GROUP_FILES, take_glob, FIELD(include), NULL },
    { 0, "exclude", "GLOB", "leave out files and folders that match; may be repeated", PP_GROUP_FILES, take_glob, FIELD(exclude), NULL },

    { 0, "user-password-file", "FILE", "password to open the documents: first line of FILE", PP_GROUP_PASSWORDS, take_text, FIELD(passwords.option[PP_USER_PASSWORD].file), NULL },
    { 0, "user-password-fd", "N", "the same, a line read from descriptor N", PP_GROUP_PASSWORDS, take_fd, FIELD(passwords.option[PP_USER_PASSWORD].fd), NULL },
    { 0, "owner-password-file", "FILE", "password that lifts every restriction", PP_GROUP_PASSWORDS, take_text, FIELD(passwords.option[PP_OWNER_PASSWORD].file), NULL },
    { 0, "owner-password-fd", "N", "the same, a line read from descriptor N", PP_GROUP_PASSWORDS, take_fd, FIELD(passwords.option[PP_OWNER_PASSWORD].fd), NULL },
    { 0, "random-owner-password", NULL, "a fresh one for each file, kept nowhere", PP_GROUP_PASSWORDS, take_true, FIELD(run.random_owner_password), NULL },
    { 0, "allow-insecure", NULL, "permit a user password without an owner password, and passwords that readers may spell differently", PP_GROUP_PASSWORDS, take_true, FIELD(run.allow_insecure), NULL },
    { 0, "cleartext-metadata", NULL, "leave the XMP metadata of the document readable", PP_GROUP_PASSWORDS, take_true, FIELD(run.cleartext_metadata), NULL },

    { 0, "print", "none|low|full", "printing; low: in a resolution that is no use for copies", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "modify", "none|assembly|form|annotate|all", "changes: each word allows what it says and those before it", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "extract", "y|n", "copying text and images", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "annotate", "y|n", "comments; with --form also new form fields", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "form", "y|n", "filling in form fields", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "assemble", "y|n", "inserting, turning and deleting pages", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "modify-other", "y|n", "every other change", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "accessibility", "y|n", "reading aloud; stays allowed in any case", PP_GROUP_PERMISSIONS, take_permission, 0, NULL },
    { 0, "permissions", "P", "all bits of /P at once, such as -3904", PP_GROUP_PERMISSIONS, take_permissions, 0, NULL },

    { 0, "on-encrypted", "skip|fail", "a file that is encrypted already (default: skip)", PP_GROUP_SAFETY, take_choice, FIELD(run.on_encrypted), on_encrypted_words },
    { 0, "on-signed", "skip|fail|encrypt", "a file that is signed; encrypting breaks the signature (default: skip)", PP_GROUP_SAFETY, take_choice, FIELD(run.on_signed), on_signed_words },
    { 0, "verify", "none|structure|full", "how much of an output is read back before it counts (default: full in place, else structure)", PP_GROUP_SAFETY, take_choice, FIELD(run.verify), verify_words },
    { 0, "backup", "DIR", "keep each replaced original under DIR", PP_GROUP_SAFETY, take_text, FIELD(catalog.backup), NULL },
    { 0, "durability", "file|group|none", "when the bytes are known to be on disk (default: group)", PP_GROUP_SAFETY, take_choice, FIELD(run.durability), durability_words },
    { 0, "force", NULL, "replace a file that is write-protected, too", PP_GROUP_SAFETY, take_true, FIELD(run.force), NULL },
    { 'n', "dry-run", NULL, "read and classify, write nothing", PP_GROUP_SAFETY, take_true, FIELD(run.dry_run), NULL },

    { 'j', "threads", "N", "worker threads (default: the CPUs this process may use)", PP_GROUP_RUN, take_threads, 0, NULL },
    { 0, "max-memory", "SIZE", "bound for buffers, such as 64MiB or 2G (default: from the number of threads)", PP_GROUP_RUN, take_memory, 0, NULL },
    { 0, "engine", "auto|evp|aesni|vaes|armv8", "what encrypts; the bytes are the same (default: the fastest)", PP_GROUP_RUN, take_choice, FIELD(run.engine), engine_words },
    { 0, "keep-going", NULL, "go on after a file has failed (default)", PP_GROUP_RUN, take_false, FIELD(run.fail_fast), NULL },
    { 0, "fail-fast", NULL, "stop after a file has failed", PP_GROUP_RUN, take_true, FIELD(run.fail_fast), NULL },

    { 0, "report", "FILE", "write one JSON line for each file to FILE; -: stdout", PP_GROUP_REPORT, take_report, FIELD(report), NULL },
    { 0, "json", NULL, "the same on stdout", PP_GROUP_REPORT, take_true, FIELD(json), NULL },
    { 0, "stats", NULL, "where the time went, after the run", PP_GROUP_REPORT, take_true, FIELD(stats), NULL },
    { 0, "progress", "auto|always|never", "a line that tells how far the run is", PP_GROUP_REPORT, take_choice, FIELD(progress), when_words },
    { 0, "color", "auto|always|never", "colors on stderr", PP_GROUP_REPORT, take_choice, FIELD(color), when_words },
    { 'q', "quiet", NULL, "say nothing unless something failed", PP_GROUP_REPORT, take_true, FIELD(quiet), NULL },
    { 'v', "verbose", NULL, "name every file", PP_GROUP_REPORT, take_true, FIELD(verbose), NULL },

    { 'h', "help", NULL, "this text", PP_GROUP_HELP, take_true, FIELD(help), NULL },
    { 0, "version", NULL, "version; with --verbose also of the libraries", PP_GROUP_HELP, take_true, FIELD(version), NULL },

    { 0, "password", "PASSWORD", NULL, PP_GROUP_HIDDEN, refuse_password, 0, NULL },
    { 0, "user-password", "PASSWORD", NULL, PP_GROUP_HIDDEN, refuse_password, 0, NULL },
    { 0, "owner-password", "PASSWORD", NULL, PP_GROUP_HIDDEN, refuse_password, 0, NULL },
};
/* clang-format on */

#define OPTIONS (sizeof options / sizeof options[0])

/* Values getopt_long() returns for option i: above every character. */
#define VALUE(i) ((int)(i) + 256)

const struct pp_option *
pp_option_at(size_t i)
{
    return i < OPTIONS ? &options[i] : NULL;
}

/* The same table as getopt_long() wants it. */
static void
for_getopt(struct option *table, char *letters)
{
    /* "-": operands come in their order; ":": errors are told here. */
    *letters++ = '-';
    *letters++ = ':';
    for (size_t i = 0; i < OPTIONS; i++) {
        table[i] = (struct option){
            .name = options[i].name,
            .has_arg = options[i].argument ? required_argument : no_argument,
            .val = VALUE(i),
        };
        if (!options[i].letter)
            continue;
        *letters++ = options[i].letter;
        if (options[i].argument)
            *letters++ = ':';
    }
    table[OPTIONS] = (struct option){ 0 };
    *letters = '\0';
}

/* Number of single-character edits from a to b, or more than `most`. */
static unsigned
distance(const char *a, const char *b, unsigned most)
{
    unsigned row[40];
    size_t n = strlen(b);

    if (n >= sizeof row / sizeof row[0])
        return most + 1;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (; *a; a++) {
        unsigned diagonal = row[0]++;

        for (size_t j = 1; j <= n; j++) {
            unsigned change = diagonal + (*a != b[j - 1]);

            diagonal = row[j];
            if (change > diagonal + 1)
                change = diagonal + 1;
            row[j] = change > row[j - 1] + 1 ? row[j - 1] + 1 : change;
        }
    }
    return row[n];
}

/* The word of an unknown long option, without its value: that could be
 * anything, also a secret. */
static enum pdfpipe_status
refuse_unknown(const char *word, struct pdfpipe_error *err)
{
    const struct pp_option *nearest = NULL;
    unsigned best = strlen(word) < 5 ? 2 : 3;
    char name[40];

    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (size_t i = 0; i < OPTIONS; i++) {
        unsigned d = distance(name, options[i].name, best);
        size_t n = strlen(name);

        if (options[i].group == PP_GROUP_HIDDEN)
            continue;
        if (n >= 3 && strncmp(name, options[i].name, n) == 0)
            d = 1;
        if (d < best) {
            best = d;
            nearest = &options[i];
        }
    }
    if (nearest)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "unknown option --%s; is --%s meant?", name,
                         nearest->name);
    return pp_refuse(err, PDFPIPE_E_USAGE, "unknown option --%s", name);
}

static enum pdfpipe_status
take_operand(struct pp_settings *s, const char *word, struct pdfpipe_error *err)
{
    const struct pp_command *command;

    if (strcmp(word, "-") == 0)
        return pp_refuse(err, PDFPIPE_E_USAGE,
                         "documents are not read from standard input; ./- is "
                         "a file of that name");
    if (s->paths.count == 0 && !s->command) {
        command = pp_command_find(word);
        if (command && !command->run)
            return pp_refuse(err, PDFPIPE_E_USAGE,
                             "the command %s is not available in this "
                             "version; ./%s is a file of that name",
                             word, word);
        s->command = command;
        if (command)
            return PDFPIPE_OK;
    }
    s->paths.item[s->paths.count++] = word;
    return PDFPIPE_OK;
}

/* What getopt_long() returned for the word argv[at], at or in it. */
static enum pdfpipe_status
take_one(struct pp_settings *s, int value, const char *word, int index,
         struct pdfpipe_error *err)
{
    bool is_long = strncmp(word, "--", 2) == 0;
    size_t i;

    if (value == 1)
        return take_operand(s, optarg, err);
    if (value == '?' && is_long)
        return refuse_unknown(word + 2, err);
    if (value == '?')
        return pp_refuse(err, PDFPIPE_E_USAGE, "unknown option -%c", optopt);
    if (value == ':' && !is_long)
        return pp_refuse(err, PDFPIPE_E_USAGE, "-%c needs a value", optopt);
    if (value == ':')
        return pp_refuse(err, PDFPIPE_E_USAGE, "%.*s needs a value",
                         (int)strcspn(word, "="), word);
    if (value >= VALUE(0)) {
        i = (size_t)index;
        if (strlen(options[i].name) != strcspn(word + 2, "="))
            return refuse_unknown(word + 2, err); /* an abbreviation */
    } else {
        for (i = 0; options[i].letter != value; i++)
            ;
    }
    return options[i].take(s, &options[i], optarg, err);
}

static void
set_defaults(struct pp_settings *s)
{
    *s = (struct pp_settings){ 0 };
    pdfpipe_options_init(&s->run);
    s->run.permissions = PDFPIPE_PERMIT_ALL;
    for (int i = 0; i < PP_PASSWORD_ROLES; i++)
        s->passwords.option[i].fd = -1;
}

static enum pdfpipe_status
make_lists(struct pp_settings *s, int argc, struct pdfpipe_error *err)
{
    struct pp_list *lists[] = { &s->paths, &s->include, &s->exclude };

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        lists[i]->item = calloc((size_t)argc + 1, sizeof *lists[i]->item);
        if (!lists[i]->item)
            return pp_refuse_memory(err);
    }
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_arguments_parse(struct pp_settings *s, int argc, char **argv,
                   struct pdfpipe_error *err)
{
    struct option table[OPTIONS + 1];
    char letters[2 * OPTIONS + 3];
    enum pdfpipe_status st;

    set_defaults(s);
    st = make_lists(s, argc, err);
    for_getopt(table, letters);
    opterr = 0;
    optind = 0; /* glibc: begin anew */
    while (!st) {
        int index = 0, at = optind ? optind : 1, value;

        /* NOLINTNEXTLINE(concurrency-mt-unsafe): see the header */
        value = getopt_long(argc, argv, letters, table, &index);
        if (value == -1)
            break;
        st = take_one(s, value, argv[at], index, err);
    }
    /* Behind "--" no word is a command. */
    for (int i = optind; i < argc && !st; i++)
        s->paths.item[s->paths.count++] = argv[i];
    if (!s->command)
        s->command = pp_command_default();
    s->catalog.paths = s->paths.item;
    s->catalog.count = s->paths.count;
    s->catalog.filter.include = s->include.item;
    s->catalog.filter.includes = s->include.count;
    s->catalog.filter.exclude = s->exclude.item;
    s->catalog.filter.excludes = s->exclude.count;
    return st;
}

void
pp_settings_fini(struct pp_settings *s)
{
    free(s->paths.item);
    free(s->include.item);
    free(s->exclude.item);
    *s = (struct pp_settings){ 0 };
}
