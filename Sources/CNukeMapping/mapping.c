#define _GNU_SOURCE
#include "CNukeMapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

// More files are read into memory.
enum { most_mappings = 64 };

// A mapping; free if it has no start. The handler of the signal reads it without a lock.
static struct mapping {
  _Atomic(uintptr_t) start;
  _Atomic(size_t) size;
  atomic_bool has_failed;
} mappings[most_mappings];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct sigaction previous;
static uintptr_t page_size;

static struct mapping *containing(uintptr_t address) {
  for (int i = 0; i < most_mappings; i++) {
    const uintptr_t start = atomic_load(&mappings[i].start);
    if (start != 0 && address >= start && address - start < atomic_load(&mappings[i].size)) return &mappings[i];
  }
  return NULL;
}

// Replaces what cannot be read by zeros.
static void handle(int number, siginfo_t *information, void *context) {
  (void)context;
  const int error = errno;
  const uintptr_t page = (uintptr_t)information->si_addr & ~(page_size - 1);
  struct mapping *mapping = information->si_code > 0 ? containing((uintptr_t)information->si_addr) : NULL;
  if (mapping != NULL) {
    const size_t rest = atomic_load(&mapping->start) + atomic_load(&mapping->size) - page;
    if (mmap((void *)page, rest, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (void *)page) {
      atomic_store(&mapping->has_failed, true);
      errno = error;
      return;
    }
  }
  // What happens without this handler: the instruction is executed again, and a signal of another process is repeated.
  sigaction(number, &previous, NULL);
  if (information->si_code <= 0) raise(number);
  errno = error;
}

static void install(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous);
}

const uint8_t *nuke_map(int file, size_t count) {
  pthread_once(&once, install);
  if (count == 0) return NULL;
  void *bytes = mmap(NULL, count, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return NULL;
  madvise(bytes, count, MADV_SEQUENTIAL);
  pthread_mutex_lock(&lock);
  struct mapping *mapping = NULL;
  for (int i = 0; i < most_mappings && mapping == NULL; i++) {
    if (atomic_load(&mappings[i].start) == 0) mapping = &mappings[i];
  }
  if (mapping != NULL) {
    atomic_store(&mapping->has_failed, false);
    atomic_store(&mapping->size, count);
    atomic_store(&mapping->start, (uintptr_t)bytes);
  }
  pthread_mutex_unlock(&lock);
  if (mapping != NULL) return bytes;
  munmap(bytes, count);
  return NULL;
}

bool nuke_map_has_failed(const uint8_t *bytes) {
  const struct mapping *mapping = containing((uintptr_t)bytes);
  return mapping != NULL && atomic_load(&mapping->has_failed);
}

void nuke_unmap(const uint8_t *bytes) {
  pthread_mutex_lock(&lock);
  struct mapping *mapping = containing((uintptr_t)bytes);
  const size_t count = mapping != NULL ? atomic_load(&mapping->size) : 0;
  // Unmapped first: afterwards, another mapping could have the address.
  if (mapping != NULL) munmap((void *)bytes, count);
  if (mapping != NULL) atomic_store(&mapping->start, 0);
  pthread_mutex_unlock(&lock);
}
