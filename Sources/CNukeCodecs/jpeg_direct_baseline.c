#include "jpeg_direct.h"

#include <stdlib.h>

// One block of an MCU.
typedef struct {
  const JPEGTable *dc, *ac;
  // Of the first MCU that is decoded, and how far the next MCU's is away.
  int16_t *target;
  size_t step;
  unsigned component;
  bool first_only;
} Block;

typedef struct {
  JPEGBits bits;
  JPEGTable dc_tables[3], ac_tables[3];
  unsigned block_count;
  Block blocks[6];
  int predictions[3];
} Scan;

// Where a coefficient goes by the steps taken, to which the end of a block has added 64. What lies behind the last one is
// found out after it was written.
static uint8_t positions[64 + 80];

__attribute__((constructor)) static void make_positions(void) {
  for (unsigned i = 0; i < sizeof positions; i++) {
    const unsigned k = i < 64 ? i : i - 64;
    positions[i] = nuke_jpeg_natural_order[k < 64 ? k : 63];
  }
}

NUKE_INLINE int dc_difference(JPEGCursor *cursor, const JPEGTable *table, bool *bad) {
  jpeg_refill(cursor);
  const uint32_t entry = table->values[cursor->bits >> (64 - JPEGLookupBits)];
  if (NUKE_LIKELY(!(entry & JPEGEntryLong))) {
    jpeg_drop(cursor, entry & 63);
    return (int16_t)(entry >> JPEGEntryValue);
  }
  const int size = jpeg_symbol(cursor, table);
  if (size < 0) {
    *bad = true;
    return 0;
  }
  return jpeg_number(cursor, (unsigned)size);
}

// All coefficients but the first. False where they cannot be.
NUKE_INLINE bool read_block(JPEGCursor *state, const JPEGTable *table, int16_t *block) {
  JPEGCursor cursor = *state;
  unsigned k = 0;
  uint32_t entry;
  while (true) {
    jpeg_refill(&cursor);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      entry = table->values[cursor.bits >> (64 - JPEGLookupBits)];
      if (NUKE_UNLIKELY(entry & JPEGEntryLong)) goto long_entry;
      jpeg_drop(&cursor, entry & 63);
      k += entry >> JPEGEntryAdvance & 127;
      block[positions[k]] = (int16_t)(entry >> JPEGEntryValue);
      if (k >= 63) goto end;
    }
    continue;
  long_entry:
    // A code without its bits is often within reach.
    if (entry & 63) {
      jpeg_drop(&cursor, entry & 63);
      k += entry >> JPEGEntryAdvance & 127;
      if (k > 63) return false;
      block[positions[k]] = (int16_t)jpeg_number(&cursor, entry >> JPEGEntryValue);
    } else {
      jpeg_refill(&cursor);
      const int symbol = jpeg_symbol(&cursor, table);
      if (symbol < 0) return false;
      if ((symbol & 15) == 0 && symbol != 0xF0) break;
      k += (unsigned)(symbol >> 4) + 1;
      if (k > 63) return false;
      block[positions[k]] = (int16_t)jpeg_number(&cursor, symbol & 15);
    }
    if (k == 63) break;
  }
  *state = cursor;
  return true;

end:
  if (entry & JPEGEntryEnd) {
    if (NUKE_UNLIKELY(k > 126)) {
      // The last coefficient needs no end behind it: that was the beginning of the next block.
      if (k > 127) return false;
      if (entry >> JPEGEntryValue) jpeg_rewind(&cursor, table->end_length);
    }
  } else if (k > 63) {
    return false;
  }
  *state = cursor;
  return true;
}

// The same, of which nothing is kept.
NUKE_INLINE bool skip_block(JPEGCursor *state, const JPEGTable *table) {
  JPEGCursor cursor = *state;
  unsigned k = 0;
  while (true) {
    jpeg_refill(&cursor);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      const unsigned group = table->groups[cursor.bits >> (64 - JPEGLookupBits)];
      if (NUKE_UNLIKELY(group == 0)) goto single;
      const unsigned behind = k + (group >> JPEGEntryAdvance);
      if (behind >= 63) {
        // Part of a group may stand in the next block.
        if (NUKE_UNLIKELY(group & JPEGEntryEnd ? behind >= 127 : behind > 63)) goto single;
        jpeg_drop(&cursor, group & 63);
        *state = cursor;
        return true;
      }
      jpeg_drop(&cursor, group & 63);
      k = behind;
    }
    continue;
  single:
    jpeg_refill(&cursor);
    const int symbol = jpeg_symbol(&cursor, table);
    if (symbol < 0) return false;
    if ((symbol & 15) == 0 && symbol != 0xF0) break;
    k += (unsigned)(symbol >> 4) + 1;
    jpeg_drop(&cursor, symbol & 15);
    if (k > 63) return false;
    if (k == 63) break;
  }
  *state = cursor;
  return true;
}

// MCUs `first` and on of the memory that the blocks point to.
NUKE_INLINE bool read_units(Scan *scan, unsigned first, unsigned count) {
  JPEGCursor cursor = {scan->bits.bits, scan->bits.count, scan->bits.next};
  bool bad = false;
  // Differences that add up to more than 16 bits.
  unsigned range = 0;
  for (unsigned i = first; i < first + count; i++) {
    if (NUKE_UNLIKELY(cursor.next > scan->bits.limit)) {
      scan->bits.bits = cursor.bits;
      scan->bits.count = cursor.count;
      scan->bits.next = cursor.next;
      if (!nuke_jpeg_more(&scan->bits)) return false;
      cursor.next = scan->bits.next;
    }
    for (unsigned b = 0; b < scan->block_count; b++) {
      const Block *block = &scan->blocks[b];
      int16_t *target = block->target + i * block->step;
      const int dc = scan->predictions[block->component] + dc_difference(&cursor, block->dc, &bad);
      scan->predictions[block->component] = dc;
      range |= (unsigned)(dc + 32768);
      if (block->first_only) {
        if (!skip_block(&cursor, block->ac)) return false;
      } else {
        memset(target, 0, 64 * sizeof *target);
        if (!read_block(&cursor, block->ac, target)) return false;
      }
      *target = (int16_t)dc;
    }
  }
  scan->bits.bits = cursor.bits;
  scan->bits.count = cursor.count;
  scan->bits.next = cursor.next;
  return !bad && range <= 0xFFFF;
}

static bool read_units_plain(Scan *scan, unsigned first, unsigned count) { return read_units(scan, first, count); }

#if defined(__x86_64__)
// Shifts by a register's lowest bits take one instruction there.
__attribute__((target("bmi2"))) static bool read_units_bmi2(Scan *scan, unsigned first, unsigned count) {
  return read_units(scan, first, count);
}
#endif

typedef bool (*ReadUnits)(Scan *, unsigned, unsigned);

static ReadUnits fastest(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("bmi2")) return read_units_bmi2;
#endif
  return read_units_plain;
}

static bool set_up(Scan *scan, const JPEGHeaders *headers, const JPEGScan *header, JPEGPixels *pixels) {
  for (unsigned i = 0; i < header->count; i++) {
    const uint8_t *dc = headers->dc_codes[header->dc_table[i]], *ac = headers->ac_codes[header->ac_table[i]];
    const JPEGTarget *target = nuke_jpeg_target(pixels, i);
    if (!dc || !ac || !headers->has_steps[headers->components[i].quantization]) return false;
    nuke_jpeg_set_steps(pixels, i, headers->steps[headers->components[i].quantization]);
    // The colours mostly share theirs.
    unsigned dc_maker = 0, ac_maker = 0;
    while (header->dc_table[dc_maker] != header->dc_table[i]) dc_maker++;
    while (header->ac_table[ac_maker] != header->ac_table[i]) ac_maker++;
    if (dc_maker == i && !nuke_jpeg_make_table(&scan->dc_tables[i], dc, JPEGTableDC)) return false;
    if (ac_maker == i && !nuke_jpeg_make_table(&scan->ac_tables[i], ac, JPEGTableAC)) return false;
    if (target->size == 1) nuke_jpeg_make_groups(&scan->ac_tables[ac_maker]);
    for (unsigned y = 0; y < target->down; y++) {
      for (unsigned x = 0; x < target->across; x++) {
        Block *block = &scan->blocks[scan->block_count++];
        block->dc = &scan->dc_tables[dc_maker];
        block->ac = &scan->ac_tables[ac_maker];
        block->component = i;
        block->first_only = target->size == 1;
        const size_t size = block->first_only ? 1 : 64;
        block->target = target->coefficients + (y * target->row_blocks + x) * size;
        block->step = target->across * size;
      }
    }
  }
  return true;
}

static JPEGDirectResult read_rows(
  Scan *scan, const JPEGHeaders *headers, JPEGPixels *pixels, const NukeJPEGDecoding *decoding) {
  const ReadUnits read = fastest();
  const unsigned across = nuke_jpeg_units_across(pixels), down = nuke_jpeg_units_down(pixels);
  unsigned restarts = 0, left = headers->restart_interval;
  for (unsigned y = 0; y < down; y++) {
    if (jpeg_is_cancelled(decoding)) return JPEGDirectCancelled;
    Block blocks[6];
    memcpy(blocks, scan->blocks, sizeof blocks);
    unsigned x = 0;
    while (x < across) {
      const unsigned batch = across - x < JPEGBatch ? across - x : JPEGBatch;
      unsigned done = 0;
      while (done < batch) {
        unsigned count = batch - done;
        if (headers->restart_interval) {
          if (left == 0) {
            if (!nuke_jpeg_restart(&scan->bits, restarts++ & 7)) return JPEGDirectDeclined;
            memset(scan->predictions, 0, sizeof scan->predictions);
            left = headers->restart_interval;
          }
          if (count > left) count = left;
          left -= count;
        }
        if (!read(scan, done, count)) return JPEGDirectDeclined;
        done += count;
      }
      nuke_jpeg_transform(pixels, x, batch);
      // First coefficients alone are gathered for the whole row.
      for (unsigned i = 0; i < scan->block_count; i++) {
        if (scan->blocks[i].first_only) scan->blocks[i].target += batch * scan->blocks[i].step;
      }
      x += batch;
    }
    memcpy(scan->blocks, blocks, sizeof blocks);
    nuke_jpeg_end_row(pixels);
  }
  return nuke_jpeg_is_within(&scan->bits) ? JPEGDirectDone : JPEGDirectDeclined;
}

JPEGDirectResult nuke_jpeg_decode_baseline(
  const JPEGHeaders *headers, const JPEGScan *header, const NukeJPEGDecoding *decoding) {
  if (header->first != 0 || header->last != 63 || header->high_bit != 0 || header->low_bit != 0) {
    return JPEGDirectDeclined;
  }
  JPEGDirectResult result = JPEGDirectDeclined;
  Scan *scan = malloc(sizeof *scan);
  JPEGPixels *pixels = nuke_jpeg_pixels_create(headers, decoding, false);
  if (scan && pixels) {
    scan->block_count = 0;
    memset(scan->predictions, 0, sizeof scan->predictions);
    if (set_up(scan, headers, header, pixels)) {
      nuke_jpeg_start_bits(&scan->bits, headers->data + header->start, headers->data + headers->size);
      result = read_rows(scan, headers, pixels, decoding);
    }
  }
  nuke_jpeg_pixels_free(pixels);
  free(scan);
  return result;
}
