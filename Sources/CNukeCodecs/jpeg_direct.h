// Our own JPEG decoder, for the most common files: Huffman coded, 8 bits a sample, gray or YCbCr, with common sampling
// factors. Its pixels equal those of libjpeg-turbo, in less time. It reports no errors: files that are unusual or look
// damaged are declined, and libjpeg-turbo decodes them or reports the error.
#pragma once
#include "CNukeJPEGShim.h"

#include <string.h>

#define NUKE_INLINE static inline __attribute__((always_inline))
#define NUKE_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define NUKE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
// Marks a condition for which the compiler should emit a conditional move rather than a branch.
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
  // Indices of components in the frame header, and of their Huffman tables.
  unsigned count;
  uint8_t component[3], dc_table[3], ac_table[3];
  uint8_t first, last, high_bit, low_bit;
  // The offset of the entropy-coded data.
  size_t start;
} JPEGScan;

// The parsed marker segments up to a scan.
typedef struct {
  const uint8_t *data;
  size_t size;
  // The offset after the marker segment that was parsed last.
  size_t offset;

  bool progressive;
  unsigned width, height;
  unsigned component_count;
  JPEGComponent components[3];
  bool jfif, adobe;
  uint8_t adobe_transform;

  uint16_t steps[4][64];
  bool has_steps[4];
  // The contents of the DHT segments: 16 counts and the symbols. NULL for undefined tables.
  const uint8_t *dc_codes[4], *ac_codes[4];
  unsigned restart_interval;
} JPEGHeaders;

typedef enum { JPEGMarkerScan, JPEGMarkerEnd, JPEGMarkerDeclined } JPEGMarker;

// Parses marker segments up to the next scan or the end of the image.
JPEGMarker nuke_jpeg_next_scan(JPEGHeaders *headers, JPEGScan *scan);

// Returns true if the three components are YCbCr, by the same rules as libjpeg.
bool nuke_jpeg_is_ycc(const JPEGHeaders *headers);

// The zigzag order: the position in the block for each index of a coded coefficient (T.81, figure A.6).
extern const uint8_t nuke_jpeg_natural_order[64];

// MARK: Huffman tables

enum {
  JPEGLookupBits = 12,
  JPEGLookupCount = 1 << JPEGLookupBits,
};

// A Huffman table.
typedef struct {
  // A lookup table indexed by the next 12 bits: length << 8 | symbol; 0 if the code is longer.
  uint16_t codes[JPEGLookupCount];
  // For each code length: the largest code, or -1 if there is none, and the offset from a code to its symbol's index.
  int32_t largest[17], offset[17];
  // The symbols and the lengths of their codes, in the order of the codes.
  unsigned count;
  uint8_t symbols[256], lengths[256];
} JPEGCodes;

// Derives the codes from the contents of a DHT segment. Returns false if they are invalid.
bool nuke_jpeg_make_codes(JPEGCodes *codes, const uint8_t *content, bool is_dc);

// An entry of the lookup table for the next `JPEGEntryBits` bits. Bits 0...5: code length and the bits after the code.
// Bits 6...12: the zero run + 1, or 0 for the DC coefficient. Bit 13: the next lookup uses the next table, for the AC
// coefficients or the next block. Bits 16...31: the coefficient, which may be 0.
//
// If an end-of-block code follows and fits, it is part of the coefficient's entry; alone, it is a zero coefficient. For
// a symbol that does not fit into the index, the zero run exceeds every block. With more bits, fewer symbols would not
// fit, but the tables of an MCU would exceed the first-level cache.
typedef uint32_t JPEGEntry;

enum {
  JPEGEntryBits = 11,
  JPEGEntryCount = 1 << JPEGEntryBits,
  // The most bits of an entry, so that four follow one refill.
  JPEGEntryLimit = 14,
  JPEGEntryAdvance = 6,
  JPEGEntryTooLong = 64 << JPEGEntryAdvance,
  JPEGEntryLeaves = 1 << 13,
  JPEGEntryValue = 16,
};

void nuke_jpeg_make_dc_entries(JPEGEntry *entries, const JPEGCodes *codes);
// With `long_ends`, end-of-block codes get no entry: in progressive images, they may end several blocks.
void nuke_jpeg_make_ac_entries(JPEGEntry *entries, const JPEGCodes *codes, bool long_ends);

// For blocks of which only the DC coefficient is needed: skips as many AC coefficients as fit into an entry.
void nuke_jpeg_make_ac_groups(JPEGEntry *entries, const JPEGCodes *codes);

// MARK: Bits

enum {
  JPEGWindowBytes = 16 << 10,
  // An upper bound of the bytes of an MCU: 6 blocks of 64 coefficients of up to 31 bits.
  JPEGUnitBytes = 1600,
};

// The bit reader. It copies the entropy-coded data up to the next marker into a window, without stuffed zero bytes.
typedef struct {
  // The next bits, beginning with the most significant; `count` of them are valid.
  uint64_t bits;
  unsigned count;
  const uint8_t *next;
  // If `next` is past it, call `nuke_jpeg_more` before the next MCU.
  const uint8_t *limit;
  const uint8_t *end;
  // The data that is not in the window yet. If `ended`, it begins with a marker, or is empty.
  const uint8_t *source, *source_end;
  bool ended;
  // A position in the source that is not in the window yet, or NULL; never between 0xFF and its stuffed zero. Once it
  // is in the window, `mark` is its offset from the start of the window.
  const uint8_t *mark_source;
  ptrdiff_t mark;
  // After the last byte, there are always zeros for one more MCU.
  uint8_t window[JPEGWindowBytes + JPEGUnitBytes + 64];
} JPEGBits;

void nuke_jpeg_start_bits(JPEGBits *bits, const uint8_t *source, const uint8_t *source_end);
// Fills the window for at least one more MCU. Returns false if more bits were read than the data has.
bool nuke_jpeg_more(JPEGBits *bits);
// Returns the number of bits read after the mark; very negative if the mark is not in the window yet.
int64_t nuke_jpeg_offset(const JPEGBits *bits);
// Skips restart marker `number` (0...7). Returns false if another one follows, or none.
bool nuke_jpeg_restart(JPEGBits *bits, unsigned number);
// Skips to the next marker.
void nuke_jpeg_skip_to_marker(JPEGBits *bits);
// Copies the position and the window.
void nuke_jpeg_copy_bits(JPEGBits *target, const JPEGBits *source);
// Returns true if no bits past the end of the data were read.
bool nuke_jpeg_is_within(const JPEGBits *bits);

// The bit reader's state during decoding, held in registers.
typedef struct {
  uint64_t bits;
  // Only its lowest six bits are used, so that a whole entry can be subtracted from it.
  unsigned count;
  const uint8_t *next;
} JPEGCursor;

// Ensures that at least 56 bits are available.
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

// Drops as many bits as the lowest six bits of `entry` say.
NUKE_INLINE void jpeg_drop_entry(JPEGCursor *cursor, uint32_t entry) {
  cursor->bits <<= entry & 63;
  cursor->count -= entry;
}

// Decodes the next symbol; negative if the code is invalid. At least 16 bits must be available.
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

// Reads `size` bits (0...15) and extends them to a signed coefficient (T.81, table F.1 and figure F.12).
NUKE_INLINE int jpeg_number(JPEGCursor *cursor, unsigned size) {
  if (size == 0) return 0;
  const int value = (int)(cursor->bits >> (64 - size));
  jpeg_drop(cursor, size);
  return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

// MARK: Pixels

typedef struct JPEGPixels JPEGPixels;

// The coefficients that decoding writes for one component.
typedef struct {
  // The sampling factors: an MCU has `across` times `down` blocks of the component.
  unsigned across, down;
  // The size of a block after the inverse transform: 8, 4, 2 or 1 samples a side.
  unsigned size;
  // `down` rows of `row_blocks` blocks. If `size` is 1, only the DC coefficient of each block.
  int16_t *coefficients;
  unsigned row_blocks;
} JPEGTarget;

// Allocates the memory for one row of MCUs. With `holds_rows`, the targets have memory for all coefficients of the row,
// else only those with a block size of 1. Returns NULL if the sampling factors are unusual or memory is short.
JPEGPixels *nuke_jpeg_pixels_create(const JPEGHeaders *headers, const nuke_jpeg_decoding *decoding, bool holds_rows);
void nuke_jpeg_pixels_free(JPEGPixels *pixels);
unsigned nuke_jpeg_units_across(const JPEGPixels *pixels);
unsigned nuke_jpeg_units_down(const JPEGPixels *pixels);
const JPEGTarget *nuke_jpeg_target(const JPEGPixels *pixels, unsigned component);
void nuke_jpeg_set_steps(JPEGPixels *pixels, unsigned component, const uint16_t steps[64]);
// Begins at a row of MCUs. Of its pixel rows, those are not written that are written by `nuke_jpeg_end_row` of an object
// that ends with this row. Both objects write to the same image.
void nuke_jpeg_begin_at(JPEGPixels *pixels, unsigned row);

// Applies the inverse transform to `count` MCUs of `sources`, beginning with MCU `from`. In the current row of MCUs,
// they begin with MCU `first`. Components with a block size of 1 are left for `nuke_jpeg_end_row`.
void nuke_jpeg_transform(
  JPEGPixels *pixels, const JPEGTarget *sources, unsigned from, unsigned first, unsigned count);
// Ends a row of MCUs, and writes and reports the pixel rows that are complete. Returns false if decoding should stop.
bool nuke_jpeg_end_row(JPEGPixels *pixels);

// MARK: Lanes

// Two bit readers that decode a baseline scan alternately, at two positions. Each has memory for coefficients.

enum {
  // MCUs that are decoded at a time.
  JPEGBatch = 16,
  // An upper bound of the blocks of an MCU: four of luminance, and two of chroma.
  JPEGMaximumBlocks = 6,
};

// A block of an MCU.
typedef struct {
  unsigned component, x, y;
  const JPEGCodes *dc, *ac;
  const JPEGEntry *dc_entries, *ac_entries;
} JPEGBlock;

// Where coefficients of a block go, and the lookup table for them. A block has a slot for its DC coefficient, and then
// one for its AC coefficients.
typedef struct {
  const JPEGEntry *entries;
  int16_t *target;
} JPEGSlot;

// One of the two readers.
typedef struct {
  JPEGBits bits;
  // The current slot, and the number of coefficients that may still follow in the block.
  const JPEGSlot *slot;
  unsigned left;
  JPEGSlot *slots;
  int16_t *coefficients;
  JPEGTarget targets[3];
} JPEGLane;

typedef enum {
  JPEGAheadNone,
  // Synchronizing with the code boundaries.
  JPEGAheadWarmsUp,
  JPEGAheadReads,
  // Its memory is full, or the data has ended.
  JPEGAheadWaits,
} JPEGAheadState;

typedef struct {
  unsigned component_count, block_count;
  JPEGBlock blocks[JPEGMaximumBlocks];
  // The entries after the last slot, all of which are too long.
  JPEGEntry stop[JPEGEntryCount];
  // A target for coefficients that are not wanted.
  int16_t dropped[64];
  // The number of MCUs that fit into the memory of a reader.
  unsigned capacity;
  const struct JPEGDistances *distances;
  size_t distance;
  // True if there is no second reader.
  bool is_single;
  JPEGLane *behind, *ahead;
  JPEGAheadState state;
  // The offset of the second reader's first MCU, in bits after the mark that both readers have.
  int64_t ahead_offset;
  // The numbers of failed synchronizations, and of invalid codes during synchronization.
  unsigned misses, falls;
  JPEGLane memory[2];
} JPEGLanes;

// Begins to decode `unit_count` MCUs of a scan. The blocks must be set, and all else must be zero. `targets` gives the
// sizes of blocks. Returns false if memory is short.
bool nuke_jpeg_lanes_start(
  JPEGLanes *lanes, const JPEGHeaders *headers, const JPEGTarget *targets, size_t unit_count, const uint8_t *source,
  const uint8_t *source_end);
// Stops the second reader, so that `nuke_jpeg_lanes_read` decodes exactly the requested number of MCUs.
void nuke_jpeg_lanes_stop_ahead(JPEGLanes *lanes);
// Decodes MCUs into the targets of `behind`, DC coefficients as differences. Returns their number, or 0 if there is an
// error. It exceeds `count`, at most `JPEGBatch`, only if there is no restart interval.
unsigned nuke_jpeg_lanes_read(JPEGLanes *lanes, unsigned count);
void nuke_jpeg_lanes_free(JPEGLanes *lanes);

// MARK: Decoders

typedef enum { JPEGDirectDone, JPEGDirectDeclined, JPEGDirectCancelled } JPEGDirectResult;

// Decodes a sequential image with a single scan, which contains all components. See `nuke_jpeg_outcome` for
// `divided_at`.
JPEGDirectResult nuke_jpeg_decode_baseline(
  const JPEGHeaders *headers, const JPEGScan *scan, const nuke_jpeg_decoding *decoding, unsigned *divided_at);

// Decodes a progressive image. `first` is its first scan; the others are parsed from `headers`.
JPEGDirectResult nuke_jpeg_decode_progressive(
  JPEGHeaders *headers, JPEGScan *first, const nuke_jpeg_decoding *decoding);

NUKE_INLINE bool jpeg_is_cancelled(const nuke_jpeg_decoding *decoding) {
  return decoding->is_cancelled && decoding->is_cancelled(decoding->context);
}

JPEGDirectResult nuke_jpeg_decode_direct(const nuke_jpeg_decoding *decoding, unsigned *divided_at);
