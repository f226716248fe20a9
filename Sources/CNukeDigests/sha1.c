// SHA-1 (FIPS 180-4, section 6.1).
#include "CNukeDigests.h"
#include <string.h>

static inline uint32_t rotate(uint32_t value, int bits) { return (value << bits) | (value >> (32 - bits)); }

static inline uint32_t load_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void add_block(uint32_t hash[5], const uint8_t *block) {
  uint32_t schedule[80];
  for (int i = 0; i < 16; i++) schedule[i] = load_big_endian(block + 4 * i);
  for (int i = 16; i < 80; i++) {
    schedule[i] = rotate(schedule[i - 3] ^ schedule[i - 8] ^ schedule[i - 14] ^ schedule[i - 16], 1);
  }
  uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
#define ROUND(function, constant)                                          \
  do {                                                                     \
    uint32_t next = rotate(a, 5) + (function) + e + (constant) + schedule[i]; \
    e = d;                                                                 \
    d = c;                                                                 \
    c = rotate(b, 30);                                                     \
    b = a;                                                                 \
    a = next;                                                              \
  } while (0)
  for (int i = 0; i < 20; i++) ROUND((b & c) | (~b & d), 0x5a827999);
  for (int i = 20; i < 40; i++) ROUND(b ^ c ^ d, 0x6ed9eba1);
  for (int i = 40; i < 60; i++) ROUND((b & c) | (b & d) | (c & d), 0x8f1bbcdc);
  for (int i = 60; i < 80; i++) ROUND(b ^ c ^ d, 0xca62c1d6);
#undef ROUND
  hash[0] += a;
  hash[1] += b;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
}

void nuke_sha1(const void *bytes, size_t count, uint8_t digest[20]) {
  uint32_t hash[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const uint8_t *next = bytes;
  size_t left = count;
  for (; left >= 64; left -= 64, next += 64) add_block(hash, next);

  uint8_t tail[128] = {0};
  if (left > 0) memcpy(tail, next, left);
  tail[left] = 0x80;
  size_t length = left < 56 ? 64 : 128;
  uint64_t bits = (uint64_t)count * 8;
  for (int i = 0; i < 8; i++) tail[length - 1 - i] = (uint8_t)(bits >> (8 * i));
  add_block(hash, tail);
  if (length == 128) add_block(hash, tail + 64);

  for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
}
