#include "png_huffman.h"

#include <stdlib.h>
#include <string.h>

enum { longest_length_code = 7 };

// MARK: - Codes

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

// MARK: - Code lengths

static const uint8_t length_order[length_count] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
static const uint8_t length_extra_bits[length_count] = {[16] = 2, [17] = 3, [18] = 7};

static void describe(struct nuke_png_code_lengths *lengths, const uint8_t *literals, const uint8_t *distances) {
  lengths->literals = literal_count;
  while (literals[lengths->literals - 1] == 0) lengths->literals--;
  lengths->distances = distance_count;
  while (distances[lengths->distances - 1] == 0) lengths->distances--;
  uint8_t all[literal_count + distance_count];
  memcpy(all, literals, (size_t)lengths->literals);
  memcpy(all + lengths->literals, distances, (size_t)lengths->distances);
  const int count = lengths->literals + lengths->distances;
  uint32_t frequencies[length_count] = {0};
  lengths->symbol_count = 0;
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
    lengths->symbols[lengths->symbol_count] = (uint8_t)symbol;
    lengths->extra[lengths->symbol_count++] = (uint8_t)extra;
    frequencies[symbol]++;
    i += run;
  }
  find_lengths(frequencies, length_count, longest_length_code, lengths->lengths);
}

size_t nuke_png_write_code_lengths(const struct nuke_png_code_lengths *lengths, struct output *output) {
  struct bits codes[length_count];
  find_codes(lengths->lengths, length_count, codes);
  int count = length_count;
  while (count > 4 && lengths->lengths[length_order[count - 1]] == 0) count--;
  size_t bits = 3 + 14 + 3 * (size_t)count;
  for (int i = 0; i < lengths->symbol_count; i++) {
    bits += codes[lengths->symbols[i]].count + length_extra_bits[lengths->symbols[i]];
  }
  if (output == NULL) return bits;
  put(output, (uint32_t)(lengths->literals - 257), 5);
  put(output, (uint32_t)(lengths->distances - 1), 5);
  put(output, (uint32_t)(count - 4), 4);
  flush(output);
  for (int i = 0; i < count; i++) {
    put(output, lengths->lengths[length_order[i]], 3);
    flush(output);
  }
  for (int i = 0; i < lengths->symbol_count; i++) {
    const int symbol = lengths->symbols[i];
    put(output, codes[symbol].value, codes[symbol].count);
    put(output, lengths->extra[i], length_extra_bits[symbol]);
    flush(output);
  }
  return bits;
}

// MARK: - All codes of a block

void nuke_png_make_codes(
  struct nuke_png_codes *codes, const uint32_t *literal_frequencies, const uint32_t *distance_frequencies) {
  uint8_t literals[literal_count], distances[distance_count];
  find_lengths(literal_frequencies, literal_count, longest_code, literals);
  find_lengths(distance_frequencies, distance_count, longest_code, distances);
  find_codes(literals, literal_count, codes->literals);
  find_codes(distances, distance_count, codes->distances);
  describe(&codes->lengths, literals, distances);
}
