#include "jpeg_direct.h"

#include <stdlib.h>

typedef struct {
  JPEGCodes dc_codes[3], ac_codes[3];
  JPEGEntry dc_entries[3][JPEGEntryCount], ac_entries[3][JPEGEntryCount];
  int predictions[3];
  JPEGLanes lanes;
} Scan;

// Makes the lookup tables of a component. Returns false if they are invalid.
static bool make_tables(Scan *scan, unsigned index, const uint8_t *dc, const uint8_t *ac, bool keeps_all) {
  if (!nuke_jpeg_make_codes(&scan->dc_codes[index], dc, true)) return false;
  if (!nuke_jpeg_make_codes(&scan->ac_codes[index], ac, false)) return false;
  nuke_jpeg_make_dc_entries(scan->dc_entries[index], &scan->dc_codes[index]);
  if (keeps_all) {
    nuke_jpeg_make_ac_entries(scan->ac_entries[index], &scan->ac_codes[index], false);
  } else {
    nuke_jpeg_make_ac_groups(scan->ac_entries[index], &scan->ac_codes[index]);
  }
  return true;
}

static bool set_up(Scan *scan, const JPEGHeaders *headers, const JPEGScan *header, JPEGPixels *pixels) {
  for (unsigned i = 0; i < header->count; i++) {
    const uint8_t *dc = headers->dc_codes[header->dc_table[i]], *ac = headers->ac_codes[header->ac_table[i]];
    const JPEGTarget *target = nuke_jpeg_target(pixels, i);
    if (!dc || !ac || !headers->has_steps[headers->components[i].quantization]) return false;
    nuke_jpeg_set_steps(pixels, i, headers->steps[headers->components[i].quantization]);
    // Both chroma components usually use the same tables.
    const bool shares =
      i == 2 && header->dc_table[1] == header->dc_table[2] && header->ac_table[1] == header->ac_table[2];
    if (!shares && !make_tables(scan, i, dc, ac, target->size > 1)) return false;
    const unsigned table = shares ? 1 : i;
    for (unsigned y = 0; y < target->down; y++) {
      for (unsigned x = 0; x < target->across; x++) {
        scan->lanes.blocks[scan->lanes.block_count++] = (JPEGBlock){
          .component = i,
          .x = x,
          .y = y,
          .dc = &scan->dc_codes[table],
          .ac = &scan->ac_codes[table],
          .dc_entries = scan->dc_entries[table],
          .ac_entries = scan->ac_entries[table],
        };
      }
    }
  }
  return true;
}

// The first DC coefficients of a component in one row of blocks, or in two.
typedef struct {
  int16_t *rows[2];
} Firsts;

// Adds up the DC differences of `count` MCUs. Returns the last DC coefficient.
NUKE_INLINE int sum_up(
  Firsts target, Firsts source, unsigned count, unsigned across, unsigned down, unsigned size, int prediction,
  unsigned *range) {
  unsigned all = 0;
  for (size_t unit = 0; unit < count; unit++) {
    for (unsigned y = 0; y < down; y++) {
      for (unsigned x = 0; x < across; x++) {
        prediction += source.rows[y][(unit * across + x) * size];
        all |= (unsigned)(prediction + 32768);
        target.rows[y][(unit * across + x) * size] = (int16_t)prediction;
      }
    }
  }
  *range |= all;
  return prediction;
}

static Firsts firsts_at(const JPEGTarget *target, unsigned unit) {
  const size_t size = target->size == 1 ? 1 : 64;
  int16_t *first = target->coefficients + (size_t)unit * target->across * size;
  return (Firsts){{first, target->down == 2 ? first + target->row_blocks * size : NULL}};
}

// Adds up the DC differences of `count` MCUs, beginning with MCU `from`, to DC coefficients. Those of components with a
// block size of 1 are moved to the row's, from MCU `first` on. Returns false if their range exceeds 16 bits.
static bool add_up(Scan *scan, const JPEGPixels *pixels, unsigned from, unsigned first, unsigned count) {
  unsigned range = 0;
  for (unsigned i = 0; i < scan->lanes.component_count; i++) {
    const JPEGTarget *blocks = &scan->lanes.behind->targets[i];
    const bool moves = blocks->size == 1;
    const Firsts source = firsts_at(blocks, from);
    const Firsts target = moves ? firsts_at(nuke_jpeg_target(pixels, i), first) : source;
    int *sum = &scan->predictions[i];
    // With constant arguments, so that the compiler specializes the loops. The blocks of a single row are contiguous.
    if (blocks->down == 1) {
      const unsigned length = count * blocks->across;
      *sum = moves ? sum_up(target, source, length, 1, 1, 1, *sum, &range)
                   : sum_up(target, source, length, 1, 1, 64, *sum, &range);
    } else if (blocks->across == 1) {
      *sum = moves ? sum_up(target, source, count, 1, 2, 1, *sum, &range)
                   : sum_up(target, source, count, 1, 2, 64, *sum, &range);
    } else {
      *sum = moves ? sum_up(target, source, count, 2, 2, 1, *sum, &range)
                   : sum_up(target, source, count, 2, 2, 64, *sum, &range);
    }
  }
  return range <= 0xFFFF;
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static JPEGDirectResult read_rows(
  Scan *scan, const JPEGHeaders *headers, JPEGPixels *pixels, const nuke_jpeg_decoding *decoding) {
  JPEGLanes *const lanes = &scan->lanes;
  const unsigned across = nuke_jpeg_units_across(pixels), down = nuke_jpeg_units_down(pixels);
  const unsigned interval = headers->restart_interval;
  unsigned restarts = 0, left = interval;
  // The MCUs that are decoded, and how many of them are in the image.
  unsigned decoded = 0, done = 0;
  for (unsigned y = 0; y < down; y++) {
    if (jpeg_is_cancelled(decoding)) return JPEGDirectCancelled;
    for (unsigned x = 0, count; x < across; x += count, done += count) {
      if (done == decoded) {
        if (interval && left == 0) {
          if (!nuke_jpeg_restart(&lanes->behind->bits, restarts++ & 7)) return JPEGDirectDeclined;
          memset(scan->predictions, 0, sizeof scan->predictions);
          left = interval;
        }
        const unsigned rest = least((down - y) * across - x, JPEGBatch);
        decoded = nuke_jpeg_lanes_read(lanes, interval ? least(rest, left) : rest);
        if (decoded == 0) return JPEGDirectDeclined;
        if (interval) left -= decoded;
        done = 0;
      }
      count = least(across - x, decoded - done);
      if (!add_up(scan, pixels, done, x, count)) return JPEGDirectDeclined;
      nuke_jpeg_transform(pixels, lanes->behind->targets, done, x, count);
    }
    if (!nuke_jpeg_end_row(pixels)) return JPEGDirectCancelled;
  }
  return nuke_jpeg_is_within(&lanes->behind->bits) ? JPEGDirectDone : JPEGDirectDeclined;
}

JPEGDirectResult nuke_jpeg_decode_baseline(
  const JPEGHeaders *headers, const JPEGScan *header, const nuke_jpeg_decoding *decoding) {
  if (header->first != 0 || header->last != 63 || header->high_bit != 0 || header->low_bit != 0) {
    return JPEGDirectDeclined;
  }
  JPEGDirectResult result = JPEGDirectDeclined;
  Scan *scan = malloc(sizeof *scan);
  JPEGPixels *pixels = nuke_jpeg_pixels_create(headers, decoding, false);
  if (scan && pixels) {
    memset(scan->predictions, 0, sizeof scan->predictions);
    memset(&scan->lanes, 0, sizeof scan->lanes);
    const uint8_t *source = headers->data + header->start, *source_end = headers->data + headers->size;
    if (set_up(scan, headers, header, pixels) &&
        nuke_jpeg_lanes_start(&scan->lanes, headers, pixels, source, source_end)) {
      result = read_rows(scan, headers, pixels, decoding);
    }
    nuke_jpeg_lanes_free(&scan->lanes);
  }
  nuke_jpeg_pixels_free(pixels);
  free(scan);
  return result;
}
