#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CNukeSandbox.h"

// The kernel's interface, defined here because the headers may be older than the kernel. The numbers are the same on
// all architectures.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };
enum { create_ruleset_version = 1, rule_path_beneath = 1 };
enum { read_file = 1 << 2, read_dir = 1 << 3 };

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scoped;
};

struct path_beneath {
  uint64_t allowed;
  int32_t folder;
} __attribute__((packed));

int nuke_sandbox_landlock_version(void) {
  long version = syscall(create_ruleset, NULL, 0, create_ruleset_version);
  return version > 0 ? (int)version : 0;
}

// Restricts everything that the version supports.
static size_t ruleset_for(int version, struct ruleset *ruleset) {
  ruleset->files = (1 << 13) - 1;                    // reading, writing, running, making, removing
  if (version >= 2) ruleset->files |= 1 << 13;       // moving to another folder
  if (version >= 3) ruleset->files |= 1 << 14;       // truncating
  if (version >= 5) ruleset->files |= 1 << 15;       // ioctl of devices
  ruleset->network = version >= 4 ? 3 : 0;           // binding and connecting TCP
  ruleset->scoped = version >= 6 ? 3 : 0;            // abstract sockets and signals of others
  return version >= 6 ? 24 : version >= 4 ? 16 : 8;  // the size that the version knows
}

int nuke_sandbox_restrict_files(const char *const *folders, size_t count) {
  int version = nuke_sandbox_landlock_version();
  if (!version) return ENOSYS;
  struct ruleset ruleset;
  size_t size = ruleset_for(version, &ruleset);
  int rules = (int)syscall(create_ruleset, &ruleset, size, 0);
  if (rules < 0) return errno;
  int error = 0;
  for (size_t index = 0; index < count && !error; index++) {
    int folder = open(folders[index], O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (folder < 0) continue;
    struct path_beneath rule = {.allowed = read_file | read_dir, .folder = folder};
    if (syscall(add_rule, rules, rule_path_beneath, &rule, 0)) error = errno;
    close(folder);
  }
  if (!error && syscall(restrict_self, rules, 0)) error = errno;
  close(rules);
  return error;
}
