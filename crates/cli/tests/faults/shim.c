/* Fails one call that writes, syncs, renames or opens a file, for tests/faults. Built by the test and loaded with LD_PRELOAD.
 *
 * FAULT_AT=n     the n-th call fails
 * FAULT_STAYS=1  and all calls that write after it: a disk that stays full
 * FAULT_COUNT=f  the number of calls is appended to this file at the end
 *
 * Calls on pipes, terminals and the files of the system are passed on and not counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int calls;

/* Counts a call; true when it is to fail. */
static int fails(int writes) {
    const char *at = getenv("FAULT_AT");
    const char *stays = getenv("FAULT_STAYS");
    int call = atomic_fetch_add(&calls, 1) + 1;
    if (at == NULL || call < atoi(at)) return 0;
    if (call > atoi(at) && !(stays != NULL && writes)) return 0;
    errno = stays != NULL ? ENOSPC : EIO;
    return 1;
}

static int regular(int fd) {
    struct stat facts;
    return fd > 2 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

static int of_system(const char *path) {
    static const char *const roots[] = {"/proc/", "/sys/", "/dev/", "/etc/", "/lib", "/usr/"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strncmp(path, roots[i], strlen(roots[i])) == 0) return 1;
    return 0;
}

#define NEXT(type, name) static type next; if (next == NULL) next = (type)dlsym(RTLD_NEXT, name)

typedef ssize_t (*write_t)(int, const void *, size_t);
ssize_t write(int fd, const void *bytes, size_t count) {
    NEXT(write_t, "write");
    return regular(fd) && fails(1) ? -1 : next(fd, bytes, count);
}

typedef ssize_t (*writev_t)(int, const struct iovec *, int);
ssize_t writev(int fd, const struct iovec *parts, int count) {
    NEXT(writev_t, "writev");
    return regular(fd) && fails(1) ? -1 : next(fd, parts, count);
}

typedef ssize_t (*pwrite_t)(int, const void *, size_t, off_t);
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    NEXT(pwrite_t, "pwrite");
    return regular(fd) && fails(1) ? -1 : next(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) {
    NEXT(pwrite_t, "pwrite64");
    return regular(fd) && fails(1) ? -1 : next(fd, bytes, count, at);
}

typedef int (*ftruncate_t)(int, off_t);
int ftruncate(int fd, off_t length) {
    NEXT(ftruncate_t, "ftruncate");
    return regular(fd) && fails(1) ? -1 : next(fd, length);
}
int ftruncate64(int fd, off_t length) {
    NEXT(ftruncate_t, "ftruncate64");
    return regular(fd) && fails(1) ? -1 : next(fd, length);
}

typedef int (*fsync_t)(int);
int fsync(int fd) {
    NEXT(fsync_t, "fsync");
    return fails(1) ? -1 : next(fd);
}
int fdatasync(int fd) {
    NEXT(fsync_t, "fdatasync");
    return fails(1) ? -1 : next(fd);
}

typedef int (*rename_t)(const char *, const char *);
int rename(const char *from, const char *to) {
    NEXT(rename_t, "rename");
    return fails(1) ? -1 : next(from, to);
}
typedef int (*linkat_t)(int, const char *, int, const char *, int);
int linkat(int a, const char *from, int b, const char *to, int flags) {
    NEXT(linkat_t, "linkat");
    return fails(1) ? -1 : next(a, from, b, to, flags);
}

typedef int (*open_t)(const char *, int, ...);
static mode_t mode_of(int flags, va_list more) {
    return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;
}
#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        NEXT(open_t, #name);                                              \
        va_list more;                                                     \
        va_start(more, flags);                                            \
        mode_t mode = mode_of(flags, more);                               \
        va_end(more);                                                     \
        int writes = (flags & O_ACCMODE) != O_RDONLY;                     \
        return !of_system(path) && fails(writes) ? -1 : next(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAULT_COUNT");
    if (path == NULL) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%d\n", atomic_load(&calls));
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd >= 0) {
        syscall(SYS_write, fd, text, (size_t)length);
        syscall(SYS_close, fd);
    }
}
