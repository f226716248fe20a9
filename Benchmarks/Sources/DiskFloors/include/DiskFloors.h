#pragma once
#include <stddef.h>
#include <stdint.h>

/// Writes `count` files of `length` bytes, named by their numbers, for disk_floor_read. Returns 0 or errno.
int disk_floor_write(const char *folder, int count, size_t length);

/// Writes `length` bytes for each key to a temporary file, and renames it to the key's file. Returns 0 or errno.
int disk_floor_replace(const char *folder, const uint64_t *keys, int count, size_t length);

/// Writes `length` bytes for each key to its file, which is truncated first if it exists. Returns 0 or errno.
int disk_floor_overwrite(const char *folder, const uint64_t *keys, int count, size_t length);

/// Opens the files that disk_floor_write has written, reads them into new memory and computes their checksums, `times`
/// times in total.
uint64_t disk_floor_read(const char *folder, int count, size_t length, int times);
