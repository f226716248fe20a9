#include "jpeg_direct.h"

#include <stdlib.h>

// Consecutive blocks of an MCU that use the same Huffman tables.
typedef struct {
  const JPEGCodes *dc, *ac;
  // The lookup table of the DC coefficient, followed by that of the AC coefficients.
  const JPEGEntry *entries;
  // True to keep all coefficients, false to keep only the DC coefficient.
  bool keeps_all;
  // The index of the lookup tables.
  unsigned table;
  unsigned count;
  // For each block, its coefficients in the first MCU, and the distance to those of the next MCU.
  int16_t *targets[4];
  size_t steps[4];
  uint8_t components[4];
} Run;

// Where the kept symbols of a block go, separately for its DC coefficient and its AC coefficients.
typedef struct {
  // The coefficient for each lookup table entry.
  const int16_t *values;
  int16_t *target;
  const JPEGCodes *codes;
} Destination;

// The tables and the output of the two bit readers, used if not all coefficients are kept.
typedef struct {
  JPEGStep firsts[3][JPEGLookupCount], rests[3][JPEGLookupCount];
  // The coefficient values, DC and AC of each component.
  int16_t values[6][JPEGLookupCount];
  // The destinations of `JPEGBatch` MCUs, `unit_destinations` for each.
  unsigned unit_destinations;
  Destination destinations[JPEGBatch * 12];
  // The first symbol that has not been consumed.
  const JPEGKeptSymbol *next;
  JPEGLanes lanes;
} KeptSymbols;

typedef struct {
  JPEGBits bits;
  JPEGCodes dc_codes[3], ac_codes[3];
  JPEGEntry entries[3][2 * JPEGLookupCount];
  // NULL if all coefficients are kept.
  KeptSymbols *kept;
  unsigned run_count;
  Run runs[3];
  int predictions[3];
} Scan;

// Each lookup depends on the result of the one before, so that this chain determines the speed. It consists of a shift
// and a load only.

// The position within a run.
typedef struct {
  // The byte offset of the next lookup table: 0 for DC, `JPEGEntryGoesOn` for AC.
  size_t offset;
  // The zigzag index of the last coefficient, -1 at the start of a block.
  int k;
  // The number of complete blocks.
  unsigned block;
} Progress;

// Decodes a code that the lookup table cannot: it is too long, or codes the last coefficient, which no end-of-block
// code follows. Returns false if it is invalid.
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

// Decodes all coefficients of the blocks of a run; DC coefficients as differences. The memory must be zero.
//
// The end of a block is not a branch, which would be mispredicted for nearly every block. Instead it selects the next
// lookup table, the next block, and the index at which its coefficients start.
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

// Decodes `count` MCUs into the memory of the runs, beginning with MCU `first`.
NUKE_INLINE bool read_units(Scan *scan, unsigned first, unsigned count) {
  JPEGCursor cursor = {scan->bits.bits, scan->bits.count, scan->bits.next};
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
      if (!read_blocks(&cursor, run, targets)) return false;
    }
  }
  scan->bits.bits = cursor.bits;
  scan->bits.count = cursor.count & 63;
  scan->bits.next = cursor.next;
  return true;
}

static bool read_units_plain(Scan *scan, unsigned first, unsigned count) { return read_units(scan, first, count); }

#if defined(__x86_64__)
// With BMI2, a shift by the lowest bits of a register takes one instruction.
__attribute__((target("bmi2"))) static bool read_units_bmi2(Scan *scan, unsigned first, unsigned count) {
  return read_units(scan, first, count);
}
#endif

// MARK: Symbols of the two bit readers

// Lists the destinations of the symbols of `JPEGBatch` MCUs. `move_targets` sets those of blocks that keep all
// coefficients.
static void list_destinations(Scan *scan) {
  KeptSymbols *const kept = scan->kept;
  kept->unit_destinations = 0;
  for (unsigned r = 0; r < scan->run_count; r++) {
    const Run *run = &scan->runs[r];
    for (unsigned b = 0; b < run->count; b++) kept->unit_destinations += run->keeps_all ? 2 : 1;
  }
  Destination *destination = kept->destinations;
  for (unsigned i = 0; i < JPEGBatch; i++) {
    for (unsigned r = 0; r < scan->run_count; r++) {
      const Run *run = &scan->runs[r];
      for (unsigned b = 0; b < run->count; b++) {
        int16_t *target = run->targets[b] + i * run->steps[b];
        *destination++ = (Destination){kept->values[run->table * 2], target, run->dc};
        if (run->keeps_all) *destination++ = (Destination){kept->values[run->table * 2 + 1], target, run->ac};
      }
    }
  }
}

// Sets the destinations that differ from batch to batch.
static void move_targets(Scan *scan, unsigned first, unsigned count) {
  const unsigned step = scan->kept->unit_destinations;
  Destination *block = scan->kept->destinations + first * step;
  for (unsigned r = 0; r < scan->run_count; r++) {
    const Run *run = &scan->runs[r];
    for (unsigned b = 0; b < run->count; b++, block += run->keeps_all ? 2 : 1) {
      if (run->keeps_all) continue;
      int16_t *target = run->targets[b] + first * run->steps[b];
      for (unsigned i = 0; i < count; i++, target += run->steps[b]) block[i * step].target = target;
    }
  }
}

// Decodes a coefficient whose code and additional bits are longer than a lookup table entry covers.
static __attribute__((noinline)) int16_t number_at(JPEGKeptSymbol symbol, const JPEGCodes *codes) {
  JPEGCursor cursor = {symbol, 63, NULL};
  return (int16_t)jpeg_number(&cursor, (unsigned)jpeg_symbol(&cursor, codes) & 15);
}

// Does what `read_units` does, with the kept symbols of the two bit readers.
static bool take_units(Scan *scan, unsigned first, unsigned count) {
  KeptSymbols *const kept = scan->kept;
  JPEGLanes *const lanes = &kept->lanes;
  move_targets(scan, first, count);
  const Destination *destination = kept->destinations + first * kept->unit_destinations, *const last = destination + count * kept->unit_destinations;
  const JPEGKeptSymbol *symbol = kept->next;
  // The zigzag index of the last coefficient.
  unsigned k = 0;
  while (true) {
    for (const JPEGKeptSymbol *const end = lanes->behind->end; symbol < end && destination < last; symbol++) {
      const unsigned step = *symbol & 0xFFFF;
      int16_t value = destination->values[*symbol >> (64 - JPEGLookupBits)];
      if (NUKE_UNLIKELY((step & 63) - 1 >= JPEGLookupBits)) value = number_at(*symbol, destination->codes);
      k += step >> JPEGStepAdvance & 63;
      destination->target[nuke_jpeg_natural_order[k]] = value;
      const bool leaves = step & JPEGStepLeaves;
      k = NUKE_UNPREDICTABLE(leaves) ? 0 : k;
      destination += leaves;
    }
    if (destination == last) break;
    if (!nuke_jpeg_lanes_read(lanes)) return false;
    symbol = lanes->behind->symbols;
  }
  kept->next = symbol;
  return true;
}

// MARK: The scan

// Adds up DC differences to DC coefficients. Returns false if their range exceeds 16 bits.
static bool add_up(Scan *scan, unsigned first, unsigned count) {
  unsigned range = 0;
  for (unsigned r = 0; r < scan->run_count; r++) {
    const Run *run = &scan->runs[r];
    // The blocks of a component are consecutive.
    for (unsigned start = 0, end; start < run->count; start = end) {
      for (end = start + 1; end < run->count && run->components[end] == run->components[start]; end++) continue;
      int prediction = scan->predictions[run->components[start]];
      for (unsigned i = first; i < first + count; i++) {
        for (unsigned b = start; b < end; b++) {
          int16_t *target = run->targets[b] + i * run->steps[b];
          prediction += *target;
          range |= (unsigned)(prediction + 32768);
          *target = (int16_t)prediction;
        }
      }
      scan->predictions[run->components[start]] = prediction;
    }
  }
  return range <= 0xFFFF;
}

typedef bool (*ReadUnits)(Scan *, unsigned, unsigned);

static ReadUnits fastest(const Scan *scan) {
  if (scan->kept) return take_units;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("bmi2")) return read_units_bmi2;
#endif
  return read_units_plain;
}

// Appends a block to the last run, or begins a new one if its tables differ.
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

static void make_values(int16_t *values, const JPEGEntry *entries) {
  for (unsigned i = 0; i < JPEGLookupCount; i++) values[i] = (int16_t)(entries[i] >> JPEGEntryValue);
}

static void make_steps(Scan *scan, unsigned index, bool keeps_all) {
  KeptSymbols *const kept = scan->kept;
  make_values(kept->values[index * 2], scan->entries[index]);
  if (keeps_all) make_values(kept->values[index * 2 + 1], scan->entries[index] + JPEGLookupCount);
  nuke_jpeg_make_dc_steps(kept->firsts[index], &scan->dc_codes[index]);
  if (keeps_all) {
    nuke_jpeg_make_ac_steps(kept->rests[index], scan->entries[index] + JPEGLookupCount, &scan->ac_codes[index]);
  } else {
    nuke_jpeg_make_ac_groups(kept->rests[index], &scan->ac_codes[index]);
  }
}

static bool set_up(Scan *scan, const JPEGHeaders *headers, const JPEGScan *header, JPEGPixels *pixels) {
  unsigned block = 0, block_count = 0;
  for (unsigned i = 0; i < header->count; i++) {
    block_count += nuke_jpeg_target(pixels, i)->across * nuke_jpeg_target(pixels, i)->down;
  }
  for (unsigned i = 0; i < header->count; i++) {
    const uint8_t *dc = headers->dc_codes[header->dc_table[i]], *ac = headers->ac_codes[header->ac_table[i]];
    const JPEGTarget *target = nuke_jpeg_target(pixels, i);
    const bool keeps_all = target->size > 1;
    if (!dc || !ac || !headers->has_steps[headers->components[i].quantization]) return false;
    nuke_jpeg_set_steps(pixels, i, headers->steps[headers->components[i].quantization]);
    // Both chroma components usually use the same tables.
    const bool shares =
      i == 2 && header->dc_table[1] == header->dc_table[2] && header->ac_table[1] == header->ac_table[2];
    const unsigned table = shares ? 1 : i;
    if (!shares) {
      if (!nuke_jpeg_make_codes(&scan->dc_codes[i], dc, true)) return false;
      if (!nuke_jpeg_make_codes(&scan->ac_codes[i], ac, false)) return false;
      nuke_jpeg_make_dc_entries(scan->entries[i], &scan->dc_codes[i]);
      if (keeps_all) nuke_jpeg_make_ac_entries(scan->entries[i] + JPEGLookupCount, &scan->ac_codes[i], false);
      if (scan->kept) make_steps(scan, i, keeps_all);
    }
    const Run like = {
      .dc = &scan->dc_codes[table],
      .ac = &scan->ac_codes[table],
      .entries = scan->entries[table],
      .keeps_all = keeps_all,
      .table = table,
    };
    const size_t size = keeps_all ? 64 : 1;
    for (unsigned y = 0; y < target->down; y++) {
      for (unsigned x = 0; x < target->across; x++) {
        int16_t *first = target->coefficients + (y * target->row_blocks + x) * size;
        append(scan, &like, first, target->across * size, i);
        if (!scan->kept) continue;
        nuke_jpeg_lanes_append(
          &scan->kept->lanes.ring, block++, block_count, scan->kept->firsts[table], like.dc,
          scan->kept->rests[table], like.ac, keeps_all);
      }
    }
  }
  return true;
}

static JPEGBits *bits_of(Scan *scan) { return scan->kept ? &scan->kept->lanes.behind->bits : &scan->bits; }

static bool restart(Scan *scan, unsigned number) {
  // There are symbols left past the end of the restart interval.
  if (scan->kept && scan->kept->next != scan->kept->lanes.behind->end) return false;
  return nuke_jpeg_restart(bits_of(scan), number);
}

static void start(Scan *scan, const JPEGHeaders *headers, const JPEGScan *header) {
  const uint8_t *source = headers->data + header->start, *source_end = headers->data + headers->size;
  if (scan->kept) {
    nuke_jpeg_lanes_start(&scan->kept->lanes, source, source_end, headers->restart_interval > 0);
    scan->kept->next = scan->kept->lanes.behind->end;
    list_destinations(scan);
  } else {
    nuke_jpeg_start_bits(&scan->bits, source, source_end);
  }
}

static JPEGDirectResult read_rows(
  Scan *scan, const JPEGHeaders *headers, JPEGPixels *pixels, const nuke_jpeg_decoding *decoding) {
  const ReadUnits read = fastest(scan);
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
            if (!restart(scan, restarts++ & 7)) return JPEGDirectDeclined;
            memset(scan->predictions, 0, sizeof scan->predictions);
            left = headers->restart_interval;
          }
          if (count > left) count = left;
          left -= count;
        }
        if (!read(scan, done, count) || !add_up(scan, done, count)) return JPEGDirectDeclined;
        done += count;
      }
      nuke_jpeg_transform(pixels, x, batch);
      // Blocks that keep only DC coefficients collect them for the whole row.
      for (unsigned r = 0; r < scan->run_count; r++) {
        Run *run = &scan->runs[r];
        for (unsigned b = 0; b < run->count && !run->keeps_all; b++) run->targets[b] += batch * run->steps[b];
      }
    }
    memcpy(scan->runs, row_runs, sizeof row_runs);
    nuke_jpeg_end_row(pixels);
  }
  return nuke_jpeg_is_within(bits_of(scan)) ? JPEGDirectDone : JPEGDirectDeclined;
}

JPEGDirectResult nuke_jpeg_decode_baseline(
  const JPEGHeaders *headers, const JPEGScan *header, const nuke_jpeg_decoding *decoding) {
  if (header->first != 0 || header->last != 63 || header->high_bit != 0 || header->low_bit != 0) {
    return JPEGDirectDeclined;
  }
  JPEGDirectResult result = JPEGDirectDeclined;
  Scan *scan = malloc(sizeof *scan);
  JPEGPixels *pixels = nuke_jpeg_pixels_create(headers, decoding, false);
  const bool keeps_all = pixels && nuke_jpeg_target(pixels, 0)->size > 1;
  KeptSymbols *kept = keeps_all ? NULL : malloc(sizeof *kept);
  if (scan && pixels && (keeps_all || kept)) {
    scan->run_count = 0;
    memset(scan->predictions, 0, sizeof scan->predictions);
    scan->kept = kept;
    if (kept) kept->lanes.ring = (JPEGRing){0};
    if (set_up(scan, headers, header, pixels)) {
      start(scan, headers, header);
      result = read_rows(scan, headers, pixels, decoding);
    }
  }
  nuke_jpeg_pixels_free(pixels);
  free(kept);
  free(scan);
  return result;
}
