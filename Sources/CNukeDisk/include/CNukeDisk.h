#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Exchanges two file names atomically. Returns 0, or a negative errno: -ENOSYS or -EINVAL if the system or the file
/// system does not support it.
int nuke_exchange(int folder, const char *path, const char *other);

/// Returns 0 if no other process has the file open or mapped. `file` is open for writing. Returns 1 otherwise, and if
/// it is unknown. Takes a write lease (fcntl, F_SETLEASE) and releases it.
int nuke_is_open_elsewhere(int file);

/// Opens a file or folder by its path below a folder. Symbolic links are followed, but not out of the folder, and not if
/// their target is an absolute path. Returns a descriptor, or a negative errno: -EXDEV if the path leads out of the
/// folder, -ENOSYS if the system cannot check this, and -EAGAIN if names changed meanwhile.
int nuke_open_beneath(int folder, const char *path, int flags);

#ifdef __cplusplus
}
#endif
