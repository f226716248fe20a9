#include "inflate_tables.h"

enum { max_bits = 15 };

// The symbols in the order of their codes, and the number of codes of each length.
struct code {
  uint16_t counts[max_bits + 1];
  uint16_t symbols[288];
  uint32_t symbol_count;
  // Returns the unused part of the code space, in units of 1 / (1 << max_bits); negative if over-subscribed.
  int32_t left;
};

static void sort_symbols(struct code *code, const uint8_t *lengths, uint32_t count) {
  memset(code->counts, 0, sizeof code->counts);
  for (uint32_t i = 0; i < count; i++) code->counts[lengths[i]]++;
  uint16_t next[max_bits + 1];
  uint32_t sum = 0;
  code->left = 1 << max_bits;
  for (uint32_t bits = 1; bits <= max_bits; bits++) {
    next[bits] = (uint16_t)sum;
    sum += code->counts[bits];
    code->left -= code->counts[bits] << (max_bits - bits);
  }
  code->symbol_count = sum;
  for (uint32_t i = 0; i < count; i++) {
    if (lengths[i] > 0) code->symbols[next[lengths[i]]++] = (uint16_t)i;
  }
}

static bool is_complete(const struct code *code) {
  if (code->left == 0) return true;
  return code->left > 0 && code->symbol_count == 1 && code->counts[1] == 1;
}

// Returns the next code of `bits` bits. Codes are bit-reversed, as in the stream.
static uint32_t next_code(uint32_t code, uint32_t bits) {
  const uint32_t zeros = code ^ ((1u << bits) - 1);
  if (zeros == 0) return 0;
  const uint32_t highest = 1u << (31 - __builtin_clz(zeros));
  return (code & (highest - 1)) | highest;
}

static uint64_t with_bits(uint64_t entry, uint32_t bits) {
  return entry + (nuke_entry_is(entry, nuke_entry_special) ? bits : bits | bits << nuke_entry_code_shift);
}

// Fills the table from the entry of each symbol, which lacks the bits of its code.
static void fill_table(uint64_t *table, uint32_t root, const struct code *code, const uint64_t *entries) {
  uint32_t value = 0, symbol = 0, bits = 1;
  // Entries for incomplete codes. A complete code overwrites all of them.
  table[0] = table[1] = nuke_entry_special;
  // The table for the codes so far. It is doubled for each additional bit.
  for (; bits <= root; bits++) {
    for (uint32_t i = 0; i < code->counts[bits]; i++) {
      table[value] = with_bits(entries[code->symbols[symbol++]], bits);
      value = next_code(value, bits);
    }
    if (bits < root) memcpy(table + ((size_t)1 << bits), table, sizeof *table << bits);
  }

  const uint32_t more = max_bits - root;
  uint32_t end = 1u << root, prefix = UINT32_MAX, start = 0;
  for (; bits <= max_bits; bits++) {
    for (uint32_t i = 0; i < code->counts[bits]; i++) {
      if ((value & ((1u << root) - 1)) != prefix) {
        prefix = value & ((1u << root) - 1);
        start = end;
        end += 1u << more;
        table[prefix] = nuke_entry_link | start << nuke_entry_value_shift;
      }
      const uint64_t entry = with_bits(entries[code->symbols[symbol++]], bits);
      for (uint32_t k = value >> root; k < 1u << more; k += 1u << (bits - root)) table[start + k] = entry;
      value = next_code(value, bits);
    }
  }
}

// Combines up to three literals and the following length into one entry, if their codes fit into one lookup.
static void join_literals(uint64_t *table) {
  // The rest of the index is smaller than the index itself, so that the entry it refers to is not combined yet.
  for (uint32_t i = (1u << nuke_inflate_literal_bits) - 1; i > 0; i--) {
    const uint64_t first = table[i];
    if (nuke_entry_literals(first) == 0) continue;
    uint32_t bits = nuke_entry_bits(first), count = 1;
    uint64_t literals = first >> nuke_entry_literal_shift, match = 0;
    while (bits < nuke_inflate_literal_bits) {
      const uint64_t next = table[i >> bits];
      if (nuke_entry_is(next, nuke_entry_special)) break;
      const uint32_t both = bits + nuke_entry_code_bits(next);
      if (both > nuke_inflate_literal_bits) break;
      if (nuke_entry_is(next, nuke_entry_match)) {
        match = next + bits + (bits << nuke_entry_code_shift);
        break;
      }
      if (count == 3) break;
      literals |= next >> nuke_entry_literal_shift << 8 * count;
      count++;
      bits = both;
    }
    const uint64_t codes = match ? match : bits | bits << nuke_entry_code_shift;
    table[i] = codes | count * nuke_entry_one_literal | literals << nuke_entry_literal_shift;
  }
}

bool nuke_build_literals(uint64_t *table, const uint8_t *lengths, uint32_t count) {
  // RFC 1951, 3.2.5.
  static const uint16_t least[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  struct code code;
  sort_symbols(&code, lengths, count);
  if (!is_complete(&code)) return false;
  uint64_t entries[288];
  for (uint32_t i = 0; i < 256; i++) {
    entries[i] = (uint64_t)i << nuke_entry_literal_shift | nuke_entry_one_literal;
  }
  entries[256] = nuke_entry_end;
  for (uint32_t i = 0; i < 29; i++) {
    entries[257 + i] = (uint64_t)least[i] << nuke_entry_value_shift | nuke_entry_match | extra[i];
  }
  entries[286] = entries[287] = nuke_entry_special;
  fill_table(table, nuke_inflate_literal_bits, &code, entries);
  join_literals(table);
  return true;
}

bool nuke_build_distances(uint64_t *table, const uint8_t *lengths, uint32_t count) {
  static const uint16_t least[30] = {1,    2,    3,    4,    5,    7,    9,    13,   17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,  513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  struct code code;
  sort_symbols(&code, lengths, count);
  if (code.symbol_count > 0 && !is_complete(&code)) return false;
  uint64_t entries[32];
  for (uint32_t i = 0; i < 30; i++) {
    entries[i] = (uint64_t)least[i] << nuke_entry_value_shift | nuke_entry_match | (i < 4 ? 0 : i / 2 - 1);
  }
  entries[30] = entries[31] = nuke_entry_special;
  fill_table(table, nuke_inflate_distance_bits, &code, entries);
  return true;
}

bool nuke_build_length_codes(uint8_t *table, const uint8_t *lengths) {
  struct code code;
  sort_symbols(&code, lengths, 19);
  if (code.left != 0) return false;
  uint32_t value = 0, symbol = 0;
  for (uint32_t bits = 1; bits <= nuke_length_code_bits; bits++) {
    for (uint32_t i = 0; i < code.counts[bits]; i++) {
      const uint8_t entry = (uint8_t)(code.symbols[symbol++] << 3 | bits);
      for (uint32_t k = value; k < 1u << nuke_length_code_bits; k += 1u << bits) table[k] = entry;
      value = next_code(value, bits);
    }
  }
  return true;
}
