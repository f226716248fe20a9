#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// SHA-1 (FIPS 180-4), used for file names. It does not protect against forgery.
void nuke_sha1(const void *bytes, size_t count, uint8_t digest[20]);

/// MD5 (RFC 1321), used by desktops for the names of thumbnails. It does not protect against forgery.
void nuke_md5(const void *bytes, size_t count, uint8_t digest[16]);

/// XXH64 of bytes that arrive in parts: the checksum of stored data.
typedef struct nuke_xxh64_state {
  uint64_t lanes[4];
  uint64_t seed;
  uint64_t total;
  uint8_t pending[32];
  uint32_t pending_count;
} nuke_xxh64_state;

void nuke_xxh64_begin(nuke_xxh64_state *state, uint64_t seed);
void nuke_xxh64_add(nuke_xxh64_state *state, const void *bytes, size_t count);
uint64_t nuke_xxh64_end(const nuke_xxh64_state *state);

/// XXH64 of complete data.
uint64_t nuke_xxh64(const void *bytes, size_t count, uint64_t seed);

#ifdef __cplusplus
}
#endif
