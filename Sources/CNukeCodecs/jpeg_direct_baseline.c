#include "jpeg_direct.h"

#include <stdlib.h>

// Blocks that follow each other in an MCU and are coded by the same tables.
typedef struct {
  const JPEGCodes *dc, *ac;
  // Of the first coefficient, and behind them those of the others.
  const JPEGEntry *entries;
  // Whether all coefficients are kept, or the first one alone, for which the others come in groups.
  bool keeps_all;
  const JPEGGroup *groups;
  unsigned count;
  // Of the first MCU that is read, and how far the next MCU's is away.
  int16_t *targets[4];
  size_t steps[4];
  uint8_t components[4];
} Run;

typedef struct {
  JPEGBits bits;
  JPEGCodes dc_codes[3], ac_codes[3];
  JPEGEntry entries[3][2 * JPEGLookupCount];
  JPEGGroup groups[3][JPEGGroupCount];
  unsigned run_count;
  Run runs[3];
  int predictions[3];
} Scan;

// What a look-up says selects the next one, so that the way from one to the next is what decoding takes: nothing is on it
// but a shift and the load.

// The first coefficients of the blocks of a run, as differences.
NUKE_INLINE bool read_firsts(JPEGCursor *state, const Run *run, int16_t *const *targets) {
  JPEGCursor cursor = *state;
  for (unsigned b = 0; b < run->count; b++) {
    jpeg_refill(&cursor);
    const JPEGEntry entry = run->entries[cursor.bits >> (64 - JPEGLookupBits)];
    if (NUKE_LIKELY(entry & 63)) {
      jpeg_drop_entry(&cursor, entry);
      *targets[b] = (int16_t)(entry >> JPEGEntryValue);
    } else {
      const int size = jpeg_symbol(&cursor, run->dc);
      if (size < 0) return false;
      *targets[b] = (int16_t)jpeg_number(&cursor, (unsigned)size);
    }
    unsigned k = 0;
    while (true) {
      unsigned advance = 0;
      JPEGGroup group = 0;
      jpeg_refill(&cursor);
#pragma GCC unroll 4
      for (int i = 0; i < 4; i++) {
        group = run->groups[cursor.bits >> (64 - JPEGGroupBits)];
        advance = k + (group >> JPEGGroupAdvance);
        if (advance >= 63) break;
        jpeg_drop_entry(&cursor, group);
        k = advance;
      }
      if (advance < 63) continue;
      if (NUKE_LIKELY(group >> JPEGGroupAdvance & JPEGGroupEnd && advance < JPEGGroupEnd + 63)) {
        jpeg_drop_entry(&cursor, group);
        break;
      }
      // The last coefficient has no end behind it, so that part of the group may belong to the next block.
      jpeg_refill(&cursor);
      const int symbol = jpeg_symbol(&cursor, run->ac);
      if (symbol < 0) return false;
      if ((symbol & 15) == 0 && symbol != 0xF0) break;
      k += (unsigned)(symbol >> 4) + 1;
      jpeg_drop(&cursor, symbol & 15);
      if (k > 63) return false;
      if (k == 63) break;
    }
  }
  *state = cursor;
  return true;
}

// How far a run has come.
typedef struct {
  // The bytes before the entries that come next: 0, or `JPEGEntryGoesOn` within a block.
  size_t offset;
  // The coefficient that was read last, -1 for none.
  int k;
  // How many blocks are complete.
  unsigned block;
} Progress;

// One code: one that is too long for an entry, or one about the last coefficient, which has no end behind it. False where
// it cannot be.
static bool read_slowly(JPEGCursor *cursor, const Run *run, int16_t *const *targets, Progress *progress) {
  jpeg_refill(cursor);
  int16_t *target = targets[progress->block];
  if (progress->offset == 0) {
    const int size = jpeg_symbol(cursor, run->dc);
    if (size < 0) return false;
    *target = (int16_t)jpeg_number(cursor, (unsigned)size);
    progress->k = 0;
    progress->offset = JPEGEntryGoesOn;
    return true;
  }
  const int symbol = jpeg_symbol(cursor, run->ac);
  if (symbol < 0) return false;
  bool goes_on = (symbol & 15) != 0 || symbol == 0xF0;
  if (goes_on) {
    progress->k += (symbol >> 4) + 1;
    if (progress->k > 63) return false;
    target[nuke_jpeg_natural_order[progress->k]] = (int16_t)jpeg_number(cursor, symbol & 15);
    goes_on = progress->k < 63;
  }
  if (!goes_on) *progress = (Progress){.k = -1, .block = progress->block + 1};
  return true;
}

// All coefficients of the blocks of a run, the first ones as differences. They must have been zero.
//
// The end of a block is no branch, which would be guessed wrong for nearly every block: it selects the entries of the
// next look-up, the block that its coefficient goes to, and where counting starts anew.
NUKE_INLINE bool read_blocks(JPEGCursor *state, const Run *run, int16_t *const *targets) {
  const uint8_t *entries = (const uint8_t *)run->entries;
  const unsigned count = run->count;
  JPEGCursor cursor = *state;
  Progress progress = {.k = -1};
  while (true) {
    jpeg_refill(&cursor);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      JPEGEntry entry;
      memcpy(&entry, entries + progress.offset + (cursor.bits >> (64 - JPEGLookupBits)) * sizeof entry, sizeof entry);
      const int k = progress.k + (int)(entry >> JPEGEntryAdvance & 127);
      if (NUKE_UNLIKELY(k > 62)) goto slowly;
      jpeg_drop_entry(&cursor, entry);
      targets[progress.block][nuke_jpeg_natural_order[k]] = (int16_t)(entry >> JPEGEntryValue);
      const bool goes_on = entry & JPEGEntryGoesOn;
      progress.offset = entry & JPEGEntryGoesOn;
      progress.k = goes_on ? k : -1;
      progress.block += !goes_on;
      if (progress.block == count) goto end;
    }
    continue;
  slowly:
    if (!read_slowly(&cursor, run, targets, &progress)) return false;
    if (progress.block == count) break;
  }
end:
  *state = cursor;
  return true;
}

// MCUs `first` and on of the memory that the runs point to.
NUKE_INLINE bool read_units(Scan *scan, unsigned first, unsigned count) {
  JPEGCursor cursor = {scan->bits.bits, scan->bits.count, scan->bits.next};
  // Differences that add up to more than 16 bits.
  unsigned range = 0;
  for (unsigned i = first; i < first + count; i++) {
    if (NUKE_UNLIKELY(cursor.next > scan->bits.limit)) {
      scan->bits.bits = cursor.bits;
      scan->bits.count = cursor.count & 63;
      scan->bits.next = cursor.next;
      if (!nuke_jpeg_more(&scan->bits)) return false;
      cursor.next = scan->bits.next;
    }
    for (unsigned r = 0; r < scan->run_count; r++) {
      const Run *run = &scan->runs[r];
      int16_t *targets[4];
      for (unsigned b = 0; b < run->count; b++) targets[b] = run->targets[b] + i * run->steps[b];
      if (!(run->keeps_all ? read_blocks(&cursor, run, targets) : read_firsts(&cursor, run, targets))) return false;
      for (unsigned b = 0; b < run->count; b++) {
        const int dc = scan->predictions[run->components[b]] + *targets[b];
        scan->predictions[run->components[b]] = dc;
        range |= (unsigned)(dc + 32768);
        *targets[b] = (int16_t)dc;
      }
    }
  }
  scan->bits.bits = cursor.bits;
  scan->bits.count = cursor.count & 63;
  scan->bits.next = cursor.next;
  return range <= 0xFFFF;
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

// Puts a block at the end of the last run, or into one of its own.
static void append(Scan *scan, const Run *like, int16_t *target, size_t step, unsigned component) {
  Run *run = scan->run_count > 0 ? &scan->runs[scan->run_count - 1] : NULL;
  if (!run || run->entries != like->entries || run->keeps_all != like->keeps_all || run->count == 4) {
    run = &scan->runs[scan->run_count++];
    *run = *like;
  }
  run->targets[run->count] = target;
  run->steps[run->count] = step;
  run->components[run->count++] = (uint8_t)component;
}

static bool set_up(Scan *scan, const JPEGHeaders *headers, const JPEGScan *header, JPEGPixels *pixels) {
  for (unsigned i = 0; i < header->count; i++) {
    const uint8_t *dc = headers->dc_codes[header->dc_table[i]], *ac = headers->ac_codes[header->ac_table[i]];
    const JPEGTarget *target = nuke_jpeg_target(pixels, i);
    const bool keeps_all = target->size > 1;
    if (!dc || !ac || !headers->has_steps[headers->components[i].quantization]) return false;
    nuke_jpeg_set_steps(pixels, i, headers->steps[headers->components[i].quantization]);
    // The colours mostly share their tables.
    const bool shares =
      i == 2 && header->dc_table[1] == header->dc_table[2] && header->ac_table[1] == header->ac_table[2];
    const unsigned maker = shares ? 1 : i;
    if (!shares) {
      if (!nuke_jpeg_make_codes(&scan->dc_codes[i], dc, true)) return false;
      if (!nuke_jpeg_make_codes(&scan->ac_codes[i], ac, false)) return false;
      nuke_jpeg_make_dc_entries(scan->entries[i], &scan->dc_codes[i]);
      if (keeps_all) {
        nuke_jpeg_make_ac_entries(scan->entries[i] + JPEGLookupCount, &scan->ac_codes[i], false);
      } else {
        nuke_jpeg_make_ac_groups(scan->groups[i], &scan->ac_codes[i]);
      }
    }
    const Run like = {
      .dc = &scan->dc_codes[maker],
      .ac = &scan->ac_codes[maker],
      .entries = scan->entries[maker],
      .keeps_all = keeps_all,
      .groups = scan->groups[maker],
    };
    const size_t size = keeps_all ? 64 : 1;
    for (unsigned y = 0; y < target->down; y++) {
      for (unsigned x = 0; x < target->across; x++) {
        int16_t *first = target->coefficients + (y * target->row_blocks + x) * size;
        append(scan, &like, first, target->across * size, i);
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
  Run row_runs[3];
  memcpy(row_runs, scan->runs, sizeof row_runs);
  for (unsigned y = 0; y < down; y++) {
    if (jpeg_is_cancelled(decoding)) return JPEGDirectCancelled;
    for (unsigned x = 0; x < across; x += JPEGBatch) {
      const unsigned batch = across - x < JPEGBatch ? across - x : JPEGBatch;
      nuke_jpeg_clear(pixels);
      for (unsigned done = 0; done < batch;) {
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
      for (unsigned r = 0; r < scan->run_count; r++) {
        Run *run = &scan->runs[r];
        for (unsigned b = 0; b < run->count && !run->keeps_all; b++) run->targets[b] += batch * run->steps[b];
      }
    }
    memcpy(scan->runs, row_runs, sizeof row_runs);
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
    scan->run_count = 0;
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
