// XXH64 (xxHash fast digest algorithm, version 0.1.1).
#include "CNukeDigests.h"
#include <string.h>

static const uint64_t prime1 = 0x9e3779b185ebca87u;
static const uint64_t prime2 = 0xc2b2ae3d27d4eb4fu;
static const uint64_t prime3 = 0x165667b19e3779f9u;
static const uint64_t prime4 = 0x85ebca77c2b2ae63u;
static const uint64_t prime5 = 0x27d4eb2f165667c5u;

static inline uint64_t rotate(uint64_t value, int bits) { return (value << bits) | (value >> (64 - bits)); }

static inline uint64_t load64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

static inline uint32_t load32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap32(value);
#endif
  return value;
}

static inline uint64_t mix(uint64_t lane, uint64_t input) { return rotate(lane + input * prime2, 31) * prime1; }

static inline uint64_t merge(uint64_t hash, uint64_t lane) { return (hash ^ mix(0, lane)) * prime1 + prime4; }

static const uint8_t *add_stripes(uint64_t lanes[4], const uint8_t *bytes, size_t stripes) {
  uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
  for (; stripes > 0; stripes--, bytes += 32) {
    a = mix(a, load64(bytes));
    b = mix(b, load64(bytes + 8));
    c = mix(c, load64(bytes + 16));
    d = mix(d, load64(bytes + 24));
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
  return bytes;
}

void nuke_xxh64_begin(nuke_xxh64_state *state, uint64_t seed) {
  memset(state, 0, sizeof *state);
  state->lanes[0] = seed + prime1 + prime2;
  state->lanes[1] = seed + prime2;
  state->lanes[2] = seed;
  state->lanes[3] = seed - prime1;
  state->seed = seed;
}

void nuke_xxh64_add(nuke_xxh64_state *state, const void *bytes, size_t count) {
  if (count == 0) return;
  const uint8_t *next = bytes;
  state->total += count;
  if (state->pending_count > 0) {
    size_t room = 32 - state->pending_count;
    size_t taken = count < room ? count : room;
    memcpy(state->pending + state->pending_count, next, taken);
    state->pending_count += (uint32_t)taken;
    next += taken;
    count -= taken;
    if (state->pending_count < 32) return;
    add_stripes(state->lanes, state->pending, 1);
    state->pending_count = 0;
  }
  next = add_stripes(state->lanes, next, count / 32);
  state->pending_count = (uint32_t)(count % 32);
  if (state->pending_count > 0) memcpy(state->pending, next, state->pending_count);
}

uint64_t nuke_xxh64_end(const nuke_xxh64_state *state) {
  const uint64_t *lanes = state->lanes;
  uint64_t hash;
  if (state->total >= 32) {
    hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
    for (int i = 0; i < 4; i++) hash = merge(hash, lanes[i]);
  } else {
    hash = state->seed + prime5;
  }
  hash += state->total;
  const uint8_t *next = state->pending;
  size_t left = state->pending_count;
  for (; left >= 8; left -= 8, next += 8) hash = rotate(hash ^ mix(0, load64(next)), 27) * prime1 + prime4;
  if (left >= 4) {
    hash = rotate(hash ^ load32(next) * prime1, 23) * prime2 + prime3;
    left -= 4;
    next += 4;
  }
  for (; left > 0; left--, next++) hash = rotate(hash ^ *next * prime5, 11) * prime1;
  hash = (hash ^ hash >> 33) * prime2;
  hash = (hash ^ hash >> 29) * prime3;
  return hash ^ hash >> 32;
}

uint64_t nuke_xxh64(const void *bytes, size_t count, uint64_t seed) {
  nuke_xxh64_state state;
  nuke_xxh64_begin(&state, seed);
  nuke_xxh64_add(&state, bytes, count);
  return nuke_xxh64_end(&state);
}
