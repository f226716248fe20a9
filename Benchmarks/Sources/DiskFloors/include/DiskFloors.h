#pragma once
#include <stddef.h>
#include <stdint.h>

/// Creates, writes and renames `count` times two files into `folder`: one of `length` bytes, one of 100. Gives 0 or errno.
int disk_floor_write(const char *folder, int count, size_t length);

/// Opens, reads into new memory and sums up each of the files that disk_floor_write left, `times` times in all.
uint64_t disk_floor_read(const char *folder, int count, size_t length, int times);
