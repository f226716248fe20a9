#pragma once
#include <stddef.h>
#include <stdint.h>

/// Writes `count` files of `length` bytes, which are named by their numbers, for disk_floor_read. Gives 0 or errno.
int disk_floor_write(const char *folder, int count, size_t length);

/// Writes `length` bytes for each key to a file beside, which takes its place by renaming. Gives 0 or errno.
int disk_floor_replace(const char *folder, const uint64_t *keys, int count, size_t length);

/// Writes `length` bytes for each key to its file, cut off before where there is one. Gives 0 or errno.
int disk_floor_overwrite(const char *folder, const uint64_t *keys, int count, size_t length);

/// Opens, reads into new memory and sums up each of the files that disk_floor_write left, `times` times in all.
uint64_t disk_floor_read(const char *folder, int count, size_t length, int times);
