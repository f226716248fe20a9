#include "jpeg_direct.h"

bool nuke_jpeg_make_codes(JPEGCodes *codes, const uint8_t *content, bool is_dc) {
  memset(codes->codes, 0, sizeof codes->codes);
  codes->count = 0;
  const uint8_t *symbols = content + 16;
  unsigned code = 0;
  for (unsigned length = 1; length <= 16; length++, code <<= 1) {
    const unsigned count = content[length - 1];
    codes->offset[length] = (int32_t)codes->count - (int32_t)code;
    for (unsigned i = 0; i < count; i++, code++, codes->count++) {
      const unsigned symbol = symbols[codes->count];
      // More codes than fit into this length would write past the end of the table.
      if (code >> length || (is_dc && symbol > 15)) return false;
      codes->symbols[codes->count] = (uint8_t)symbol;
      codes->lengths[codes->count] = (uint8_t)length;
      if (length > JPEGLookupBits) continue;
      const unsigned spare = JPEGLookupBits - length;
      uint16_t *const first = codes->codes + (code << spare);
      for (unsigned k = 0; k < 1u << spare; k++) first[k] = (uint16_t)(length << 8 | symbol);
    }
    codes->largest[length] = count > 0 ? (int32_t)code - 1 : -1;
    // The code of all ones is reserved (T.81, C.2).
    if (code >= 1u << length) return false;
  }
  return true;
}

// Returns the entry for a code and the additional bits after it (T.81, table F.1).
static JPEGEntry entry_of(unsigned index, unsigned code, unsigned advance) {
  const unsigned length = code >> 8, size = code & 15;
  if (length == 0 || length + size > JPEGEntryBits) return JPEGEntryTooLong;
  const int bits = (int)(index >> (JPEGEntryBits - length - size)) & ((1 << size) - 1);
  const int value = size > 0 && bits < 1 << (size - 1) ? bits + 1 - (1 << size) : bits;
  return (length + size) | advance << JPEGEntryAdvance | (JPEGEntry)(uint16_t)value << JPEGEntryValue;
}

static unsigned code_at(const JPEGCodes *codes, unsigned index) {
  return codes->codes[index << (JPEGLookupBits - JPEGEntryBits)];
}

void nuke_jpeg_make_dc_entries(JPEGEntry *entries, const JPEGCodes *codes) {
  for (unsigned i = 0; i < JPEGEntryCount; i++) entries[i] = entry_of(i, code_at(codes, i), 0) | JPEGEntryLeaves;
}

static bool is_end(unsigned symbol) { return (symbol & 15) == 0 && symbol != 0xF0; }

// Returns the length of the end-of-block code after `used` bits of an index; 0 if there is none.
static unsigned end_behind(const JPEGCodes *codes, unsigned index, unsigned used) {
  if (used >= JPEGEntryBits) return 0;
  const unsigned code = code_at(codes, index << used & (JPEGEntryCount - 1));
  return (code & 255) == 0 && used + (code >> 8) <= JPEGEntryBits ? code >> 8 : 0;
}

void nuke_jpeg_make_ac_entries(JPEGEntry *entries, const JPEGCodes *codes, bool long_ends) {
  for (unsigned i = 0; i < JPEGEntryCount; i++) {
    const unsigned code = code_at(codes, i), symbol = code & 255;
    if (is_end(symbol)) {
      // The end-of-block code alone, stored as a zero coefficient.
      entries[i] = long_ends && symbol ? JPEGEntryTooLong : entry_of(i, code, 1) | JPEGEntryLeaves;
    } else {
      entries[i] = entry_of(i, code, (symbol >> 4) + 1);
      const unsigned end = symbol & 15 ? end_behind(codes, i, entries[i] & 63) : 0;
      if (end > 0 && entries[i] != JPEGEntryTooLong) entries[i] += end | JPEGEntryLeaves;
    }
  }
}

// A code with its additional bits, followed by every combination of codes that fits into the remaining bits.
static void join_groups(JPEGEntry *entries, const JPEGEntry *rests, unsigned count, unsigned used, unsigned advance) {
  for (unsigned i = 0; i < count; i++) {
    const unsigned joined = (rests[i] >> JPEGEntryAdvance & 127) + advance;
    // 63 coefficients would end the block without an end-of-block code.
    entries[i] = (joined < 63 ? rests[i] : 0) + (used | advance << JPEGEntryAdvance);
  }
}

void nuke_jpeg_make_ac_groups(JPEGEntry *entries, const JPEGCodes *codes) {
  // The groups of n remaining bits begin at index 1 << n. They are what may follow the first coefficient.
  JPEGEntry shorter[JPEGEntryCount] = {0};
  memset(entries, 0, JPEGEntryCount * sizeof *entries);
  for (unsigned bits = 1; bits <= JPEGEntryBits; bits++) {
    JPEGEntry *these = bits == JPEGEntryBits ? entries : shorter + (1u << bits);
    for (unsigned i = 0; i < codes->count && codes->lengths[i] <= bits; i++) {
      const unsigned length = codes->lengths[i], symbol = codes->symbols[i], used = length + (symbol & 15);
      const unsigned advance = (symbol >> 4) + 1, span = 1u << (bits - length);
      if (is_end(symbol)) {
        for (unsigned k = 0; k < span; k++) these[k] = length | JPEGEntryLeaves;
      } else if (used <= bits) {
        const unsigned count = 1u << (bits - used);
        for (unsigned k = 0; k < span; k += count) join_groups(these + k, shorter + count, count, used, advance);
      } else if (bits == JPEGEntryBits && used <= JPEGEntryLimit) {
        for (unsigned k = 0; k < span; k++) these[k] = used | advance << JPEGEntryAdvance;
      }
      these += span;
    }
  }
  for (unsigned i = 0; i < JPEGEntryCount; i++) {
    if (entries[i] == 0) entries[i] = JPEGEntryTooLong;
  }
}
