/* meta.c - what of a file survives its replacement */
#include "io/meta.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/buf.h"

#define ACL "system.posix_acl_access"

/* An attribute may grow between asking for its size and reading it. */
#define ATTEMPTS 4

/* Bytes of attributes kept for one file.  Some file systems take thousands of
 * 64 KiB each; what is kept is held in memory until the file is published. */
#define XATTRS_MAX ((size_t)1024 * 1024)

/* The file system or a security module does not let us; the file's bytes are
 * not touched by that. */
static bool
refused(int sys_errno)
{
    return sys_errno == EPERM || sys_errno == EACCES ||
           sys_errno == EOPNOTSUPP || sys_errno == ENOSYS ||
           sys_errno == EINVAL;
}

/* ---- reading ---- */

static bool
wanted(const char *name)
{
    if (strncmp(name, "user.", 5) == 0 || strcmp(name, ACL) == 0 ||
        strcmp(name, "security.selinux") == 0)
        return true;
    return strncmp(name, "trusted.", 8) == 0 && geteuid() == 0;
}

/* Appends the list of names to b.  *lost: there is one, but it cannot be
 * read. */
static enum pdfpipe_status
list_names(struct pp_buf *b, int fd, bool *lost, struct pdfpipe_error *err)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        ssize_t n = flistxattr(fd, NULL, 0);

        if (n > 0) {
            if (!pp_buf_reserve(b, (size_t)n))
                return pp_fail_memory(err);
            n = flistxattr(fd, (char *)b->p, b->cap);
        }
        if (n >= 0) {
            b->n = (size_t)n;
            return PDFPIPE_OK;
        }
        if (errno == EOPNOTSUPP || errno == ENOSYS)
            return PDFPIPE_OK;
        if (refused(errno))
            break;
        if (errno != ERANGE && errno != E2BIG)
            return pp_fail_sys(err, errno, PDFPIPE_E_READ,
                               "cannot list extended attributes");
    }
    *lost = true;
    return PDFPIPE_OK;
}

/* Appends one attribute to b as struct pp_meta describes it.  *lost: it cannot
 * be read. */
static enum pdfpipe_status
read_one(struct pp_buf *b, int fd, const char *name, bool *lost,
         struct pdfpipe_error *err)
{
    size_t start = b->n, value = start + strlen(name) + 1 + sizeof(uint32_t);

    for (int i = 0; i < ATTEMPTS; i++) {
        ssize_t n = fgetxattr(fd, name, NULL, 0);
        uint32_t length;

        if (n >= 0) {
            if (value + (size_t)n > XATTRS_MAX)
                break;
            if (!pp_buf_reserve(b, value - start + (size_t)n))
                return pp_fail_memory(err);
            /* With size 0 the call would ask for the size again. */
            if (n > 0)
                n = fgetxattr(fd, name, b->p + value, (size_t)n);
        }
        if (n >= 0) {
            length = (uint32_t)n; /* at most XATTR_SIZE_MAX, 64 KiB */
            memcpy(b->p + start, name, strlen(name) + 1);
            memcpy(b->p + value - sizeof length, &length, sizeof length);
            b->n = value + length;
            return PDFPIPE_OK;
        }
        if (errno == ENODATA) /* removed since it was listed */
            return PDFPIPE_OK;
        if (errno == ERANGE || errno == E2BIG)
            continue;
        if (refused(errno))
            break;
        return pp_fail_sys(err, errno, PDFPIPE_E_READ,
                           "cannot read extended attribute %.100s", name);
    }
    *lost = true;
    return PDFPIPE_OK;
}

static enum pdfpipe_status
read_xattrs(struct pp_meta *m, int fd, struct pdfpipe_error *err)
{
    struct pp_buf names = { 0 }, all = { 0 };
    enum pdfpipe_status st = list_names(&names, fd, &m->acl_lost, err);

    m->xattr_lost = m->acl_lost; /* an ACL may be among what we did not see */
    for (size_t at = 0; !st && at < names.n;) {
        const char *name = (const char *)names.p + at;
        bool lost = false;

        at += strlen(name) + 1;
        if (!wanted(name))
            continue;
        st = read_one(&all, fd, name, &lost, err);
        m->xattr_lost |= lost;
        m->acl_lost |= lost && strcmp(name, ACL) == 0;
    }
    pp_buf_fini(&names);
    if (st || all.n == 0) {
        pp_buf_fini(&all);
        return st;
    }
    m->xattrs = (char *)all.p;
    m->xattrs_len = all.n;
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_meta_read(struct pp_meta *m, int fd, bool replace, struct pdfpipe_error *err)
{
    *m = (struct pp_meta){ .replace = replace };
    if (fstat(fd, &m->st))
        return pp_fail_sys(err, errno, PDFPIPE_E_READ,
                           "cannot read the attributes of the source");
    return replace ? read_xattrs(m, fd, err) : PDFPIPE_OK;
}

void
pp_meta_fini(struct pp_meta *m)
{
    free(m->xattrs);
    m->xattrs = NULL;
    m->xattrs_len = 0;
}

/* ---- writing ---- */

/*
 * The umask, without changing it: umask(2) can only be read by setting it,
 * and another thread could create a file in between.  Without /proc the strictest common value is taken.
 */
static mode_t
current_umask(void)
{
    char text[1024], *line, *end;
    unsigned long mask;
    ssize_t n;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 077;
    n = read(fd, text, sizeof text - 1); /* "Umask:" is the second line */
    (void)close(fd);                     /* read only */
    if (n <= 0)
        return 077;
    text[n] = '\0';
    line = strstr(text, "\nUmask:");
    if (!line)
        return 077;
    line += strlen("\nUmask:");
    mask = strtoul(line, &end, 8);
    return end == line ? 077 : (mode_t)(mask & 0777);
}

enum pdfpipe_status
pp_meta_apply_new(int fd, mode_t mode, struct pdfpipe_error *err)
{
    if (fchmod(fd, mode & 0777 & ~current_umask()) && !refused(errno))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE, "cannot set the mode");
    return PDFPIPE_OK;
}

/* *group_kept: the file belongs to the same group as the source. */
static enum pdfpipe_status
apply_owner(struct pp_meta *m, int fd, bool *group_kept,
            struct pdfpipe_error *err)
{
    struct stat now;
    bool same_owner;

    if (fstat(fd, &now))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot look at the temporary file");
    same_owner = now.st_uid == m->st.st_uid;
    *group_kept = now.st_gid == m->st.st_gid;
    if (same_owner && *group_kept)
        return PDFPIPE_OK;
    if (!fchown(fd, m->st.st_uid, m->st.st_gid)) {
        *group_kept = true;
        return PDFPIPE_OK;
    }
    /* Without privileges a file cannot be given away, but it can be put into
     * a group that this process is in. */
    if (refused(errno)) {
        m->owner_lost = true;
        if (*group_kept || !fchown(fd, (uid_t)-1, m->st.st_gid)) {
            *group_kept = true;
            return PDFPIPE_OK;
        }
        if (refused(errno))
            return PDFPIPE_OK;
    }
    return pp_fail_sys(err, errno, PDFPIPE_E_WRITE, "cannot set the owner");
}

/* True for the errors of an attribute that say nothing about the disk. */
static bool
not_taken(int sys_errno)
{
    return refused(sys_errno) || sys_errno == E2BIG || sys_errno == ERANGE;
}

/* Takes away an ACL that the folder's default ACL gave to the new file; the
 * source has none, or not this one. */
static enum pdfpipe_status
drop_acl(int fd, struct pdfpipe_error *err)
{
    if (!fremovexattr(fd, ACL) || errno == ENODATA || refused(errno))
        return PDFPIPE_OK;
    return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                       "cannot remove an inherited ACL");
}

static enum pdfpipe_status
apply_xattrs(struct pp_meta *m, int fd, bool group_kept,
             struct pdfpipe_error *err)
{
    enum pdfpipe_status st = drop_acl(fd, err);

    for (size_t at = 0; !st && at < m->xattrs_len;) {
        const char *name = m->xattrs + at;
        const char *value = name + strlen(name) + 1 + sizeof(uint32_t);
        bool acl = strcmp(name, ACL) == 0;
        uint32_t length;

        memcpy(&length, value - sizeof length, sizeof length);
        at = (size_t)(value - m->xattrs) + length;
        /* An ACL speaks of "the group" without naming it. */
        if (!(acl && !group_kept)) {
            if (!fsetxattr(fd, name, value, length, 0))
                continue;
            if (!not_taken(errno))
                return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                                   "cannot set extended attribute %.100s",
                                   name);
        }
        m->xattr_lost = true;
        m->acl_lost |= acl;
    }
    return st;
}

static mode_t
narrowed_mode(const struct pp_meta *m, bool group_kept)
{
    mode_t mode = m->st.st_mode & 07777;

    if (m->owner_lost)
        mode &= ~(mode_t)(S_ISUID | S_ISGID);
    /* With an ACL the group bits of st_mode are its mask: without it they
     * would give the group more than it had. */
    if (m->acl_lost)
        return mode & ~(mode_t)077;
    /* The old group's members are "others" now, and get no more than they
     * had as a group. */
    if (!group_kept)
        mode &= ~(mode_t)077 | ((mode >> 3) & 07);
    return mode;
}

static enum pdfpipe_status
apply_mode(struct pp_meta *m, int fd, mode_t mode, struct pdfpipe_error *err)
{
    struct stat now;

    if (!fchmod(fd, mode))
        return PDFPIPE_OK;
    if (!refused(errno))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE, "cannot set the mode");
    /* A file system without modes shows every file alike.  Elsewhere the file
     * keeps the 0600 that it was created with, which may be too much too. */
    m->owner_lost = true;
    if (fstat(fd, &now))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE,
                           "cannot look at the temporary file");
    if (now.st_mode & 0777 & ~m->st.st_mode)
        return pp_fail(err, PDFPIPE_E_PERMISSION,
                       "cannot narrow the mode to that of the source");
    return PDFPIPE_OK;
}

enum pdfpipe_status
pp_meta_apply(struct pp_meta *m, int fd, struct pdfpipe_error *err)
{
    const struct timespec times[2] = { m->st.st_atim, m->st.st_mtim };
    bool group_kept = false;
    enum pdfpipe_status st;

    if (!m->replace)
        return pp_meta_apply_new(fd, m->st.st_mode, err);
    st = apply_owner(m, fd, &group_kept, err);
    if (!st)
        st = apply_xattrs(m, fd, group_kept, err);
    if (!st)
        st = apply_mode(m, fd, narrowed_mode(m, group_kept), err);
    if (st || !futimens(fd, times))
        return st;
    if (!refused(errno))
        return pp_fail_sys(err, errno, PDFPIPE_E_WRITE, "cannot set the times");
    m->times_lost = true;
    return PDFPIPE_OK;
}
