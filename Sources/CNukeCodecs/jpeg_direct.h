// A JPEG decoder of our own for the files that nearly all are: Huffman coded, 8 bits, gray or YCbCr at the usual
// samplings. It makes the pixels that libjpeg-turbo makes, in less time, and judges nothing: whatever is unusual or
// looks damaged it declines, and libjpeg-turbo then decodes the file or says what is wrong with it.
#pragma once
#include "CNukeJPEGShim.h"

#include <string.h>

#define NUKE_INLINE static inline __attribute__((always_inline))
#define NUKE_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define NUKE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
// Of what is to be selected rather than branched on.
#if __has_builtin(__builtin_unpredictable)
#define NUKE_UNPREDICTABLE(condition) __builtin_unpredictable(condition)
#else
#define NUKE_UNPREDICTABLE(condition) (condition)
#endif

// MARK: Markers

typedef struct {
  uint8_t identifier, across, down, quantization;
} JPEGComponent;

typedef struct {
  // Positions in the frame's list, and the numbers of their Huffman tables.
  unsigned count;
  uint8_t component[3], dc_table[3], ac_table[3];
  uint8_t first, last, high_bit, low_bit;
  // The entropy-coded data.
  size_t start;
} JPEGScan;

// What the markers up to a scan say.
typedef struct {
  const uint8_t *data;
  size_t size;
  // Behind the marker segment that was read last.
  size_t offset;

  bool progressive;
  unsigned width, height;
  unsigned component_count;
  JPEGComponent components[3];
  bool jfif, adobe;
  uint8_t adobe_transform;

  uint16_t steps[4][64];
  bool has_steps[4];
  // The content of the segments: sixteen counts and the symbols. NULL where there is none.
  const uint8_t *dc_codes[4], *ac_codes[4];
  unsigned restart_interval;
} JPEGHeaders;

typedef enum { JPEGMarkerScan, JPEGMarkerEnd, JPEGMarkerDeclined } JPEGMarker;

// Reads on up to the next scan or the end of the image.
JPEGMarker nuke_jpeg_next_scan(JPEGHeaders *headers, JPEGScan *scan);

// Whether three components are YCbCr, as libjpeg guesses.
bool nuke_jpeg_is_ycc(const JPEGHeaders *headers);

// Positions of the coefficients in the order that they are coded in.
extern const uint8_t nuke_jpeg_natural_order[64];

// MARK: Huffman tables

enum {
  JPEGLookupBits = 12,
  JPEGLookupCount = 1 << JPEGLookupBits,
};

// The codes of one table.
typedef struct {
  // By the next 12 bits: length << 8 | symbol; 0 for a longer code.
  uint16_t codes[JPEGLookupCount];
  // Of the codes of each length: the largest one, -1 where there is none, and what leads from a code to its symbol.
  int32_t largest[17], offset[17];
  // In the order of the codes.
  unsigned count;
  uint8_t symbols[256], lengths[256];
} JPEGCodes;

// False where the codes that a segment gives cannot be.
bool nuke_jpeg_make_codes(JPEGCodes *codes, const uint8_t *content, bool is_dc);

// An entry of the 12-bit lookup table. Bits 0...5: code length and the bits behind the code. Bits 6...12: zero run + 1.
// Bit 14: the block continues. Bits 16...31: the coefficient, which may be 0.
//
// An end-of-block code that fits in behind a coefficient is part of its entry; alone it is a zero coefficient. A symbol
// of more than 12 bits has a run that no block can hold.
typedef uint32_t JPEGEntry;

enum { JPEGEntryGoesOn = 1 << 14, JPEGEntryAdvance = 6, JPEGEntryValue = 16, JPEGEntryTooLong = 127 };

void nuke_jpeg_make_dc_entries(JPEGEntry *entries, const JPEGCodes *codes);
// `long_ends` for progressive images, where an end may stand for several blocks: those are too long.
void nuke_jpeg_make_ac_entries(JPEGEntry *entries, const JPEGCodes *codes, bool long_ends);

// An entry of the 12-bit lookup table for readers that keep coded symbols instead of coefficients. Bits 0...5: bits to
// drop, more than 12 if the coefficient ends behind them. Bits 6...12: zero run + 1, 0 for the DC coefficient; 64 if the
// code is longer than 12 bits or all is longer than 14. Bit 14: the next lookup uses the next table, for the AC
// coefficients or the next block. Bit 15: the symbol is kept.
typedef uint16_t JPEGStep;

enum {
  JPEGStepBits = 14,
  JPEGStepAdvance = 6,
  JPEGStepTooLong = 64 << JPEGStepAdvance,
  JPEGStepLeaves = 1 << 14,
  JPEGStepKept = 1 << 15,
};

void nuke_jpeg_make_dc_steps(JPEGStep *steps, const JPEGCodes *codes);
// By the entries of the same codes: where those end a block, so do these.
void nuke_jpeg_make_ac_steps(JPEGStep *steps, const JPEGEntry *entries, const JPEGCodes *codes);
// As many coefficients as fit, of which none is kept.
void nuke_jpeg_make_ac_groups(JPEGStep *steps, const JPEGCodes *codes);

// MARK: Bits

enum {
  JPEGWindowBytes = 16 << 10,
  // More than the blocks of an MCU can take: 6 of 64 coefficients of up to 31 bits.
  JPEGUnitBytes = 1600,
};

// The bit reader: the entropy-coded bits up to the next marker, without stuffed zeros, in a window.
typedef struct {
  // The next bits, from the highest down, `count` of which have been counted as read.
  uint64_t bits;
  unsigned count;
  const uint8_t *next;
  // From here on `nuke_jpeg_more` is to be asked before the next MCU.
  const uint8_t *limit;
  const uint8_t *end;
  // What has not come into the window yet. Where that has ended, a marker or the end of the file.
  const uint8_t *source, *source_end;
  bool ended;
  // A position in the source that is not in the window yet, or NULL; not between 0xFF and its zero. Once it is, `mark`
  // is its offset from the start of the window.
  const uint8_t *mark_source;
  ptrdiff_t mark;
  // Behind the last byte there are always zeros for one more MCU.
  uint8_t window[JPEGWindowBytes + JPEGUnitBytes + 64];
} JPEGBits;

void nuke_jpeg_start_bits(JPEGBits *bits, const uint8_t *source, const uint8_t *source_end);
// Makes room for another MCU. False where more was read than there is.
bool nuke_jpeg_more(JPEGBits *bits);
// How many bits have been read behind the mark; very negative where it has not come into the window.
int64_t nuke_jpeg_offset(const JPEGBits *bits);
// Steps over restart marker `number`, 0...7, which has to come next.
bool nuke_jpeg_restart(JPEGBits *bits, unsigned number);
// Whether no more was read than there is.
bool nuke_jpeg_is_within(const JPEGBits *bits);

// The part of the state that decoding keeps in registers.
typedef struct {
  uint64_t bits;
  // Only the lowest six bits of it count, so that an entry can be subtracted as it is.
  unsigned count;
  const uint8_t *next;
} JPEGCursor;

// At least 56 bits.
NUKE_INLINE void jpeg_refill(JPEGCursor *cursor) {
  uint64_t word;
  memcpy(&word, cursor->next, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  cursor->bits |= word >> (cursor->count & 63);
  cursor->next += ~cursor->count >> 3 & 7;
  cursor->count |= 56;
}

NUKE_INLINE void jpeg_drop(JPEGCursor *cursor, unsigned count) {
  cursor->bits <<= count;
  cursor->count -= count;
}

// What the lowest six bits of `entry` say.
NUKE_INLINE void jpeg_drop_entry(JPEGCursor *cursor, uint32_t entry) {
  cursor->bits <<= entry & 63;
  cursor->count -= entry;
}

// The symbol of the next code, or a negative number where there is none such. At least 16 bits must be there.
NUKE_INLINE int jpeg_symbol(JPEGCursor *cursor, const JPEGCodes *codes) {
  const unsigned code = codes->codes[cursor->bits >> (64 - JPEGLookupBits)];
  if (NUKE_LIKELY(code)) {
    jpeg_drop(cursor, code >> 8);
    return code & 255;
  }
  for (unsigned length = JPEGLookupBits + 1; length <= 16; length++) {
    const int32_t value = (int32_t)(cursor->bits >> (64 - length));
    if (value > codes->largest[length]) continue;
    jpeg_drop(cursor, length);
    return codes->symbols[(value + codes->offset[length]) & 255];
  }
  return -1;
}

// A number of `size` bits, 0...15 (T.81, table F.1 and figure F.12).
NUKE_INLINE int jpeg_number(JPEGCursor *cursor, unsigned size) {
  if (size == 0) return 0;
  const int value = (int)(cursor->bits >> (64 - size));
  jpeg_drop(cursor, size);
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

// MARK: Lanes

// Two bit readers that read one scan at two positions, alternately. They are used for reduced sizes, which keep few
// coefficients.

// The lookup tables of the blocks of an MCU, DC and then AC of each, repeated for the MCUs that follow.
enum {
  // MCUs of 1, 2, 3, 4 or 6 blocks fill it.
  JPEGRingCount = 24,
  // A round of four lookups advances by four slots at most, and reads the slot behind.
  JPEGRingBeyond = 5,
};

typedef struct {
  const JPEGStep *steps[JPEGRingCount + JPEGRingBeyond];
  const JPEGCodes *codes[JPEGRingCount + JPEGRingBeyond];
  // A bit for each slot: whether an MCU begins there, and whether its symbols are kept.
  uint32_t starts, keeps;
} JPEGRing;

// A kept symbol: the coded bits from its code on, and its step in the lowest 16. The step of a code that is in no table
// has no length.
typedef uint64_t JPEGKeptSymbol;

enum {
#ifdef NUKE_COMPARE_DECODERS
  // For fuzzing, whose files are small.
  JPEGLaneSymbols = 1 << 10,
#else
  JPEGLaneSymbols = 16 << 10,
#endif
};

// One reader, always between two MCUs.
typedef struct {
  JPEGBits bits;
  // Of whole MCUs, up to `end`.
  JPEGKeptSymbol *end;
  JPEGKeptSymbol symbols[JPEGLaneSymbols];
} JPEGLane;

typedef enum {
  JPEGAheadNone,
  // Synchronizing with the code boundaries.
  JPEGAheadWarmsUp,
  JPEGAheadReads,
  // Its symbol buffer is full, or the data has ended.
  JPEGAheadWaits,
} JPEGAheadState;

typedef struct {
  JPEGRing ring;
  JPEGLane *behind, *ahead;
  JPEGAheadState state;
  // Where the symbols of the second reader begin, in bits behind the mark that both have.
  int64_t ahead_offset;
  // How often it was not synchronized, and how often it met an invalid code while synchronizing.
  unsigned misses, falls;
  JPEGLane memory[2];
} JPEGLanes;

// Puts blocks into the ring that follow each other in an MCU: of `count` the one with the number `index`. `keeps_all` tells
// whether all coefficients are kept, or the first one alone.
void nuke_jpeg_lanes_append(
  JPEGRing *ring, unsigned index, unsigned count, const JPEGStep *firsts, const JPEGCodes *dc, const JPEGStep *rests,
  const JPEGCodes *ac, bool keeps_all);
void nuke_jpeg_lanes_start(JPEGLanes *lanes, const uint8_t *source, const uint8_t *source_end, bool has_restarts);
// Reads more MCUs, whose symbols `behind` then holds. False where there is none.
bool nuke_jpeg_lanes_read(JPEGLanes *lanes);

// MARK: Pixels

typedef struct JPEGPixels JPEGPixels;

// What decoding has to fill for one component.
typedef struct {
  // MCUs have `across` times `down` blocks of it.
  unsigned across, down;
  // Samples a side that are made of a block.
  unsigned size;
  // The coefficients of `row_blocks` blocks, and as many rows of them as there are down: of a row of MCUs, or of
  // `JPEGBatch` of them. Where `size` is 1 only the first coefficient of each block, and always of a whole row.
  int16_t *coefficients;
  unsigned row_blocks;
} JPEGTarget;

enum { JPEGBatch = 16 };

// Takes the memory for one row of MCUs, `holds_rows` for all of its coefficients too. NULL where the sampling is unusual
// or there is no memory.
JPEGPixels *nuke_jpeg_pixels_create(const JPEGHeaders *headers, const nuke_jpeg_decoding *decoding, bool holds_rows);
void nuke_jpeg_pixels_free(JPEGPixels *pixels);
unsigned nuke_jpeg_units_across(const JPEGPixels *pixels);
unsigned nuke_jpeg_units_down(const JPEGPixels *pixels);
const JPEGTarget *nuke_jpeg_target(const JPEGPixels *pixels, unsigned component);
void nuke_jpeg_set_steps(JPEGPixels *pixels, unsigned component, const uint16_t steps[64]);

// Sets all coefficients to zero.
void nuke_jpeg_clear(JPEGPixels *pixels);

// Transforms `count` MCUs of the current row, from the `first` on, of the components that are larger than 1.
void nuke_jpeg_transform(JPEGPixels *pixels, unsigned first, unsigned count);
// Ends a row of MCUs: writes the pixels that are complete.
void nuke_jpeg_end_row(JPEGPixels *pixels);

// MARK: Decoders

typedef enum { JPEGDirectDone, JPEGDirectDeclined, JPEGDirectCancelled } JPEGDirectResult;

// `scan` is the first one, and holds all components.
JPEGDirectResult nuke_jpeg_decode_baseline(
  const JPEGHeaders *headers, const JPEGScan *scan, const nuke_jpeg_decoding *decoding);

// The same for an image of any number of scans, the rest of which are read from the headers.
JPEGDirectResult nuke_jpeg_decode_progressive(
  JPEGHeaders *headers, JPEGScan *first, const nuke_jpeg_decoding *decoding);

NUKE_INLINE bool jpeg_is_cancelled(const nuke_jpeg_decoding *decoding) {
  return decoding->is_cancelled && decoding->is_cancelled(decoding->context);
}

JPEGDirectResult nuke_jpeg_decode_direct(const nuke_jpeg_decoding *decoding);
