#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// SHA-1 (FIPS 180-4), which names files; it is no protection against a forger.
void nuke_sha1(const void *bytes, size_t count, uint8_t digest[20]);

/// MD5 (RFC 1321), by which desktops name thumbnails; it is no protection against a forger.
void nuke_md5(const void *bytes, size_t count, uint8_t digest[16]);

/// XXH64 over bytes that come in parts: the checksum of what is stored.
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

/// XXH64 of all bytes at once.
uint64_t nuke_xxh64(const void *bytes, size_t count, uint64_t seed);

/// Exchanges two names in one step, so that each leads to the file of the other. Returns 0, or the negative of an errno:
/// -ENOSYS or -EINVAL where the system or the file system cannot do it.
int nuke_exchange(int folder, const char *path, const char *other);

/// Returns 0 if no process has the file open or mapped, apart from `file` itself, which is open for writing. Returns 1
/// otherwise, and where the system cannot tell. It asks for a write lease (fcntl, F_SETLEASE) and gives it back.
int nuke_is_open_elsewhere(int file);

#ifdef __cplusplus
}
#endif
