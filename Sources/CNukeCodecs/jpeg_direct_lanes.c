#include "jpeg_direct.h"

// Huffman decoding is bound by latency: each lookup selects the next one. So two bit readers decode two positions of a
// scan alternately. The second one starts in the middle of a code, and soon synchronizes, since Huffman codes are
// self-synchronizing. Its output is used only if the first reader reaches, at an MCU boundary, the very bit where that
// output begins: all state that decides about the bits behind it is then the same.
//
// Only rare codes take a branch: a misprediction would discard the work that both readers did in advance. For the same
// reason, coefficients are not computed here.

enum {
#ifdef NUKE_COMPARE_DECODERS
  // Small values for fuzzing, whose files are small.
  FarthestAhead = 300,
  NearestAhead = 100,
  WarmUp = 60,
  MissesAllowed = 1000,
#else
  FarthestAhead = 32 << 10,
  NearestAhead = 6 << 10,
  // The number of bytes within which a reader must synchronize.
  WarmUp = 1536,
  MissesAllowed = 3,
#endif
  FallsAllowed = 100,
  // The maximum number of symbols that a round of lookups and the rest of an MCU write.
  SymbolsPerRound = 512,
  CoefficientsLeft = 62 << JPEGStepAdvance,
  NoneLeft = 64 << JPEGStepAdvance,
};

typedef struct {
  // Above the number of bits in `count`: the number of coefficients that may still follow in the block, at the position
  // of a step's advance.
  JPEGCursor at;
  // The current slot of the ring, and its lookup table.
  const JPEGStep *const *slot;
  const JPEGStep *steps;
  JPEGKeptSymbol *kept;
} Cursor;

static Cursor cursor_of(const JPEGLanes *lanes, const JPEGLane *lane) {
  return (Cursor){
    .at = {lane->bits.bits, lane->bits.count | CoefficientsLeft, lane->bits.next},
    .slot = lanes->ring.steps,
    .steps = lanes->ring.steps[0],
    .kept = lane->end,
  };
}

static void keep(JPEGLane *lane, const Cursor *cursor) {
  lane->bits.bits = cursor->at.bits;
  lane->bits.count = cursor->at.count & 63;
  lane->bits.next = cursor->at.next;
  lane->end = cursor->kept;
}

// Ensures enough bits and slots for four lookups.
NUKE_INLINE void prepare(const JPEGLanes *lanes, Cursor *cursor) {
  jpeg_refill(&cursor->at);
  const JPEGStep *const *back = cursor->slot - JPEGRingCount;
  cursor->slot = back >= lanes->ring.steps ? back : cursor->slot;
}

NUKE_INLINE void write_symbol(JPEGKeptSymbol *target, uint64_t bits, unsigned step) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  // Two overlapping stores are faster than combining the values in a register.
  const uint16_t low = (uint16_t)step;
  memcpy(target, &bits, 8);
  memcpy(target, &low, 2);
#else
  *target = (bits & ~(uint64_t)0xFFFF) | (uint16_t)step;
#endif
}

// Decodes a symbol by the lookup table. Returns false if its code is not in it, or if it is the last coefficient, which
// no end-of-block code follows.
NUKE_INLINE bool step(Cursor *cursor) {
  const unsigned entry = cursor->steps[cursor->at.bits >> (64 - JPEGLookupBits)];
  const unsigned count = cursor->at.count - entry, restarted = (count & 63) | CoefficientsLeft;
  if (NUKE_UNLIKELY(count & NoneLeft)) return false;
  const JPEGStep *next = cursor->slot[1];
  // Forces the load, which the compiler would otherwise put behind a branch.
  __asm__("" : "+r"(next));
  const bool leaves = entry & JPEGStepLeaves;
  write_symbol(cursor->kept, cursor->at.bits, entry);
  cursor->kept += entry / JPEGStepKept;
  cursor->at.bits <<= entry & 63;
  cursor->at.count = NUKE_UNPREDICTABLE(leaves) ? restarted : count;
  cursor->steps = NUKE_UNPREDICTABLE(leaves) ? next : cursor->steps;
  cursor->slot += leaves;
  return true;
}

// Decodes a symbol with a code of any length. Returns false if the code is invalid.
static __attribute__((noinline)) bool step_slowly(const JPEGLanes *lanes, Cursor *cursor) {
  const ptrdiff_t slot = cursor->slot - lanes->ring.steps;
  const bool is_first = slot % 2 == 0;
  jpeg_refill(&cursor->at);
  const uint64_t bits = cursor->at.bits;
  const int symbol = jpeg_symbol(&cursor->at, lanes->ring.codes[slot]);
  if (symbol < 0) return false;
  jpeg_drop(&cursor->at, symbol & 15);
  const bool is_end = !is_first && (symbol & 15) == 0 && symbol != 0xF0;
  // An end-of-block code counts as a zero coefficient, as in the entries.
  const unsigned advance = is_first ? 0 : is_end ? 1 : ((unsigned)symbol >> 4) + 1;
  const unsigned left = cursor->at.count >> JPEGStepAdvance & 127;
  if (advance > left + 1) return false;
  const bool leaves = is_first || is_end || advance > left;
  if (leaves) {
    cursor->at.count = (cursor->at.count & 63) | CoefficientsLeft;
    cursor->steps = *++cursor->slot;
  } else {
    cursor->at.count -= advance << JPEGStepAdvance;
  }
  if (lanes->ring.keeps >> slot & 1) {
    const unsigned step = advance << JPEGStepAdvance | (leaves ? JPEGStepLeaves : 0);
    write_symbol(cursor->kept++, bits, step);
  }
  return true;
}

// Passes the address of a copy, so that the cursor itself stays in registers.
NUKE_INLINE bool stepped_slowly(const JPEGLanes *lanes, Cursor *cursor) {
  Cursor copy = *cursor;
  const bool is_possible = step_slowly(lanes, &copy);
  *cursor = copy;
  return is_possible;
}

// Decodes the rest of an MCU.
static bool finish(const JPEGLanes *lanes, Cursor cursor, JPEGLane *lane) {
  bool ok = true;
  while (ok && !(lanes->ring.starts >> (cursor.slot - lanes->ring.steps) & 1)) {
    prepare(lanes, &cursor);
    ok = step(&cursor) || step_slowly(lanes, &cursor);
  }
  keep(lane, &cursor);
  return ok;
}

// Decodes a single MCU, without reading ahead of it.
static bool read_unit(const JPEGLanes *lanes, JPEGLane *lane) {
  if (lane->bits.next > lane->bits.limit && !nuke_jpeg_more(&lane->bits)) return false;
  Cursor cursor = cursor_of(lanes, lane);
  jpeg_refill(&cursor.at);
  return (step(&cursor) || step_slowly(lanes, &cursor)) && finish(lanes, cursor, lane);
}

// MARK: Many MCUs

NUKE_INLINE bool read_one(const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
  JPEGKeptSymbol *const full = lane->symbols + JPEGLaneSymbols - SymbolsPerRound;
  Cursor cursor = cursor_of(lanes, lane);
  bool ok = true;
  while (ok && cursor.at.next <= limit && cursor.kept < full) {
    prepare(lanes, &cursor);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      if (step(&cursor)) continue;
      ok = stepped_slowly(lanes, &cursor);
      break;
    }
  }
  return ok && finish(lanes, cursor, lane);
}

typedef enum { BothRead, AheadFailed, BehindFailed } PairResult;

NUKE_INLINE PairResult read_pair(
  const JPEGLanes *lanes, JPEGLane *behind, const uint8_t *behind_limit, JPEGLane *ahead, const uint8_t *ahead_limit) {
  JPEGKeptSymbol *const behind_full = behind->symbols + JPEGLaneSymbols - SymbolsPerRound;
  JPEGKeptSymbol *const ahead_full = ahead->symbols + JPEGLaneSymbols - SymbolsPerRound;
  Cursor a = cursor_of(lanes, behind), b = cursor_of(lanes, ahead);
  PairResult result = BothRead;
  while (a.at.next <= behind_limit && b.at.next <= ahead_limit && a.kept < behind_full && b.kept < ahead_full) {
    prepare(lanes, &a);
    prepare(lanes, &b);
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
      if (NUKE_UNLIKELY(!step(&a))) {
        if (stepped_slowly(lanes, &a)) break;
        result = BehindFailed;
        goto end;
      }
      if (NUKE_UNLIKELY(!step(&b))) {
        if (stepped_slowly(lanes, &b)) break;
        result = AheadFailed;
        goto end;
      }
    }
  }
end:
  if (result == AheadFailed) keep(ahead, &b);
  if (result != BehindFailed && !finish(lanes, a, behind)) result = BehindFailed;
  if (result == BothRead && !finish(lanes, b, ahead)) result = AheadFailed;
  return result;
}

static bool read_one_plain(const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
  return read_one(lanes, lane, limit);
}

static PairResult read_pair_plain(
  const JPEGLanes *lanes, JPEGLane *behind, const uint8_t *behind_limit, JPEGLane *ahead, const uint8_t *ahead_limit) {
  return read_pair(lanes, behind, behind_limit, ahead, ahead_limit);
}

#if defined(__x86_64__)
// With BMI2, a shift by the lowest bits of a register takes one instruction.
__attribute__((target("bmi2"))) static bool read_one_bmi2(
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

static bool read_alone(const JPEGLanes *lanes, JPEGLane *lane, const uint8_t *limit) {
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

// MARK: Positions of the readers

void nuke_jpeg_lanes_append(
  JPEGRing *ring, unsigned index, unsigned count, const JPEGStep *firsts, const JPEGCodes *dc, const JPEGStep *rests,
  const JPEGCodes *ac, bool keeps_all) {
  for (unsigned slot = index * 2; slot < JPEGRingCount + JPEGRingBeyond; slot += count * 2) {
    ring->steps[slot] = firsts;
    ring->codes[slot] = dc;
    ring->keeps |= 1u << slot;
    if (index == 0) ring->starts |= 1u << slot;
    if (slot + 1 == JPEGRingCount + JPEGRingBeyond) break;
    ring->steps[slot + 1] = rests;
    ring->codes[slot + 1] = ac;
    if (keeps_all) ring->keeps |= 1u << (slot + 1);
  }
}

void nuke_jpeg_lanes_start(JPEGLanes *lanes, const uint8_t *source, const uint8_t *source_end, bool has_restarts) {
  lanes->behind = &lanes->memory[0];
  lanes->ahead = &lanes->memory[1];
  lanes->state = JPEGAheadNone;
  // Restart intervals are usually too short for a second reader.
  lanes->misses = has_restarts ? MissesAllowed : 0;
  lanes->behind->end = lanes->behind->symbols;
  nuke_jpeg_start_bits(&lanes->behind->bits, source, source_end);
}

// Starts the second reader in the middle of the remaining data, if there is enough of it.
static void send_ahead(JPEGLanes *lanes) {
  JPEGBits *bits = &lanes->behind->bits;
  const size_t half = (size_t)(bits->source_end - bits->source) / 2;
  if (lanes->misses >= MissesAllowed || bits->ended || half < NearestAhead) return;
  const uint8_t *mark = bits->source + (half < FarthestAhead ? half : FarthestAhead);
  while (mark < bits->source_end && mark[-1] == 0xFF) mark++;
  bits->mark_source = mark;
  lanes->ahead->end = lanes->ahead->symbols;
  nuke_jpeg_start_bits(&lanes->ahead->bits, mark, bits->source_end);
  lanes->state = JPEGAheadWarmsUp;
  lanes->falls = 0;
}

static void call_back(JPEGLanes *lanes, bool missed) {
  lanes->state = JPEGAheadNone;
  lanes->misses += missed;
}

// The first reader has reached the symbols of the second, or passed their beginning: the readers swap roles.
static bool meet(JPEGLanes *lanes) {
  JPEGLane *const met = lanes->ahead;
  const int64_t offset = nuke_jpeg_offset(&lanes->behind->bits);
  if (offset != lanes->ahead_offset) {
    call_back(lanes, true);
    return false;
  }
  call_back(lanes, false);
  lanes->misses = 0;
  lanes->ahead = lanes->behind;
  lanes->behind = met;
  return met->end > met->symbols;
}

// Returns the position up to which a reader can decode without refilling its window.
static const uint8_t *limit_of(const JPEGBits *bits) { return bits->ended ? bits->end - 64 : bits->limit; }

static const uint8_t *nearer(const uint8_t *a, const uint8_t *b) { return a < b ? a : b; }

// Returns true if a reader's symbol buffer is full, or its data is used up.
static bool is_done(const JPEGLane *lane) {
  return lane->end >= lane->symbols + JPEGLaneSymbols - SymbolsPerRound ||
         (lane->bits.ended && lane->bits.next > limit_of(&lane->bits));
}

// Decodes with both readers. Returns false if the first one fails.
static bool read_alternately(JPEGLanes *lanes, const uint8_t *behind_limit) {
  JPEGLane *const ahead = lanes->ahead;
  if (!ahead->bits.ended && ahead->bits.next > ahead->bits.limit) nuke_jpeg_more(&ahead->bits);
  const uint8_t *limit = limit_of(&ahead->bits);
  if (lanes->state == JPEGAheadWarmsUp) {
    limit = nearer(limit, ahead->bits.window + ahead->bits.mark + WarmUp);
    ahead->end = ahead->symbols;
  }
  const PairResult result = read_both(lanes, lanes->behind, behind_limit, ahead, limit);
  if (result == BehindFailed) return false;
  if (result == AheadFailed && lanes->state == JPEGAheadWarmsUp && lanes->falls++ < FallsAllowed) {
    // Not synchronized: try again one bit later.
    ahead->bits.bits <<= 1;
    ahead->bits.count--;
  } else if (result == AheadFailed) {
    call_back(lanes, true);
  } else if (lanes->state == JPEGAheadWarmsUp && nuke_jpeg_offset(&ahead->bits) >= (WarmUp - 8) * 8) {
    ahead->end = ahead->symbols;
    lanes->ahead_offset = nuke_jpeg_offset(&ahead->bits);
    lanes->state = JPEGAheadReads;
  } else if (is_done(ahead)) {
    // The second reader would slow down the first.
    if (lanes->state == JPEGAheadWarmsUp) {
      call_back(lanes, true);
    } else {
      lanes->state = JPEGAheadWaits;
    }
  }
  return true;
}

bool nuke_jpeg_lanes_read(JPEGLanes *lanes) {
  lanes->behind->end = lanes->behind->symbols;
  if (lanes->state >= JPEGAheadReads && nuke_jpeg_offset(&lanes->behind->bits) >= lanes->ahead_offset) {
    if (meet(lanes)) return true;
  }
  if (lanes->state == JPEGAheadNone) send_ahead(lanes);
  JPEGLane *const behind = lanes->behind;
  JPEGBits *const bits = &behind->bits;
  if (!bits->ended && bits->next > bits->limit && !nuke_jpeg_more(bits)) return false;
  if (bits->ended && lanes->state != JPEGAheadNone && bits->mark_source) call_back(lanes, true);
  const uint8_t *limit = limit_of(bits);
  if (lanes->state >= JPEGAheadReads && !bits->mark_source) {
    // A round reads up to 7 bytes. It must not pass the position where the second reader began.
    limit = nearer(limit, bits->window + bits->mark + lanes->ahead_offset / 8 - 8);
  }
  if (bits->next > limit) return read_unit(lanes, behind);
  if (lanes->state == JPEGAheadWarmsUp || lanes->state == JPEGAheadReads) return read_alternately(lanes, limit);
  return read_alone(lanes, behind, limit);
}
