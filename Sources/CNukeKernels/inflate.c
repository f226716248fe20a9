#include "inflate_tables.h"

#include <string.h>

// Huffman codes are decoded by lookup tables. An entry contains up to three literals, and the length that follows them.
// In the middle of an input piece, 56 bits are read at once; near its end and between blocks, single bytes.
//
// With photographs, branches on the data are mispredicted half of the time. It is fast because there is about one such
// branch for each lookup, instead of one for each code.

enum state {
  between_blocks,
  in_stored_block,
  in_compressed_block,
  behind_last_block,
  damaged,
};

void nuke_inflate_start(nuke_inflate *inflate, nuke_inflate_source source, void *context) {
  inflate->bits = 0;
  inflate->bit_count = 0;
  inflate->input = inflate->input_end = NULL;
  inflate->source = source;
  inflate->context = context;
  inflate->state = between_blocks;
  inflate->is_last = false;
  inflate->stored = 0;
}

// MARK: - Bits, one byte at a time

static bool next_piece(nuke_inflate *s) {
  const uint8_t *bytes = NULL;
  size_t count = 0;
  if (s->source == NULL) return false;
  if (!s->source(s->context, &bytes, &count) || count == 0) {
    // The source is not called again: data after a gap would not continue the stream.
    s->source = NULL;
    return false;
  }
  s->input = bytes;
  s->input_end = bytes + count;
  return true;
}

// Reads until at least 56 bits are available, or the input ends.
static void fill(nuke_inflate *s) {
  while (s->bit_count < 56) {
    if (s->input == s->input_end && !next_piece(s)) return;
    s->bits |= (uint64_t)*s->input++ << s->bit_count;
    s->bit_count += 8;
  }
}

static bool has(nuke_inflate *s, uint32_t count) {
  if (s->bit_count < count) fill(s);
  return s->bit_count >= count;
}

static void drop(nuke_inflate *s, uint32_t count) {
  s->bits >>= count;
  s->bit_count -= count;
}

// Reads up to 32 bits, which must be available.
static uint32_t take(nuke_inflate *s, uint32_t count) {
  const uint32_t value = (uint32_t)(s->bits & ((UINT64_C(1) << count) - 1));
  drop(s, count);
  return value;
}

int nuke_inflate_byte(nuke_inflate *s) {
  drop(s, s->bit_count & 7);
  return has(s, 8) ? (int)take(s, 8) : -1;
}

bool nuke_inflate_is_at_end_of_piece(const nuke_inflate *s) { return s->bit_count < 8 && s->input == s->input_end; }

// MARK: - Blocks

static bool read_codes(nuke_inflate *s) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  if (!has(s, 14)) return false;
  const uint32_t literal_count = 257 + take(s, 5), distance_count = 1 + take(s, 5), length_count = 4 + take(s, 4);
  if (literal_count > 286 || distance_count > 30) return false;

  uint8_t lengths[286 + 30] = {0};
  for (uint32_t i = 0; i < length_count; i++) {
    if (!has(s, 3)) return false;
    lengths[order[i]] = (uint8_t)take(s, 3);
  }
  uint8_t codes[1 << nuke_length_code_bits];
  if (!nuke_build_length_codes(codes, lengths)) return false;

  memset(lengths, 0, 19);
  const uint32_t count = literal_count + distance_count;
  for (uint32_t i = 0; i < count;) {
    // A code of up to 7 bits and up to 7 extra bits. At the end of the input, fewer may be available.
    if (s->bit_count < 14) fill(s);
    const uint8_t code = codes[s->bits & ((1 << nuke_length_code_bits) - 1)];
    const uint32_t symbol = code >> 3, code_bits = code & 7;
    if (s->bit_count < code_bits) return false;
    drop(s, code_bits);
    if (symbol < 16) {
      lengths[i++] = (uint8_t)symbol;
      continue;
    }
    static const uint8_t extra_bits[3] = {2, 3, 7}, least[3] = {3, 3, 11};
    if (s->bit_count < extra_bits[symbol - 16]) return false;
    const uint32_t repeats = least[symbol - 16] + take(s, extra_bits[symbol - 16]);
    if (repeats > count - i || (symbol == 16 && i == 0)) return false;
    memset(lengths + i, symbol == 16 ? lengths[i - 1] : 0, repeats);
    i += repeats;
  }
  // Without an end-of-block code, the block could not end.
  if (lengths[256] == 0) return false;
  return nuke_build_literals(s->literals, lengths, literal_count) &&
         nuke_build_distances(s->distances, lengths + literal_count, distance_count);
}

static bool set_fixed_codes(nuke_inflate *s) {
  uint8_t lengths[288 + 32];
  memset(lengths, 8, 144);
  memset(lengths + 144, 9, 112);
  memset(lengths + 256, 7, 24);
  memset(lengths + 280, 8, 8);
  memset(lengths + 288, 5, 32);
  return nuke_build_literals(s->literals, lengths, 288) && nuke_build_distances(s->distances, lengths + 288, 32);
}

static int begin_block(nuke_inflate *s) {
  if (s->is_last) return behind_last_block;
  if (!has(s, 3)) return damaged;
  s->is_last = take(s, 1);
  switch (take(s, 2)) {
  case 0: {
    drop(s, s->bit_count & 7);
    if (!has(s, 32)) return damaged;
    const uint32_t count = take(s, 16);
    if (take(s, 16) != (count ^ 0xFFFF)) return damaged;
    s->stored = count;
    return in_stored_block;
  }
  case 1:
    return set_fixed_codes(s) ? in_compressed_block : damaged;
  case 2:
    return read_codes(s) ? in_compressed_block : damaged;
  default:
    return damaged;
  }
}

static int copy_stored(nuke_inflate *s, uint8_t **output, const uint8_t *limit) {
  uint8_t *out = *output;
  while (s->stored > 0 && out < limit) {
    // The bit buffer holds whole bytes here.
    if (s->bit_count > 0) {
      *out++ = (uint8_t)take(s, 8);
      s->stored--;
      continue;
    }
    if (s->input == s->input_end && !next_piece(s)) return damaged;
    size_t count = (size_t)(s->input_end - s->input);
    if (count > s->stored) count = s->stored;
    if (count > (size_t)(limit - out)) count = (size_t)(limit - out);
    memcpy(out, s->input, count);
    out += count;
    s->input += count;
    s->stored -= (uint32_t)count;
  }
  *output = out;
  return s->stored > 0 ? in_stored_block : between_blocks;
}

// MARK: - Codes

static inline uint64_t load64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

// Copies a match. Writes up to 15 bytes past its end.
static inline void copy_match(uint8_t *out, uint32_t distance, uint32_t length) {
  const uint8_t *from = out - distance;
  uint8_t *end = out + length;
  if (distance >= 16) {
    do {
      memcpy(out, from, 16);
      out += 16;
      from += 16;
    } while (out < end);
    return;
  }
  if (distance < 8) {
    // Short distances: copy single bytes until the repeated pattern spans 8 bytes.
    static const uint8_t spans[8] = {0, 8, 8, 9, 8, 10, 12, 14};
    const uint32_t first = spans[distance] - distance;
    for (uint32_t i = 0; i < first; i++) out[i] = from[i];
    out += first;
  }
  while (out < end) {
    memcpy(out, from, 8);
    out += 8;
    from += 8;
  }
}

// Returns the entry in the second-level table that a link refers to. `bits` begin with the code.
static inline uint64_t follow(const uint64_t *table, uint64_t link, uint64_t bits, uint32_t root) {
  return table[nuke_entry_value(link) + ((bits >> root) & ((1u << (15 - root)) - 1))];
}

static inline uint64_t look_up(const uint64_t *table, uint64_t bits, uint32_t root) {
  const uint64_t entry = table[bits & ((1u << root) - 1)];
  return nuke_entry_is(entry, nuke_entry_link) ? follow(table, entry, bits, root) : entry;
}

// Returns the length or distance of an entry, including its extra bits.
static inline uint32_t value_of(uint64_t entry, uint64_t bits) {
  const uint64_t codes = bits & ((UINT64_C(1) << nuke_entry_bits(entry)) - 1);
  return nuke_entry_value(entry) + (uint32_t)(codes >> nuke_entry_code_bits(entry));
}

// The bit buffer of the fast loop, in local variables.
#define REFILL()                        \
  do {                                  \
    bits |= load64(input) << bit_count; \
    input += (63 - bit_count) >> 3;     \
    bit_count |= 56;                    \
  } while (0)

#define DROP(entry)                       \
  do {                                    \
    bits >>= nuke_entry_bits(entry);      \
    bit_count -= nuke_entry_bits(entry);  \
  } while (0)

// The fast loop. Runs until the input piece or the output is almost used up.
static int run_fast(nuke_inflate *s, const uint8_t *history, uint8_t **output, const uint8_t *limit) {
  const uint8_t *input = s->input, *input_limit = s->input_end - 16;
  uint64_t bits = s->bits;
  uint32_t bit_count = s->bit_count;
  uint8_t *out = *output;
  int state = in_compressed_block;
  while (input <= input_limit && out < limit) {
    // At least 56 bits, of which a length takes up to 20 and a distance up to 28.
    REFILL();
    uint64_t entry = s->literals[bits & ((1u << nuke_inflate_literal_bits) - 1)];
    if (nuke_entry_is(entry, nuke_entry_link)) entry = follow(s->literals, entry, bits, nuke_inflate_literal_bits);
    nuke_store_literals(out, entry);
    out += nuke_entry_literals(entry);
    const uint64_t before = bits;
    DROP(entry);
    if (!(entry & (nuke_entry_match | nuke_entry_special))) continue;
    if (nuke_entry_is(entry, nuke_entry_special)) {
      state = nuke_entry_is(entry, nuke_entry_end) ? between_blocks : damaged;
      break;
    }
    const uint32_t length = value_of(entry, before);
    entry = look_up(s->distances, bits, nuke_inflate_distance_bits);
    const uint32_t distance = value_of(entry, bits);
    if (nuke_entry_is(entry, nuke_entry_special) || distance > (size_t)(out - history)) {
      state = damaged;
      break;
    }
    DROP(entry);
    copy_match(out, distance, length);
    out += length;
  }
  s->input = input;
  s->bit_count = bit_count;
  // The buffer may contain more bits than are counted. They are read again.
  s->bits = bits & ((UINT64_C(1) << bit_count) - 1);
  *output = out;
  return state;
}

// Decodes a single table entry, however little input is left.
static int step(nuke_inflate *s, const uint8_t *history, uint8_t **output) {
  fill(s);
  uint64_t entry = look_up(s->literals, s->bits, nuke_inflate_literal_bits);
  // The last code of the entry may consist of bits past the end of the input: then the stream is truncated.
  if (nuke_entry_bits(entry) > s->bit_count) return damaged;
  nuke_store_literals(*output, entry);
  *output += nuke_entry_literals(entry);
  const uint64_t before = s->bits;
  drop(s, nuke_entry_bits(entry));
  if (nuke_entry_is(entry, nuke_entry_special)) return nuke_entry_is(entry, nuke_entry_end) ? between_blocks : damaged;
  if (!nuke_entry_is(entry, nuke_entry_match)) return in_compressed_block;

  const uint32_t length = value_of(entry, before);
  fill(s);
  entry = look_up(s->distances, s->bits, nuke_inflate_distance_bits);
  if (nuke_entry_is(entry, nuke_entry_special) || nuke_entry_bits(entry) > s->bit_count) return damaged;
  const uint32_t distance = value_of(entry, s->bits);
  if (distance > (size_t)(*output - history)) return damaged;
  drop(s, nuke_entry_bits(entry));
  copy_match(*output, distance, length);
  *output += length;
  return in_compressed_block;
}

nuke_inflate_result nuke_inflate_run(
  nuke_inflate *s, const uint8_t *history, uint8_t **output, const uint8_t *limit) {
  while (*output < limit) {
    switch (s->state) {
    case between_blocks:
      s->state = begin_block(s);
      break;
    case in_stored_block:
      s->state = copy_stored(s, output, limit);
      break;
    case in_compressed_block:
      s->state = s->input_end - s->input >= 16 ? run_fast(s, history, output, limit) : step(s, history, output);
      break;
    case behind_last_block:
      return nuke_inflate_done;
    default:
      return nuke_inflate_failed;
    }
  }
  return nuke_inflate_full;
}
