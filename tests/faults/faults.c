// SPDX-License-Identifier: Apache-2.0
//
// Loaded before the C library (LD_PRELOAD), it lets one call of a kind fail: the one that
// MBN_FAULT_AT says, counted from 1 after main() has begun, or that one and all after it when
// MBN_FAULT_LASTS is set. MBN_FAULT_KIND names the kind:
//   memory   malloc, calloc, realloc, aligned_alloc, posix_memalign
//   read, write, sync, rename (and link), open, map, thread
// MBN_FAULT_COUNT names a file that gets the number of calls at the end, so that a test knows how
// far to go. The real functions are found before main(), so that finding one never fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

enum kind { none, memory, reading, writing, syncing, renaming, opening, mapping, threading };

static enum kind chosen = none;
static long first_fault = 0;
static int lasts = 0;
static atomic_int armed = 0;
static atomic_long calls = 0;

// Whether this call of `kind` is to fail.
static int fails(enum kind kind) {
  if (kind != chosen || !atomic_load_explicit(&armed, memory_order_relaxed)) return 0;
  const long call = atomic_fetch_add(&calls, 1) + 1;
  return first_fault > 0 && (call == first_fault || (lasts && call > first_fault));
}

#define REAL(name) static __typeof__(name)* real_##name
REAL(read);
REAL(pread64);
REAL(write);
REAL(pwrite64);
REAL(fsync);
REAL(fdatasync);
REAL(rename);
REAL(renameat2);
REAL(link);
REAL(linkat);
REAL(open64);
REAL(openat64);
REAL(mmap64);
REAL(pthread_create);

void* malloc(size_t bytes) {
  if (!fails(memory)) return __libc_malloc(bytes);
  errno = ENOMEM;
  return NULL;
}

void* calloc(size_t count, size_t bytes) {
  if (!fails(memory)) return __libc_calloc(count, bytes);
  errno = ENOMEM;
  return NULL;
}

void* realloc(void* old, size_t bytes) {
  if (!fails(memory)) return __libc_realloc(old, bytes);
  errno = ENOMEM;
  return NULL;
}

void* aligned_alloc(size_t alignment, size_t bytes) {
  if (!fails(memory)) return __libc_memalign(alignment, bytes);
  errno = ENOMEM;
  return NULL;
}

int posix_memalign(void** place, size_t alignment, size_t bytes) {
  if (fails(memory)) return ENOMEM;
  *place = __libc_memalign(alignment, bytes);
  return *place == NULL ? ENOMEM : 0;
}

// A function that returns -1 and sets errno when it is to fail, else what the real one returns.
#define FAILING(kind, error, result, name, parameters, arguments) \
  result name parameters {                                        \
    if (!fails(kind)) return real_##name arguments;               \
    errno = error;                                                \
    return -1;                                                    \
  }

FAILING(reading, EIO, ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes))
FAILING(reading, EIO, ssize_t, pread64, (int file, void* to, size_t bytes, off64_t at),
        (file, to, bytes, at))
FAILING(writing, ENOSPC, ssize_t, write, (int file, const void* from, size_t bytes),
        (file, from, bytes))
FAILING(writing, ENOSPC, ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t at),
        (file, from, bytes, at))
FAILING(syncing, EIO, int, fsync, (int file), (file))
FAILING(syncing, EIO, int, fdatasync, (int file), (file))
FAILING(renaming, EIO, int, rename, (const char* from, const char* to), (from, to))
FAILING(renaming, EIO, int, renameat2,
        (int here, const char* from, int there, const char* to, unsigned flags),
        (here, from, there, to, flags))
FAILING(renaming, EIO, int, link, (const char* from, const char* to), (from, to))
FAILING(renaming, EIO, int, linkat,
        (int here, const char* from, int there, const char* to, int flags),
        (here, from, there, to, flags))

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (!fails(opening)) return real_open64(path, flags, mode);
  errno = EMFILE;
  return -1;
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (!fails(opening)) return real_openat64(folder, path, flags, mode);
  errno = EMFILE;
  return -1;
}

int open(const char* path, int flags, ...) __attribute__((alias("open64")));
int openat(int folder, const char* path, int flags, ...) __attribute__((alias("openat64")));

void* mmap64(void* at, size_t bytes, int protection, int flags, int file, off64_t offset) {
  if (!fails(mapping)) return real_mmap64(at, bytes, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset)
    __attribute__((alias("mmap64")));

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (fails(threading)) return EAGAIN;
  return real_pthread_create(thread, attributes, start, argument);
}

#define FIND(name) real_##name = (__typeof__(name)*)dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void find_real_functions(void) {
  FIND(read);
  FIND(pread64);
  FIND(write);
  FIND(pwrite64);
  FIND(fsync);
  FIND(fdatasync);
  FIND(rename);
  FIND(renameat2);
  FIND(link);
  FIND(linkat);
  FIND(open64);
  FIND(openat64);
  FIND(mmap64);
  FIND(pthread_create);
  static const char* const names[] = {"",     "memory", "read", "write",  "sync",
                                      "rename", "open",   "map",  "thread"};
  const char* kind = getenv("MBN_FAULT_KIND");
  for (int i = 1; kind != NULL && i <= threading; ++i) {
    if (strcmp(kind, names[i]) == 0) chosen = (enum kind)i;
  }
  const char* at = getenv("MBN_FAULT_AT");
  first_fault = at == NULL ? 0 : atol(at);
  lasts = getenv("MBN_FAULT_LASTS") != NULL;
}

// Nothing fails before main(): what happens there is the loader's.
static int (*real_main)(int, char**, char**);

static int armed_main(int argc, char** argv, char** environment) {
  atomic_store(&armed, 1);
  return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*linker_fini)(void), void* stack_end) {
  __typeof__(__libc_start_main)* start =
      (__typeof__(__libc_start_main)*)dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(armed_main, argc, argv, init, fini, linker_fini, stack_end);
}

__attribute__((destructor)) static void tell_count(void) {
  atomic_store(&armed, 0);
  const char* path = getenv("MBN_FAULT_COUNT");
  if (path == NULL) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&calls));
  const int file = real_open64(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && real_write(file, text, (size_t)length) == length) close(file);
}
