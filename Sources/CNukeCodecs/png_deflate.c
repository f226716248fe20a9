#include "png_symbols.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { longest_stored = 65535 };

struct nuke_png_deflate {
  nuke_png_search search;
  struct nuke_png_symbols symbols;
  // The code of each literal and of each length, with its extra bits.
  struct bits codes[first_match + longest_match + 1];
  // The stream between two pieces: its last bits, which do not fill a byte, and the checksum.
  struct bits rest;
  uint32_t checksum;
  bool has_header;
};

// MARK: - Blocks

static void align(struct output *output) {
  output->count = (output->count + 7) & ~7u;
  flush(output);
}

static void write_stored(struct output *output, const uint8_t *bytes, size_t count, bool is_last) {
  do {
    const size_t part = count < longest_stored ? count : longest_stored;
    count -= part;
    put(output, is_last && count == 0, 1);
    put(output, 0, 2);
    align(output);
    put(output, (uint32_t)part, 16);
    put(output, (uint32_t)~part & 0xFFFF, 16);
    flush(output);
    memcpy(output->bytes, bytes, part);
    output->bytes += part;
    bytes += part;
  } while (count > 0);
}

// Returns the number of bits of a block.
static size_t measure(const struct nuke_png_symbols *symbols, const struct nuke_png_codes *codes) {
  size_t bits = nuke_png_write_code_lengths(&codes->lengths, NULL);
  for (int i = 0; i < literal_count; i++) bits += (size_t)symbols->literals[i] * codes->literals[i].count;
  for (int i = 265; i < 285; i++) bits += (size_t)symbols->literals[i] * (uint32_t)((i - 261) / 4);
  for (int i = 0; i < distance_count; i++) {
    const uint32_t extra = i < 4 ? 0 : (uint32_t)(i / 2 - 1);
    bits += (size_t)symbols->distances[i] * (codes->distances[i].count + extra);
  }
  return bits;
}

static inline void put_code(const nuke_png_deflate *deflate, uint32_t symbol, struct output *output) {
  const struct bits code = deflate->codes[symbol & ((1u << distance_shift) - 1)];
  put(output, code.value, code.count);
}

// Writes a literal or a match, of at most 48 bits.
static inline void put_symbol(
  const nuke_png_deflate *deflate, const struct bits *distances, uint32_t symbol, struct output *output) {
  const uint32_t distance = symbol >> distance_shift;
  put_code(deflate, symbol, output);
  if (distance == 0) return flush(output);
  uint32_t extra, extra_count;
  const struct bits far = distances[distance_code(distance, &extra, &extra_count)];
  put(output, far.value | extra << far.count, far.count + extra_count);
  flush(output);
}

// Writes a block of the collected symbols, which represent `count` bytes.
static void write_block(
  nuke_png_deflate *deflate, struct output *output, const uint8_t *bytes, size_t count, bool is_last) {
  struct nuke_png_symbols *symbols = &deflate->symbols;
  symbols->literals[end_of_block] = 1;
  struct nuke_png_codes codes;
  nuke_png_make_codes(&codes, symbols->literals, symbols->distances);
  if (measure(symbols, &codes) / 8 >= count) {
    write_stored(output, bytes, count, is_last);
  } else {
    memcpy(deflate->codes, codes.literals, sizeof(struct bits) * first_match);
    for (int length = shortest_match; length <= longest_match; length++) {
      uint32_t extra, extra_count;
      const struct bits code = codes.literals[length_code(length, &extra, &extra_count)];
      deflate->codes[first_match + length] =
        (struct bits){.value = code.value | extra << code.count, .count = code.count + extra_count};
    }
    put(output, is_last, 1);
    put(output, 2, 2);
    nuke_png_write_code_lengths(&codes.lengths, output);
    flush(output);
    for (size_t i = 0; i < symbols->count; i++) {
      const uint32_t one = symbols->symbols[i], other = i + 1 < symbols->count ? symbols->symbols[i + 1] : UINT32_MAX;
      if ((one | other) >> distance_shift > 0) {
        put_symbol(deflate, codes.distances, one, output);
        continue;
      }
      // Two literals fit.
      put_code(deflate, one, output);
      put_code(deflate, other, output);
      flush(output);
      i++;
    }
    put(output, codes.literals[end_of_block].value, codes.literals[end_of_block].count);
    flush(output);
  }
  symbols->count = 0;
  memset(symbols->literals, 0, sizeof symbols->literals);
  memset(symbols->distances, 0, sizeof symbols->distances);
}

// MARK: - Streams

nuke_png_deflate *nuke_png_deflate_create(void) { return calloc(1, sizeof(nuke_png_deflate)); }

void nuke_png_deflate_free(nuke_png_deflate *deflate) { free(deflate); }

size_t nuke_png_deflate_bound(size_t count) {
  // Each block is stored if that is shorter, with a header of five bytes. The stream header, the checksum and a flush
  // take 14 more.
  return count + 5 * (count / longest_stored + count / block_symbols + 2) + 32;
}

void nuke_png_deflate_start(nuke_png_deflate *deflate, nuke_png_search search) {
  deflate->search = search;
  if (deflate->search.candidates > most_candidates) deflate->search.candidates = most_candidates;
  deflate->rest = (struct bits){0};
  deflate->checksum = 1;
  deflate->has_header = false;
}

static void put_header(nuke_png_deflate *deflate, struct output *output) {
  // DEFLATE with the largest window, or the smallest one if all distances are one byte (RFC 1950, 2.2).
  const bool is_large = deflate->search.step > 0;
  put(output, is_large ? 0x78 : 0x08, 8);
  put(output, is_large ? 0x01 : 0x1D, 8);
  flush(output);
  deflate->has_header = true;
}

static size_t find(
  struct nuke_png_symbols *symbols, const nuke_png_search *search, const uint8_t *bytes, size_t start, size_t count) {
  return search->step == 0          ? nuke_png_find_runs(symbols, bytes, start, count)
         : search->nice_length == 0 ? nuke_png_find_pixels(symbols, search, bytes, start, count)
                                    : nuke_png_select_pixels(symbols, search, bytes, start, count);
}

size_t nuke_png_deflate_write(
  nuke_png_deflate *deflate, const uint8_t *bytes, size_t count, bool is_last, uint8_t *output, size_t room) {
  if (room < nuke_png_deflate_bound(count)) return 0;
  struct output out = {.bytes = output, .bits = deflate->rest.value, .count = deflate->rest.count};
  if (!deflate->has_header) put_header(deflate, &out);
  size_t start = 0;
  do {
    const size_t end = find(&deflate->symbols, &deflate->search, bytes, start, count);
    write_block(deflate, &out, bytes + start, end - start, is_last && end == count);
    start = end;
  } while (start < count);
  deflate->checksum = libdeflate_adler32(deflate->checksum, bytes, count);
  if (is_last) {
    align(&out);
    for (int shift = 24; shift >= 0; shift -= 8) *out.bytes++ = (uint8_t)(deflate->checksum >> shift);
  }
  deflate->rest = (struct bits){.value = (uint32_t)out.bits, .count = out.count};
  return (size_t)(out.bytes - output);
}

size_t nuke_png_deflate_compress(
  nuke_png_deflate *deflate, nuke_png_search search, const uint8_t *bytes, size_t count, uint8_t *output,
  size_t room) {
  nuke_png_deflate_start(deflate, search);
  return nuke_png_deflate_write(deflate, bytes, count, true, output, room);
}
