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

static const JPEGEntry too_long = JPEGEntryTooLong << JPEGEntryAdvance;

static void fill(JPEGEntry *entries, unsigned count, JPEGEntry entry) {
  for (unsigned i = 0; i < count; i++) entries[i] = entry;
}

// Writes the entries of a code of `length` bits that is followed by `size` additional bits. Returns the end of these
// entries.
static JPEGEntry *make_values(JPEGEntry *entries, unsigned length, unsigned size, JPEGEntry entry) {
  if (length + size > JPEGLookupBits) {
    fill(entries, 1u << (JPEGLookupBits - length), too_long);
    return entries + (1u << (JPEGLookupBits - length));
  }
  const unsigned each = 1u << (JPEGLookupBits - length - size);
  for (int bits = 0; bits < 1 << size; bits++, entries += each) {
    const int value = size > 0 && bits < 1 << (size - 1) ? bits + 1 - (1 << size) : bits;
    fill(entries, each, entry | (length + size) | (JPEGEntry)(uint16_t)value << JPEGEntryValue);
  }
  return entries;
}

void nuke_jpeg_make_dc_entries(JPEGEntry *entries, const JPEGCodes *codes) {
  JPEGEntry *const end = entries + JPEGLookupCount;
  for (unsigned i = 0; i < codes->count && codes->lengths[i] <= JPEGLookupBits; i++) {
    const JPEGEntry entry = JPEGEntryGoesOn | 1 << JPEGEntryAdvance;
    entries = make_values(entries, codes->lengths[i], codes->symbols[i], entry);
  }
  fill(entries, (unsigned)(end - entries), too_long);
}

// Adds the end-of-block code to the entries of coefficients that leave enough bits for it.
static void join_ends(JPEGEntry *entries, unsigned end_code, unsigned end_length, unsigned used, unsigned count) {
  if (used + end_length > JPEGLookupBits) return;
  const unsigned each = 1u << (JPEGLookupBits - used), joined = each >> end_length;
  for (unsigned first = 0; first < count; first += each) {
    for (unsigned i = 0; i < joined; i++) {
      entries[first + end_code * joined + i] += end_length - JPEGEntryGoesOn;
    }
  }
}

void nuke_jpeg_make_ac_entries(JPEGEntry *entries, const JPEGCodes *codes, bool long_ends) {
  JPEGEntry *const end = entries + JPEGLookupCount;
  unsigned end_code = 0, end_length = 0;
  for (unsigned i = 0; i < codes->count && codes->lengths[i] <= JPEGLookupBits; i++) {
    if (codes->symbols[i] != 0) continue;
    end_length = codes->lengths[i];
    end_code = (unsigned)((int32_t)i - codes->offset[end_length]);
  }
  for (unsigned i = 0; i < codes->count && codes->lengths[i] <= JPEGLookupBits; i++) {
    const unsigned length = codes->lengths[i], symbol = codes->symbols[i], size = symbol & 15;
    const unsigned run = ((symbol >> 4) + 1) << JPEGEntryAdvance;
    JPEGEntry *const first = entries;
    if (size > 0 || symbol == 0xF0) {
      entries = make_values(first, length, size, run | JPEGEntryGoesOn);
      if (size > 0 && end_length > 0) {
        join_ends(first, end_code, end_length, length + size, (unsigned)(entries - first));
      }
    } else {
      // The end-of-block code alone, stored as a zero coefficient.
      entries += 1u << (JPEGLookupBits - length);
      fill(first, (unsigned)(entries - first), long_ends && symbol ? too_long : length | 1 << JPEGEntryAdvance);
    }
  }
  fill(entries, (unsigned)(end - entries), too_long);
}

void nuke_jpeg_make_dc_steps(JPEGStep *steps, const JPEGCodes *codes) {
  for (unsigned i = 0; i < JPEGLookupCount; i++) {
    const unsigned code = codes->codes[i], used = (code >> 8) + (code & 255);
    steps[i] = (JPEGStep)(code && used <= JPEGStepBits ? used | JPEGStepLeaves | JPEGStepKept : JPEGStepTooLong);
  }
}

void nuke_jpeg_make_ac_steps(JPEGStep *steps, const JPEGEntry *entries, const JPEGCodes *codes) {
  for (unsigned i = 0; i < JPEGLookupCount; i++) {
    const unsigned code = codes->codes[i], used = (code >> 8) + (code & 15);
    if (entries[i] & 63) {
      const unsigned leaves = entries[i] & JPEGEntryGoesOn ? 0 : JPEGStepLeaves;
      steps[i] = (JPEGStep)((entries[i] & (63 | 127 << JPEGEntryAdvance)) | leaves | JPEGStepKept);
    } else if (code && used <= JPEGStepBits) {
      steps[i] = (JPEGStep)(used | ((code >> 4 & 15) + 1) << JPEGStepAdvance | JPEGStepKept);
    } else {
      steps[i] = JPEGStepTooLong;
    }
  }
}

// A code with its additional bits, followed by every combination of codes that fits into the remaining bits.
static void join_groups(JPEGStep *steps, const JPEGStep *rests, unsigned count, unsigned used, unsigned advance) {
  for (unsigned i = 0; i < count; i++) {
    const unsigned joined = (rests[i] >> JPEGStepAdvance & 127) + advance;
    // 63 coefficients would end the block without an end-of-block code.
    steps[i] = (JPEGStep)((joined < 63 ? rests[i] : 0) + (used | advance << JPEGStepAdvance));
  }
}

void nuke_jpeg_make_ac_groups(JPEGStep *steps, const JPEGCodes *codes) {
  // The groups of n remaining bits begin at index 1 << n. They are what may follow the first coefficient.
  JPEGStep shorter[JPEGLookupCount] = {0};
  memset(steps, 0, JPEGLookupCount * sizeof *steps);
  for (unsigned bits = 1; bits <= JPEGLookupBits; bits++) {
    JPEGStep *these = bits == JPEGLookupBits ? steps : shorter + (1u << bits);
    for (unsigned i = 0; i < codes->count && codes->lengths[i] <= bits; i++) {
      const unsigned length = codes->lengths[i], symbol = codes->symbols[i], used = length + (symbol & 15);
      const unsigned advance = (symbol >> 4) + 1, span = 1u << (bits - length);
      if ((symbol & 15) == 0 && symbol != 0xF0) {
        for (unsigned k = 0; k < span; k++) these[k] = (JPEGStep)(length | JPEGStepLeaves);
      } else if (used <= bits) {
        const unsigned count = 1u << (bits - used);
        for (unsigned k = 0; k < span; k += count) join_groups(these + k, shorter + count, count, used, advance);
      } else if (bits == JPEGLookupBits && used <= JPEGStepBits) {
        for (unsigned k = 0; k < span; k++) these[k] = (JPEGStep)(used | advance << JPEGStepAdvance);
      }
      these += span;
    }
  }
  for (unsigned i = 0; i < JPEGLookupCount; i++) {
    if (steps[i] == 0) steps[i] = JPEGStepTooLong;
  }
}
