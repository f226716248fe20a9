#pragma once
#include <stddef.h>
#include <stdint.h>

typedef enum {
  // The data was inflated to its end, and its checksum and length are correct.
  NUKE_GZIP_DONE,
  // The data ends before its trailer.
  NUKE_GZIP_TRUNCATED,
  // `limit` bytes were written, and more would follow.
  NUKE_GZIP_FULL,
  NUKE_GZIP_DAMAGED,
  NUKE_GZIP_NO_MEMORY,
} nuke_gzip_status;

typedef struct {
  nuke_gzip_status status;
  // The number of bytes that were read.
  size_t read;
  // The number of bytes that were written, whatever the status is.
  size_t written;
} nuke_gzip_result;

// Inflates one member of gzip data (RFC 1952) until it ends or `limit` bytes are written.
nuke_gzip_result nuke_gzip_inflate(const uint8_t *data, size_t count, uint8_t *output, size_t limit);
