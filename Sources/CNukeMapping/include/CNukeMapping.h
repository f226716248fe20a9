#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Maps the first `count` bytes of a file for reading. If pages cannot be read, because another program has shortened the
// file or the disk fails, they read as zeros, and so do all that follow. Returns NULL on failure.
//
// Handles SIGBUS for the whole process, so it is for programs and not for libraries.
const uint8_t *nuke_map(int file, size_t count);

// Returns whether pages could not be read so far.
bool nuke_map_has_failed(const uint8_t *bytes);

void nuke_unmap(const uint8_t *bytes);

#ifdef __cplusplus
}
#endif
