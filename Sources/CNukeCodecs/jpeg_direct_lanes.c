#include "jpeg_direct.h"

#include <stdlib.h>

// Huffman decoding is bound by latency: each lookup selects the next one. So two bit readers decode two positions of a
// scan alternately. The second one starts in the middle of a code, and soon synchronizes, since Huffman codes are
// self-synchronizing. Its output is used only if the first reader reaches, at an MCU boundary, the very bit where that
// output begins: all state that affects the following bits is then the same.
//
// Only rare codes take a branch: a misprediction would discard the work that both readers did in advance.

typedef struct JPEGDistances {
  // The least and the greatest distance of the second reader, and the memory of each, in bytes.
  size_t nearest, farthest, memory;
  // The number of bytes within which the second reader must synchronize.
  unsigned warm_up;
  // The number of failures in a row after which there is no second reader.
  unsigned misses;
} Distances;

static const Distances *distances_for(size_t size) {
  static const Distances usual = {
    .nearest = 4 << 10, .farthest = 32 << 10, .memory = 384 << 10, .warm_up = 1 << 10, .misses = 3};
#ifdef NUKE_FUZZING
  // For fuzzing, most of whose files are small.
  static const Distances small = {
    .nearest = 100, .farthest = 300, .memory = 40 << 10, .warm_up = 60, .misses = 1000};
  if (size < 24 << 10) return &small;
#endif
  (void)size;
  return &usual;
}

enum {
  FallsAllowed = 100,
  CoefficientsLeft = 62 << JPEGEntryAdvance,
  NoneLeft = 64 << JPEGEntryAdvance,
};

// The position in the block for each number of coefficients that may still follow, but the last.
static const uint8_t position_by_left[64] = {
  62, 55, 47, 54, 61, 60, 53, 46, 39, 31, 38, 45, 52, 59, 58, 51, 44, 37, 30, 23, 15,
  22, 29, 36, 43, 50, 57, 56, 49, 42, 35, 28, 21, 14, 7,  6,  13, 20, 27, 34, 41, 48,
  40, 33, 26, 19, 12, 5,  4,  11, 18, 25, 32, 24, 17, 10, 3,  2,  9,  16, 8,  1,  0,
};

typedef struct {
  // Above the number of bits in `count`: the number of coefficients that may still follow in the block, at the position
  // of an entry's advance.
  JPEGCursor at;
  const JPEGSlot *slot;
  const JPEGEntry *entries;
} Cursor;

NUKE_INLINE Cursor cursor_of(const JPEGLane *lane) {
  return (Cursor){
    .at = {lane->bits.bits, (lane->bits.count & 63) | lane->left << JPEGEntryAdvance, lane->bits.next},
    .slot = lane->slot,
    .entries = lane->slot->entries,
  };
}

NUKE_INLINE void keep(JPEGLane *lane, const Cursor *cursor) {
  lane->bits.bits = cursor->at.bits;
  lane->bits.count = cursor->at.count & 63;
  lane->bits.next = cursor->at.next;
  lane->left = cursor->at.count >> JPEGEntryAdvance & 63;
  lane->slot = cursor->slot;
}

// Decodes a coefficient by the lookup table. Returns false if its code is not in it, or if it is the last one of a
// block, which no end-of-block code follows, and at the end of the slots.
NUKE_INLINE bool step(Cursor *cursor) {
  const JPEGEntry entry = cursor->entries[cursor->at.bits >> (64 - JPEGEntryBits)];
  const unsigned count = cursor->at.count - entry, restarted = (count & 63) | CoefficientsLeft;
  if (NUKE_UNLIKELY(count & NoneLeft)) return false;
  const JPEGEntry *next = cursor->slot[1].entries;
  // Forces the load, which the compiler would otherwise put behind a branch.
  __asm__("" : "+r"(next));
  cursor->slot->target[position_by_left[count >> JPEGEntryAdvance & 63]] = (int16_t)(entry >> JPEGEntryValue);
  const bool leaves = entry & JPEGEntryLeaves;
  cursor->at.bits <<= entry & 63;
  cursor->at.count = NUKE_UNPREDICTABLE(leaves) ? restarted : count;
  cursor->entries = NUKE_UNPREDICTABLE(leaves) ? next : cursor->entries;
  cursor->slot += leaves;
  return true;
}

// Decodes a coefficient with a code of any length. Returns false if the code is invalid.
static __attribute__((noinline)) bool step_slowly(const JPEGLanes *lanes, const JPEGLane *lane, Cursor *cursor) {
  const size_t index = (size_t)(cursor->slot - lane->slots);
  const JPEGBlock *block = &lanes->blocks[index / 2 % lanes->block_count];
  const bool is_first = index % 2 == 0;
  jpeg_refill(&cursor->at);
  const int symbol = jpeg_symbol(&cursor->at, is_first ? block->dc : block->ac);
  if (symbol < 0) return false;
  const int value = jpeg_number(&cursor->at, symbol & 15);
  bool leaves = true;
  if (is_first) {
    *cursor->slot->target = (int16_t)value;
  } else if ((symbol & 15) != 0 || symbol == 0xF0) {
    const unsigned left = cursor->at.count >> JPEGEntryAdvance & 63, advance = ((unsigned)symbol >> 4) + 1;
    if (advance > left + 1) return false;
    cursor->slot->target[nuke_jpeg_natural_order[62 - left + advance]] = (int16_t)value;
    leaves = advance > left;
    cursor->at.count -= advance << JPEGEntryAdvance;
  }
  if (leaves) {
    cursor->at.count = (cursor->at.count & 63) | CoefficientsLeft;
    cursor->entries = (++cursor->slot)->entries;
  }
  return true;
}

// Passes the address of a copy, so that the cursor itself stays in registers.
NUKE_INLINE bool stepped_slowly(const JPEGLanes *lanes, const JPEGLane *lane, Cursor *cursor) {
  Cursor copy = *cursor;
  const bool is_possible = step_slowly(lanes, lane, &copy);
  *cursor = copy;
  return is_possible;
}

// MARK: Reading

typedef enum { ReadUpToLimit, ReadUpToEnd, ReadFailed } ReadResult;

// Decodes up to a position in the window, but at least four coefficients, or up to the end of the slots.
NUKE_INLINE ReadResult read_one(const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
  Cursor cursor = cursor_of(lane);
  ReadResult result = ReadUpToLimit;
  do {
    jpeg_refill(&cursor.at);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      if (NUKE_LIKELY(step(&cursor))) continue;
      if (cursor.entries == lanes->stop) {
        result = ReadUpToEnd;
      } else if (!stepped_slowly(lanes, lane, &cursor)) {
        result = ReadFailed;
      }
      break;
    }
  } while (cursor.at.next <= limit && result == ReadUpToLimit);
  keep(lane, &cursor);
  return result;
}

typedef struct {
  ReadResult behind, ahead;
} PairResult;

// The same for both readers, until one of them has to stop.
NUKE_INLINE PairResult read_pair(
  const JPEGLanes *lanes, JPEGLane *behind, const uint8_t *behind_limit, JPEGLane *ahead, const uint8_t *ahead_limit) {
  Cursor a = cursor_of(behind), b = cursor_of(ahead);
  PairResult result = {ReadUpToLimit, ReadUpToLimit};
  while (a.at.next <= behind_limit && b.at.next <= ahead_limit) {
    jpeg_refill(&a.at);
    jpeg_refill(&b.at);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      if (NUKE_UNLIKELY(!step(&a))) {
        if (a.entries != lanes->stop && stepped_slowly(lanes, behind, &a)) break;
        result.behind = a.entries == lanes->stop ? ReadUpToEnd : ReadFailed;
        goto end;
      }
      if (NUKE_UNLIKELY(!step(&b))) {
        if (b.entries != lanes->stop && stepped_slowly(lanes, ahead, &b)) break;
        result.ahead = b.entries == lanes->stop ? ReadUpToEnd : ReadFailed;
        goto end;
      }
    }
  }
end:
  keep(behind, &a);
  keep(ahead, &b);
  return result;
}

static ReadResult read_one_plain(const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
  return read_one(lanes, lane, limit);
}

static PairResult read_pair_plain(
  const JPEGLanes *lanes, JPEGLane *behind, const uint8_t *behind_limit, JPEGLane *ahead, const uint8_t *ahead_limit) {
  return read_pair(lanes, behind, behind_limit, ahead, ahead_limit);
}

#if defined(__x86_64__)
// With BMI2, a shift by the lowest bits of a register takes one instruction.
__attribute__((target("bmi2"))) static ReadResult read_one_bmi2(
  const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
  return read_one(lanes, lane, limit);
}

__attribute__((target("bmi2"))) static PairResult read_pair_bmi2(
  const JPEGLanes *lanes, JPEGLane *behind, const uint8_t *behind_limit, JPEGLane *ahead, const uint8_t *ahead_limit) {
  return read_pair(lanes, behind, behind_limit, ahead, ahead_limit);
}
#endif

static bool has_bmi2(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

static ReadResult read_alone(const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
#if defined(__x86_64__)
  if (has_bmi2()) return read_one_bmi2(lanes, lane, limit);
#endif
  return read_one_plain(lanes, lane, limit);
}

static PairResult read_both(
  const JPEGLanes *lanes, JPEGLane *behind, const uint8_t *behind_limit, JPEGLane *ahead, const uint8_t *ahead_limit) {
#if defined(__x86_64__)
  if (has_bmi2()) return read_pair_bmi2(lanes, behind, behind_limit, ahead, ahead_limit);
#endif
  return read_pair_plain(lanes, behind, behind_limit, ahead, ahead_limit);
}

// Decodes the rest of an MCU; a whole one with `begins`. The window must hold as much.
static bool finish(const JPEGLanes *lanes, JPEGLane *lane, bool begins) {
  Cursor cursor = cursor_of(lane);
  const unsigned unit = lanes->block_count * 2;
  bool ok = true;
  while (ok && (begins || (size_t)(cursor.slot - lane->slots) % unit != 0)) {
    const JPEGSlot *slot = cursor.slot;
    jpeg_refill(&cursor.at);
    ok = step(&cursor) || step_slowly(lanes, lane, &cursor);
    begins = begins && cursor.slot == slot;
  }
  keep(lane, &cursor);
  return ok;
}

// MARK: Memory

// Returns the coefficients of a block in the first MCU.
static int16_t *target_of(const JPEGLane *lane, const JPEGBlock *block) {
  const JPEGTarget *target = &lane->targets[block->component];
  const size_t size = target->size == 1 ? 1 : 64;
  return target->coefficients + ((size_t)block->y * target->row_blocks + block->x) * size;
}

static bool allocate(JPEGLanes *lanes, JPEGLane *lane, const JPEGTarget *targets, unsigned component_count) {
  const size_t units = lanes->capacity, slot_count = units * lanes->block_count * 2;
  size_t size = 0;
  for (unsigned i = 0; i < component_count; i++) {
    lane->targets[i] = targets[i];
    lane->targets[i].row_blocks = (unsigned)units * lane->targets[i].across;
    size += (size_t)lane->targets[i].row_blocks * lane->targets[i].down * (lane->targets[i].size == 1 ? 1 : 64);
  }
  lane->coefficients = malloc(size * sizeof(int16_t));
  lane->slots = malloc((slot_count + 1) * sizeof *lane->slots);
  if (!lane->coefficients || !lane->slots) return false;
  int16_t *coefficients = lane->coefficients;
  for (unsigned i = 0; i < component_count; i++) {
    JPEGTarget *target = &lane->targets[i];
    target->coefficients = coefficients;
    coefficients += (size_t)target->row_blocks * target->down * (target->size == 1 ? 1 : 64);
  }
  for (size_t unit = 0; unit < units; unit++) {
    for (unsigned b = 0; b < lanes->block_count; b++) {
      const JPEGBlock *block = &lanes->blocks[b];
      const JPEGTarget *target = &lane->targets[block->component];
      JPEGSlot *slots = lane->slots + (unit * lanes->block_count + b) * 2;
      int16_t *first = target_of(lane, block) + unit * target->across * (target->size == 1 ? 1 : 64);
      slots[0] = (JPEGSlot){block->dc_entries, first};
      slots[1] = (JPEGSlot){block->ac_entries, target->size == 1 ? lanes->dropped : first};
    }
  }
  lane->slots[slot_count] = (JPEGSlot){lanes->stop, lanes->dropped};
  return true;
}

// Moves a reader to the start of its memory, which is cleared for `units` MCUs.
static void rewind_lane(JPEGLane *lane, unsigned component_count, unsigned units) {
  lane->slot = lane->slots;
  lane->left = CoefficientsLeft >> JPEGEntryAdvance;
  for (unsigned i = 0; i < component_count; i++) {
    const JPEGTarget *target = &lane->targets[i];
    // Each DC coefficient is written.
    if (target->size == 1) continue;
    for (unsigned y = 0; y < target->down; y++) {
      memset(target->coefficients + (size_t)y * target->row_blocks * 64, 0, (size_t)units * target->across * 128);
    }
  }
}

static unsigned units_of(const JPEGLanes *lanes, const JPEGLane *lane) {
  return (unsigned)(lane->slot - lane->slots) / (lanes->block_count * 2);
}

// Sets the distance of the second reader so that its memory lasts, if MCUs are as long as the given ones.
static void set_distance(JPEGLanes *lanes, size_t size, size_t units) {
  const size_t distance = size * lanes->capacity / units / 4 * 3;
  lanes->distance = distance < lanes->distances->farthest ? distance : lanes->distances->farthest;
  if (lanes->distance < lanes->distances->nearest) lanes->distance = lanes->distances->nearest;
}

bool nuke_jpeg_lanes_start(
  JPEGLanes *lanes, const JPEGHeaders *headers, const JPEGTarget *targets, size_t unit_count, const uint8_t *source,
  const uint8_t *source_end) {
  const size_t size = (size_t)(source_end - source);
  const Distances *distances = distances_for(size);
  lanes->component_count = headers->component_count;
  size_t unit_size = 0;
  for (unsigned b = 0; b < lanes->block_count; b++) {
    const bool keeps_all = targets[lanes->blocks[b].component].size > 1;
    unit_size += 2 * sizeof(JPEGSlot) + (keeps_all ? 64 : 1) * sizeof(int16_t);
  }
  lanes->distances = distances;
  lanes->capacity = (unsigned)(distances->memory / unit_size);
  // Restart intervals are usually too short for a second reader.
  lanes->is_single = headers->restart_interval > 0 || size / 2 < distances->nearest;
  set_distance(lanes, size, unit_count);
  if (lanes->is_single) lanes->capacity = JPEGBatch;
  lanes->state = JPEGAheadNone;
  lanes->misses = 0;
  for (unsigned i = 0; i < JPEGEntryCount; i++) lanes->stop[i] = JPEGEntryTooLong;
  lanes->behind = &lanes->memory[0];
  lanes->ahead = &lanes->memory[1];
  for (unsigned i = 0; i < (lanes->is_single ? 1 : 2); i++) {
    if (!allocate(lanes, &lanes->memory[i], targets, headers->component_count)) return false;
  }
  nuke_jpeg_start_bits(&lanes->behind->bits, source, source_end);
  return true;
}

void nuke_jpeg_lanes_free(JPEGLanes *lanes) {
  for (unsigned i = 0; i < 2; i++) {
    free(lanes->memory[i].coefficients);
    free(lanes->memory[i].slots);
  }
}

// MARK: Positions of the readers

// Starts the second reader in the middle of the remaining data, if there is enough of it.
static void send_ahead(JPEGLanes *lanes) {
  JPEGBits *bits = &lanes->behind->bits;
  const size_t half = (size_t)(bits->source_end - bits->source) / 2;
  if (lanes->is_single || bits->ended || half < lanes->distances->nearest) return;
  const uint8_t *mark = bits->source + (half < lanes->distance ? half : lanes->distance);
  while (mark < bits->source_end && mark[-1] == 0xFF) mark++;
  bits->mark_source = mark;
  nuke_jpeg_start_bits(&lanes->ahead->bits, mark, bits->source_end);
  rewind_lane(lanes->ahead, 0, 0);
  lanes->state = JPEGAheadWarmsUp;
  lanes->falls = 0;
}

static void call_back(JPEGLanes *lanes, bool missed) {
  lanes->state = JPEGAheadNone;
  lanes->misses = missed ? lanes->misses + 1 : 0;
  if (lanes->misses >= lanes->distances->misses) lanes->is_single = true;
}

void nuke_jpeg_lanes_stop_ahead(JPEGLanes *lanes) {
  lanes->state = JPEGAheadNone;
  lanes->is_single = true;
}

// The first reader has reached the output of the second, or passed its beginning: the readers swap roles. Returns the
// number of MCUs that are decoded; 0 if none are.
static unsigned meet(JPEGLanes *lanes) {
  JPEGLane *const met = lanes->ahead;
  const bool missed = nuke_jpeg_offset(&lanes->behind->bits) != lanes->ahead_offset;
  call_back(lanes, missed);
  if (missed) return 0;
  const unsigned units = units_of(lanes, met);
  if (units > 0) set_distance(lanes, (size_t)(nuke_jpeg_offset(&met->bits) - lanes->ahead_offset) / 8, units);
  lanes->ahead = lanes->behind;
  lanes->behind = met;
  return units;
}

// Returns the position in the window at `offset` bytes, within what can be decoded without refilling it.
static const uint8_t *limit_at(const JPEGBits *bits, int64_t offset) {
  if (offset >= bits->limit - bits->window) return bits->limit;
  return bits->window + (offset > 0 ? offset : 0);
}

// Returns true if the second reader cannot continue: the data ends.
static bool is_at_end(const JPEGBits *bits) { return bits->ended && bits->end - bits->next < 64; }

// Decodes with both readers. Returns what became of the first.
static ReadResult read_alternately(JPEGLanes *lanes, const uint8_t *behind_limit) {
  JPEGLane *const ahead = lanes->ahead;
  const bool warms_up = lanes->state == JPEGAheadWarmsUp;
  if (!ahead->bits.ended && ahead->bits.next > ahead->bits.limit) nuke_jpeg_more(&ahead->bits);
  const int64_t last = ahead->bits.ended ? ahead->bits.end - ahead->bits.window - 64 : INT64_MAX;
  const int64_t warm = warms_up ? ahead->bits.mark + lanes->distances->warm_up : INT64_MAX;
  const PairResult result =
    read_both(lanes, lanes->behind, behind_limit, ahead, limit_at(&ahead->bits, last < warm ? last : warm));
  if (result.ahead == ReadFailed) {
    if (!warms_up || lanes->falls++ >= FallsAllowed) {
      call_back(lanes, true);
    } else {
      // Not synchronized: try again one bit later.
      rewind_lane(ahead, 0, 0);
      JPEGCursor cursor = {ahead->bits.bits, ahead->bits.count, ahead->bits.next};
      jpeg_refill(&cursor);
      jpeg_drop(&cursor, 1);
      ahead->bits.bits = cursor.bits;
      ahead->bits.count = cursor.count;
      ahead->bits.next = cursor.next;
    }
  } else if (result.ahead == ReadUpToEnd && warms_up) {
    rewind_lane(ahead, 0, 0);
  } else if (result.ahead == ReadUpToEnd || is_at_end(&ahead->bits)) {
    if (warms_up) {
      call_back(lanes, true);
    } else {
      lanes->state = JPEGAheadWaits;
    }
  } else if (warms_up && ahead->bits.next - ahead->bits.window > warm) {
    if (finish(lanes, ahead, false)) {
      rewind_lane(ahead, lanes->component_count, lanes->capacity);
      lanes->ahead_offset = nuke_jpeg_offset(&ahead->bits);
      lanes->state = JPEGAheadReads;
    } else {
      call_back(lanes, true);
    }
  }
  return result.behind;
}

// Decodes up to the end of the slots of the first reader, or until it may have reached the output of the second.
static bool read_behind(JPEGLanes *lanes) {
  JPEGLane *const behind = lanes->behind;
  JPEGBits *const bits = &behind->bits;
  ReadResult result = ReadUpToLimit;
  while (result == ReadUpToLimit) {
    if (bits->next > bits->limit && !nuke_jpeg_more(bits)) return false;
    if (bits->ended && lanes->state != JPEGAheadNone && bits->mark_source) call_back(lanes, true);
    const uint8_t *limit = bits->limit;
    if (lanes->state >= JPEGAheadReads && !bits->mark_source) {
      // A round reads up to 8 bytes. It must not pass the position where the second reader began.
      const int64_t stop = bits->mark + lanes->ahead_offset / 8 - 8;
      if (bits->next - bits->window > stop) {
        if (!finish(lanes, behind, behind->slot == behind->slots)) return false;
        return true;
      }
      limit = limit_at(bits, stop);
    }
    const bool has_second = lanes->state == JPEGAheadWarmsUp || lanes->state == JPEGAheadReads;
    // The last bits of the data are after the limit.
    const bool alternates = has_second && bits->next <= limit;
    result = alternates ? read_alternately(lanes, limit) : read_alone(lanes, behind, limit);
  }
  return result == ReadUpToEnd;
}

unsigned nuke_jpeg_lanes_read(JPEGLanes *lanes, unsigned count) {
  if (lanes->state >= JPEGAheadReads && nuke_jpeg_offset(&lanes->behind->bits) >= lanes->ahead_offset) {
    if (!finish(lanes, lanes->ahead, false)) call_back(lanes, true);
    const unsigned units = lanes->state >= JPEGAheadReads ? meet(lanes) : 0;
    if (units > 0) return units;
  }
  if (lanes->state == JPEGAheadNone) send_ahead(lanes);
  JPEGLane *const behind = lanes->behind;
  rewind_lane(behind, lanes->component_count, count);
  JPEGSlot *const end = behind->slots + (size_t)count * lanes->block_count * 2;
  const JPEGEntry *entries = end->entries;
  end->entries = lanes->stop;
  const bool ok = read_behind(lanes);
  end->entries = entries;
  return ok ? units_of(lanes, behind) : 0;
}
