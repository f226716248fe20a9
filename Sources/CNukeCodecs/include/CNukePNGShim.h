#pragma once
#include <stddef.h>
#include <stdint.h>

// libpng reports errors by longjmp, which must not cross Swift. These calls keep it inside, and return what went
// wrong as a value.

typedef enum {
  NUKE_PNG_OK = 0,
  NUKE_PNG_MALFORMED,
  // The data ended before the last row was complete.
  NUKE_PNG_TRUNCATED,
  NUKE_PNG_NO_MEMORY,
  // A callback asked to stop.
  NUKE_PNG_STOPPED,
} nuke_png_status;

typedef struct {
  nuke_png_status status;
  // Bytes read when decoding ended.
  size_t offset;
  // libpng's message, empty if there is none.
  char message[128];
} nuke_png_result;

// Called as decoding goes on. Rows [first, first + count) are complete and are not touched again; count is 0 while an
// interlaced image is still between passes. 0 stops decoding. Where an image turns out to be damaged, rows may be
// written once more from the first on, with the same pixels, and told of again.
typedef int (*nuke_png_rows)(void *context, uint32_t first, uint32_t count);

// Decodes a whole PNG as straight RGBA, 8 bits a channel, into `height` rows of `width` pixels without gaps. The caller
// has read the size from the header; a PNG of another size is refused before anything is written. Ancillary chunks
// other than tRNS are skipped unread, and so is whatever follows the last row.
nuke_png_result nuke_png_decode(const uint8_t *data, size_t count, uint32_t width, uint32_t height, uint8_t *pixels,
                                nuke_png_rows rows, void *context);

// Called before the rows of an image whose pixels are indices into `count` colors of straight RGBA: a palette, or grays of
// few bits. The caller may change the colors, and the rows hold what they are changed to. If decoding begins again with
// rows that do not, it is called with no colors, before those rows.
typedef void (*nuke_png_colors)(void *context, uint8_t *colors, uint32_t count);

// Does what nuke_png_decode does, and lets the caller change colors once instead of in all pixels, where that is possible.
nuke_png_result nuke_png_decode_colors(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                       uint8_t *pixels, nuke_png_colors colors, nuke_png_rows rows, void *context);

// The two ways in which nuke_png_decode does that. It goes the first as long as the file is whole and usual, and else
// the second, from the beginning.

typedef enum {
  NUKE_PNG_DIRECT_OK = 0,
  // Nothing is known of the image: it is for libpng. Rows may have been written, and the caller told of them.
  NUKE_PNG_DIRECT_UNUSUAL,
  // A callback asked to stop.
  NUKE_PNG_DIRECT_STOPPED,
} nuke_png_direct_status;

// By our own inflater and kernels: images with at most 8 bits a sample and with nothing wrong in them. `*offset` becomes
// the number of bytes read.
nuke_png_direct_status nuke_png_decode_direct(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                              uint8_t *pixels, nuke_png_colors colors, nuke_png_rows rows,
                                              void *context, size_t *offset);

// By libpng: all others.
nuke_png_result nuke_png_decode_by_libpng(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                          uint8_t *pixels, nuke_png_rows rows, void *context);

// Decodes a whole PNG as straight RGBA, 16 bits a channel in the order of this machine, by libpng; fewer bits are scaled
// by multiplication. There is memory for `rows_held` rows, at least 1. All have to be held of an interlaced image. Of
// another one the rows of one batch are enough: row y is written to the place of row y % rows_held, and rows are told of
// whenever that many are complete, and at the end. Else as nuke_png_decode.
nuke_png_result nuke_png_decode_deep(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                     uint16_t *components, uint32_t rows_held, nuke_png_rows rows, void *context);

// A decoder that is fed as data comes. After an error it can only be freed.
typedef struct nuke_png_previews nuke_png_previews;

typedef struct {
  // The pass of the newest row, from 0 on, and the rows of that pass so far.
  int pass;
  uint32_t rows;
  // Passes of which every row is there; 1 for a complete image that is not interlaced.
  int complete_passes;
  // Whether all rows are there; nothing more is to be read.
  int finished;
} nuke_png_progress;

// Writes into `pixels`, which must outlive the decoder. They are laid out and made as by nuke_png_decode where `bits` are
// 8, and as by nuke_png_decode_deep, all rows held, where they are 16. NULL where there is no memory.
nuke_png_previews *nuke_png_previews_create(uint32_t width, uint32_t height, int bits, void *pixels);
void nuke_png_previews_free(nuke_png_previews *previews);

// Reads the next `count` bytes of the file. After each pass of an interlaced image every pixel holds the nearest one
// that is known.
nuke_png_result nuke_png_previews_read(nuke_png_previews *previews, const uint8_t *data, size_t count,
                                       nuke_png_progress *progress);

// Writes the row at `y`, as the file stores it before filters. Asked for any row, and for some more than once.
typedef void (*nuke_png_fill)(void *context, uint32_t y, uint8_t *row);

// An image to encode. It is not interlaced.
typedef struct {
  uint32_t width, height;
  // 1, 2, 4 or 8 bits a sample, of which a pixel has 1...4.
  uint8_t bit_depth, samples;
  // As the header says it (PNG specification, 11.2.2).
  uint8_t color_type;
  // 0...9.
  int level;
  // Complete chunks that go between the header and the image data.
  const uint8_t *chunks;
  size_t chunk_bytes;
  // The most bytes of a chunk of image data, at most 2^31 - 1.
  size_t longest_chunk;
  nuke_png_fill fill;
  void *context;
} nuke_png_image;

// Encodes an image: NUKE_PNG_OK or NUKE_PNG_NO_MEMORY. On success `*bytes` is to be freed by the caller. In memory at a
// time are all filtered rows and what they are compressed to; the system is asked for as much again, which is not touched.
//
// Level 0 stores rows as they are. The others choose a filter for each row, or none for all rows, whichever compresses a
// sample of the rows better. In the same way they choose between matches of any distance, and runs alone, which suit
// photographs. Level 9 compresses all rows in each of these ways and keeps the shortest.
nuke_png_status nuke_png_encode(const nuke_png_image *image, uint8_t **bytes, size_t *count);

// Inflates a zlib stream until `limit` bytes are written or it ends; the number of bytes written. Damage behind them
// goes unnoticed.
size_t nuke_png_inflate(const uint8_t *data, size_t count, uint8_t *output, size_t limit);

// Inflates a zlib stream to its end, and checks it; the number of bytes written. -1 where it is damaged, is not all
// there, or comes to more than `limit` bytes. What stands behind it does not matter.
ptrdiff_t nuke_png_inflate_whole(const uint8_t *data, size_t count, uint8_t *output, size_t limit);

// The CRC-32 of chunks.
uint32_t nuke_png_crc(const uint8_t *data, size_t count);
