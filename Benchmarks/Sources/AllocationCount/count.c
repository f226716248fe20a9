#define _GNU_SOURCE
#include "AllocationCount.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

// Replaces functions of glibc, and calls the originals by their internal names.

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

// The counters are read rarely. The threads of a benchmark should not contend for them.
static _Atomic long total;
static _Thread_local long mine;

static void count(void) {
  if (++mine == 64) {
    atomic_fetch_add_explicit(&total, mine, memory_order_relaxed);
    mine = 0;
  }
}

long nuke_allocation_count(void) { return atomic_load_explicit(&total, memory_order_relaxed) + mine; }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

// MARK: Locks

// Contention is so rare that one counter is sufficient.
static _Atomic long contended;

long nuke_contended_lock_count(void) { return atomic_load_explicit(&contended, memory_order_relaxed); }

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (pthread_mutex_trylock(mutex) == 0) return 0;
  atomic_fetch_add_explicit(&contended, 1, memory_order_relaxed);
  // glibc's function, which has no internal name to link with.
  static int (*_Atomic lock)(pthread_mutex_t *);
  if (!lock) lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  return lock(mutex);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
  count();
  *place = __libc_memalign(alignment, size);
  return *place ? 0 : ENOMEM;
}
