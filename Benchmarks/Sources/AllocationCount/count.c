#include "AllocationCount.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// Stands before the functions of glibc, whose own names for them it calls.

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

// Read now and then only; the threads of a benchmark are to meet here as little as can be.
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

int posix_memalign(void **place, size_t alignment, size_t size) {
  count();
  *place = __libc_memalign(alignment, size);
  return *place ? 0 : ENOMEM;
}
