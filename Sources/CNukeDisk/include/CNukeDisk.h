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

#ifdef __cplusplus
}
#endif
