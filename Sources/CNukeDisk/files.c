#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CNukeDisk.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>

// From <linux/fs.h> and <linux/fcntl.h>, which conflict with headers of the C library or are missing with musl.
enum { exchange_names = 2, set_signal = 10, set_lease = 1024 };

// From <linux/openat2.h>, which older systems do not have. The number is the same for all architectures.
enum { open_at_2 = 437, no_magic_links = 2, beneath = 8 };
struct open_rules { uint64_t flags, mode, resolve; };

int nuke_exchange(int folder, const char *path, const char *other) {
  return syscall(SYS_renameat2, folder, path, folder, other, exchange_names) == 0 ? 0 : -errno;
}

int nuke_open_beneath(int folder, const char *path, int flags) {
  struct open_rules rules = {.flags = (uint64_t)flags, .resolve = beneath | no_magic_links};
  long opened = syscall(open_at_2, folder, path, &rules, sizeof rules);
  if (opened >= 0) return (int)opened;
  // Filters of system calls in containers respond with EPERM to those that they do not know.
  return errno == EPERM ? -ENOSYS : -errno;
}

int nuke_is_open_elsewhere(int file) {
  // If another process opens the file while the lease is held, the kernel sends a signal. SIGURG is ignored unless the
  // program handles it; the default, SIGIO, would end the process.
  if (fcntl(file, set_signal, SIGURG) != 0 || fcntl(file, set_lease, F_WRLCK) != 0) return 1;
  fcntl(file, set_lease, F_UNLCK);
  return 0;
}
#else
int nuke_exchange(int folder, const char *path, const char *other) {
  (void)folder, (void)path, (void)other;
  return -ENOSYS;
}

int nuke_open_beneath(int folder, const char *path, int flags) {
  (void)folder, (void)path, (void)flags;
  return -ENOSYS;
}

int nuke_is_open_elsewhere(int file) {
  (void)file;
  return 1;
}
#endif
