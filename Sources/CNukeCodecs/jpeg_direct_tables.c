#include "jpeg_direct.h"

// A single code followed by `size` bits, as an entry of `values`.
static uint32_t entry(unsigned index, unsigned length, unsigned advance, unsigned size) {
  const uint32_t steps = advance << JPEGEntryAdvance;
  if (length + size > JPEGLookupBits) return length | JPEGEntryLong | steps | size << JPEGEntryValue;
  int value = 0;
  if (size > 0) {
    value = (int)(index >> (JPEGLookupBits - length - size)) & ((1 << size) - 1);
    if (value < 1 << (size - 1)) value += 1 - (1 << size);
  }
  return (length + size) | steps | (uint32_t)(uint16_t)value << JPEGEntryValue;
}

static bool make_codes(JPEGTable *table, const uint8_t *content, bool is_dc) {
  memset(table->codes, 0, sizeof table->codes);
  memset(table->symbols, 0, sizeof table->symbols);
  table->end_length = 0;
  const uint8_t *symbols = content + 16;
  unsigned code = 0, index = 0;
  for (unsigned length = 1; length <= 16; length++, code <<= 1) {
    const unsigned count = content[length - 1];
    table->offset[length] = (int32_t)index - (int32_t)code;
    for (unsigned i = 0; i < count; i++, code++, index++) {
      const unsigned symbol = symbols[index];
      if (is_dc && symbol > 15) return false;
      table->symbols[index] = (uint8_t)symbol;
      if (length > JPEGLookupBits) continue;
      if (!is_dc && symbol == 0) table->end_length = length;
      const unsigned spare = JPEGLookupBits - length;
      // More codes than there can be would lead past the end.
      if (code >> length) return false;
      for (unsigned k = 0; k < 1u << spare; k++) {
        table->codes[(code << spare) + k] = (uint16_t)(length << 8 | symbol);
      }
    }
    table->largest[length] = count > 0 ? (int32_t)code - 1 : -1;
    // No code is all ones.
    if (count > 0 && code >= 1u << length) return false;
  }
  return true;
}

bool nuke_jpeg_make_table(JPEGTable *table, const uint8_t *content, JPEGTableKind kind) {
  const bool is_dc = kind == JPEGTableDC;
  if (!make_codes(table, content, is_dc)) return false;
  for (unsigned index = 0; index < JPEGLookupCount; index++) {
    const unsigned length = table->codes[index] >> 8, symbol = table->codes[index] & 255;
    if (length == 0 || (kind == JPEGTableProgressive && (symbol & 15) == 0 && symbol != 0 && symbol != 0xF0)) {
      table->values[index] = JPEGEntryLong;
    } else if (is_dc) {
      table->values[index] = entry(index, length, 0, symbol);
    } else if ((symbol & 15) == 0) {
      // Sixteen zeros, or the end, which takes the place of a zero.
      const bool is_end = symbol != 0xF0;
      table->values[index] = length | (is_end ? JPEGEntryEnd | 65 << JPEGEntryAdvance : 16 << JPEGEntryAdvance);
    } else {
      uint32_t value = entry(index, length, (symbol >> 4) + 1, symbol & 15);
      if (!(value & JPEGEntryLong)) {
        const unsigned used = value & 63;
        const unsigned next = table->codes[(index << used) & (JPEGLookupCount - 1)];
        if (table->end_length && next == table->end_length << 8 && used + table->end_length <= JPEGLookupBits) {
          value += table->end_length | JPEGEntryEnd | 64 << JPEGEntryAdvance;
        }
      }
      table->values[index] = value;
    }
  }
  return true;
}

void nuke_jpeg_make_groups(JPEGTable *table) {
  for (unsigned index = 0; index < JPEGLookupCount; index++) {
    unsigned used = 0, advance = 0;
    bool is_end = false;
    while (!is_end) {
      const unsigned code = table->codes[(index << used) & (JPEGLookupCount - 1)];
      const unsigned length = code >> 8, symbol = code & 255, size = symbol & 15;
      if (length == 0 || used + length + size > JPEGLookupBits) break;
      // What goes past a block's last coefficient is found out one by one.
      const unsigned steps = size == 0 && symbol != 0xF0 ? 0 : (symbol >> 4) + 1;
      if (advance + steps > 63) break;
      is_end = steps == 0;
      advance += steps;
      used += length + size;
    }
    table->groups[index] =
      (uint16_t)(used == 0 ? 0 : used | (is_end ? JPEGEntryEnd : 0) | (advance + (is_end ? 64 : 0)) << JPEGEntryAdvance);
  }
}
