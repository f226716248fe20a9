#include "png_runs.h"

#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  // The number of symbols of a block. Each block has its own codes.
  block_symbols = 49152,
  shortest_run = 3,
  longest_run = 258,
  // Values up to 255 are literals, and higher ones are runs by their length.
  first_run = 256,
  symbol_count = first_run + longest_run + 1,

  // The alphabets of RFC 1951, 3.2.5 to 3.2.7.
  end_of_block = 256,
  first_length = 257,
  literal_count = 286,
  // Only distance 1 is used. A second, unused code makes the set of codes complete.
  distance_count = 2,
  length_count = 19,
  longest_code = 15,
  longest_length_code = 7,
  longest_stored = 65535,
};

// Bits in the order in which they are written, least significant first, and their number.
struct bits {
  uint32_t value;
  uint32_t count;
};

struct nuke_png_runs {
  uint16_t symbols[block_symbols];
  size_t symbol_count;
  uint32_t frequencies[literal_count];
  // The code of each symbol.
  struct bits codes[symbol_count];
  // The stream between two pieces: its last bits, which do not fill a byte, and the checksum.
  struct bits rest;
  uint32_t checksum;
  bool has_header;
};

// Returns the code for the length of a run, and its extra bits.
static int length_code(int length, uint32_t *extra, uint32_t *extra_count) {
  *extra = *extra_count = 0;
  if (length == longest_run) return 285;
  const int offset = length - shortest_run;
  if (offset < 8) return first_length + offset;
  const int exponent = 31 - __builtin_clz((unsigned)offset) - 2;
  *extra_count = (uint32_t)exponent;
  *extra = (uint32_t)offset & ((1u << exponent) - 1);
  return first_length + (exponent << 2) + (offset >> exponent);
}

// MARK: - Bits

struct output {
  uint8_t *bytes;
  uint64_t bits;
  uint32_t count;
};

// At most 57 bits can wait for the next flush.
static inline void put(struct output *output, uint32_t value, uint32_t count) {
  output->bits |= (uint64_t)value << output->count;
  output->count += count;
}

// Writes complete bytes. Up to eight bytes are overwritten.
static inline void flush(struct output *output) {
  for (int i = 0; i < 8; i++) output->bytes[i] = (uint8_t)(output->bits >> 8 * i);
  output->bytes += output->count >> 3;
  output->bits >>= output->count & ~7u;
  output->count &= 7;
}

static void align(struct output *output) {
  output->count = (output->count + 7) & ~7u;
  flush(output);
}

// MARK: - Huffman codes

static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

// Counts the codes of each length. `weights` are sorted in ascending order, and there are at least two.
static void count_lengths(const uint64_t *weights, int count, int limit, int *counts) {
  // The leaves, followed by the nodes, which are created in the order of their weights.
  uint64_t sums[2 * literal_count];
  int parents[2 * literal_count], depths[2 * literal_count];
  for (int i = 0; i < count; i++) sums[i] = weights[i];
  int leaf = 0, node = count;
  for (int made = count; made < 2 * count - 1; made++) {
    sums[made] = 0;
    for (int child = 0; child < 2; child++) {
      const int taken = leaf < count && (node >= made || sums[leaf] <= sums[node]) ? leaf++ : node++;
      sums[made] += sums[taken];
      parents[taken] = made;
    }
  }
  const int root = 2 * count - 2;
  depths[root] = 0;
  for (int i = 0; i <= limit; i++) counts[i] = 0;
  int64_t excess = -(INT64_C(1) << limit);
  for (int i = root - 1; i >= 0; i--) {
    depths[i] = depths[parents[i]] + 1;
    if (i >= count) continue;
    const int length = depths[i] < limit ? depths[i] : limit;
    counts[length]++;
    excess += INT64_C(1) << (limit - length);
  }
  // Codes that were limited in length exceed the available code space, in units of the longest code. Each step moves
  // one of them next to a shorter one, which saves one unit.
  for (; excess > 0; excess--) {
    int length = limit - 1;
    while (counts[length] == 0) length--;
    counts[length]--;
    counts[length + 1] += 2;
    counts[limit]--;
  }
}

// Computes the code lengths of an alphabet, 0 for unused symbols. There are always at least two codes.
static void find_lengths(const uint32_t *frequencies, int count, int limit, uint8_t *lengths) {
  uint64_t used[literal_count], weights[literal_count];
  int number = 0;
  for (int i = 0; i < count; i++) {
    if (frequencies[i] > 0) used[number++] = (uint64_t)frequencies[i] << 16 | (uint64_t)i;
  }
  for (int i = 0; number < 2; i++) {
    if (frequencies[i] == 0) used[number++] = (uint64_t)i;
  }
  qsort(used, (size_t)number, sizeof *used, compare);
  for (int i = 0; i < number; i++) weights[i] = used[i] >> 16;
  int counts[longest_code + 1];
  count_lengths(weights, number, limit, counts);
  memset(lengths, 0, (size_t)count);
  for (int length = limit, i = 0; length > 0; length--) {
    for (int k = 0; k < counts[length]; k++, i++) lengths[used[i] & 0xFFFF] = (uint8_t)length;
  }
}

// Computes the codes from their lengths (RFC 1951, 3.2.2), in the order in which they are written.
static void find_codes(const uint8_t *lengths, int count, struct bits *codes) {
  uint32_t next[longest_code + 2] = {0}, code = 0;
  for (int i = 0; i < count; i++) next[lengths[i] + 1]++;
  next[1] = 0;
  for (int length = 1; length <= longest_code; length++) {
    code = (code + next[length]) << 1;
    next[length] = code;
  }
  for (int i = 0; i < count; i++) {
    codes[i] = (struct bits){.count = lengths[i]};
    if (lengths[i] == 0) continue;
    const uint32_t value = next[lengths[i]]++;
    for (int bit = 0; bit < lengths[i]; bit++) codes[i].value |= (value >> bit & 1) << (lengths[i] - 1 - bit);
  }
}

// MARK: - Blocks

// The lengths of all codes, with runs of lengths as separate symbols (RFC 1951, 3.2.7).
struct header {
  uint8_t symbols[literal_count + distance_count], extra[literal_count + distance_count];
  int symbol_count, literals;
  uint8_t lengths[length_count];
};

static const uint8_t length_order[length_count] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
static const uint8_t length_extra_bits[length_count] = {[16] = 2, [17] = 3, [18] = 7};

static void make_header(struct header *header, const uint8_t *literals, const uint8_t *distances) {
  header->literals = literal_count;
  while (literals[header->literals - 1] == 0) header->literals--;
  uint8_t all[literal_count + distance_count];
  memcpy(all, literals, (size_t)header->literals);
  memcpy(all + header->literals, distances, distance_count);
  const int count = header->literals + distance_count;
  uint32_t frequencies[length_count] = {0};
  header->symbol_count = 0;
  for (int i = 0; i < count;) {
    int run = 1;
    while (i + run < count && all[i + run] == all[i]) run++;
    int symbol = all[i], extra = 0;
    if (all[i] == 0 && run >= 3) {
      if (run > 138) run = 138;
      symbol = run < 11 ? 17 : 18;
      extra = run - (run < 11 ? 3 : 11);
    } else if (i > 0 && all[i - 1] == all[i] && run >= 3) {
      if (run > 6) run = 6;
      symbol = 16;
      extra = run - 3;
    } else {
      run = 1;
    }
    header->symbols[header->symbol_count] = (uint8_t)symbol;
    header->extra[header->symbol_count++] = (uint8_t)extra;
    frequencies[symbol]++;
    i += run;
  }
  find_lengths(frequencies, length_count, longest_length_code, header->lengths);
}

// Returns the number of bits of a header, and writes it if there is an output.
static size_t write_header(const struct header *header, struct output *output) {
  struct bits codes[length_count];
  find_codes(header->lengths, length_count, codes);
  int count = length_count;
  while (count > 4 && header->lengths[length_order[count - 1]] == 0) count--;
  size_t bits = 3 + 14 + 3 * (size_t)count;
  for (int i = 0; i < header->symbol_count; i++) {
    bits += codes[header->symbols[i]].count + length_extra_bits[header->symbols[i]];
  }
  if (output == NULL) return bits;
  put(output, (uint32_t)(header->literals - 257), 5);
  put(output, distance_count - 1, 5);
  put(output, (uint32_t)(count - 4), 4);
  flush(output);
  for (int i = 0; i < count; i++) {
    put(output, header->lengths[length_order[i]], 3);
    flush(output);
  }
  for (int i = 0; i < header->symbol_count; i++) {
    const int symbol = header->symbols[i];
    put(output, codes[symbol].value, codes[symbol].count);
    put(output, header->extra[i], length_extra_bits[symbol]);
    flush(output);
  }
  return bits;
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

// Writes a block of the collected symbols, which represent `count` bytes.
static void write_block(
  nuke_png_runs *runs, struct output *output, const uint8_t *bytes, size_t count, bool is_last) {
  runs->frequencies[end_of_block] = 1;
  uint8_t literals[literal_count];
  const uint8_t distances[distance_count] = {1, 1};
  struct header header;
  struct bits codes[literal_count];
  find_lengths(runs->frequencies, literal_count, longest_code, literals);
  find_codes(literals, literal_count, codes);
  make_header(&header, literals, distances);

  memcpy(runs->codes, codes, sizeof(struct bits) * 256);
  size_t bits = write_header(&header, NULL) + codes[end_of_block].count;
  for (int i = 0; i < literal_count; i++) bits += (size_t)runs->frequencies[i] * codes[i].count;
  for (int length = shortest_run; length <= longest_run; length++) {
    uint32_t extra, extra_count;
    const struct bits code = codes[length_code(length, &extra, &extra_count)];
    // They are followed by the code of distance 1, which is a single 0.
    runs->codes[first_run + length] =
      (struct bits){.value = code.value | extra << code.count, .count = code.count + extra_count + 1};
  }
  for (int i = 265; i < 285; i++) bits += (size_t)runs->frequencies[i] * (uint32_t)((i - 261) / 4);
  for (int i = first_length; i < literal_count; i++) bits += runs->frequencies[i];

  if (bits / 8 >= count) {
    write_stored(output, bytes, count, is_last);
  } else {
    put(output, is_last, 1);
    put(output, 2, 2);
    write_header(&header, output);
    flush(output);
    size_t i = 0;
    for (; i + 2 <= runs->symbol_count; i += 2) {
      const struct bits one = runs->codes[runs->symbols[i]], other = runs->codes[runs->symbols[i + 1]];
      put(output, one.value, one.count);
      put(output, other.value, other.count);
      flush(output);
    }
    for (; i < runs->symbol_count; i++) {
      put(output, runs->codes[runs->symbols[i]].value, runs->codes[runs->symbols[i]].count);
    }
    put(output, codes[end_of_block].value, codes[end_of_block].count);
    flush(output);
  }
  runs->symbol_count = 0;
  memset(runs->frequencies, 0, sizeof runs->frequencies);
}

// MARK: - Streams

nuke_png_runs *nuke_png_runs_create(void) { return calloc(1, sizeof(nuke_png_runs)); }

void nuke_png_runs_free(nuke_png_runs *runs) { free(runs); }

size_t nuke_png_runs_bound(size_t count) {
  // Each block is stored if that is shorter, with a header of five bytes. The stream header, the checksum and a flush
  // take 14 more.
  return count + 5 * (count / longest_stored + count / block_symbols + 2) + 32;
}

void nuke_png_runs_start(nuke_png_runs *runs) {
  runs->rest = (struct bits){0};
  runs->checksum = 1;
  runs->has_header = false;
}

size_t nuke_png_runs_write(
  nuke_png_runs *runs, const uint8_t *bytes, size_t count, bool is_last, uint8_t *output, size_t room) {
  if (room < nuke_png_runs_bound(count)) return 0;
  struct output out = {.bytes = output, .bits = runs->rest.value, .count = runs->rest.count};
  if (!runs->has_header) {
    // DEFLATE with the smallest window (RFC 1950, 2.2): all distances are one byte.
    put(&out, 0x08, 8);
    put(&out, 0x1D, 8);
    flush(&out);
    runs->has_header = true;
  }
  size_t start = 0;
  for (size_t i = 0; i < count;) {
    if (runs->symbol_count == block_symbols) {
      write_block(runs, &out, bytes + start, i - start, false);
      start = i;
    }
    const uint8_t byte = bytes[i];
    size_t run = 0;
    if (i > 0 && byte == bytes[i - 1]) {
      const size_t most = count - i < longest_run ? count - i : longest_run;
      run = 1;
      while (run < most && bytes[i + run] == byte) run++;
    }
    if (run < shortest_run) {
      runs->symbols[runs->symbol_count++] = byte;
      runs->frequencies[byte]++;
      i++;
    } else {
      uint32_t extra, extra_count;
      runs->symbols[runs->symbol_count++] = (uint16_t)(first_run + run);
      runs->frequencies[length_code((int)run, &extra, &extra_count)]++;
      i += run;
    }
  }
  write_block(runs, &out, bytes + start, count - start, is_last);
  runs->checksum = libdeflate_adler32(runs->checksum, bytes, count);
  if (is_last) {
    align(&out);
    for (int shift = 24; shift >= 0; shift -= 8) *out.bytes++ = (uint8_t)(runs->checksum >> shift);
  }
  runs->rest = (struct bits){.value = (uint32_t)out.bits, .count = out.count};
  return (size_t)(out.bytes - output);
}

size_t nuke_png_runs_compress(
  nuke_png_runs *runs, const uint8_t *bytes, size_t count, uint8_t *output, size_t room) {
  nuke_png_runs_start(runs);
  return nuke_png_runs_write(runs, bytes, count, true, output, room);
}
