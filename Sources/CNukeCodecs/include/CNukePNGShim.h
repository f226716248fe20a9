#pragma once
#include <stddef.h>
#include <stdint.h>

// libpng reports errors by longjmp, which must not cross Swift. These functions contain the longjmp and return errors
// as values.

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
  // The number of bytes read when decoding ended.
  size_t offset;
  // libpng's message, empty if there is none.
  char message[128];
} nuke_png_result;

// Called during decoding. Rows [first, first + count) are complete and will not change; count is 0 between the passes
// of an interlaced image. Return 0 to stop decoding. If an image turns out to be damaged, rows can be written and
// reported again from the first on, with the same pixels.
typedef int (*nuke_png_rows)(void *context, uint32_t first, uint32_t count);

// Decodes a complete PNG as straight RGBA, 8 bits a channel, into `height` rows of `width` pixels without gaps. The
// caller has read the size from the header; a PNG of another size is rejected before anything is written. Ancillary
// chunks other than tRNS are skipped, and so is everything after the last row.
nuke_png_result nuke_png_decode(const uint8_t *data, size_t count, uint32_t width, uint32_t height, uint8_t *pixels,
                                nuke_png_rows rows, void *context);

// Called before the rows of an image whose pixels are indices into `count` colors of straight RGBA: a palette, or grays
// of few bits. The caller may change the colors, and the rows then contain the changed ones. If decoding starts over
// with rows of unchanged colors, it is called with no colors before these rows.
typedef void (*nuke_png_colors)(void *context, uint8_t *colors, uint32_t count);

// Like nuke_png_decode, but the caller can change the colors once instead of in all pixels, if that is possible.
nuke_png_result nuke_png_decode_colors(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                       uint8_t *pixels, nuke_png_colors colors, nuke_png_rows rows, void *context);

// Returns the number of rows that are processed together: a multiple of 8, small enough that their pixels stay in the
// cache.
uint32_t nuke_png_band_rows(uint32_t width);

// Like nuke_png_decode_colors for images that are not interlaced, with memory for one band. `band` begins with rows
// [first, first + count) while they are reported.
nuke_png_result nuke_png_decode_bands(const uint8_t *data, size_t count, uint32_t width, uint32_t height, uint8_t *band,
                                      nuke_png_colors colors, nuke_png_rows rows, void *context);

// The two decoders of nuke_png_decode. Valid and common files are decoded by the first one, and all others by the
// second one, from the beginning.

typedef enum {
  NUKE_PNG_DIRECT_OK = 0,
  // The file is left to libpng. Rows may have been written and reported.
  NUKE_PNG_DIRECT_UNUSUAL,
  // A callback asked to stop.
  NUKE_PNG_DIRECT_STOPPED,
} nuke_png_direct_status;

// Decodes with our own inflater and kernels: valid images, of which 16 bits are rounded to 8. `*offset` becomes the number of
// bytes read.
nuke_png_direct_status nuke_png_decode_direct(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                              uint8_t *pixels, nuke_png_colors colors, nuke_png_rows rows,
                                              void *context, size_t *offset);

// The same for nuke_png_decode_bands.
nuke_png_direct_status nuke_png_decode_direct_bands(const uint8_t *data, size_t count, uint32_t width,
                                                    uint32_t height, uint8_t *band, nuke_png_colors colors,
                                                    nuke_png_rows rows, void *context, size_t *offset);

// Decodes any image with libpng.
nuke_png_result nuke_png_decode_by_libpng(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                          uint8_t *pixels, nuke_png_rows rows, void *context);

// Decodes a complete PNG as straight RGBA, 16 bits a channel in native byte order, with libpng. Fewer bits are scaled
// by multiplication. There is memory for `rows_held` rows, at least 1: all rows of an interlaced image, and the rows of
// one batch for others. Row y is written to row y % rows_held, and rows are reported when that many are complete, and
// at the end. Otherwise like nuke_png_decode.
nuke_png_result nuke_png_decode_deep(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                     uint16_t *components, uint32_t rows_held, nuke_png_rows rows, void *context);

// An incremental decoder. After an error it can only be freed.
typedef struct nuke_png_previews nuke_png_previews;

typedef struct {
  // The pass of the newest row, starting with 0, and the number of its rows so far.
  int pass;
  uint32_t rows;
  // The number of complete passes; 1 for a complete image that is not interlaced.
  int complete_passes;
  // 1 if all rows are complete and no more data is needed.
  int finished;
} nuke_png_progress;

// Creates a decoder that writes into `pixels`, which must outlive it. With 8 `bits`, the layout is that of
// nuke_png_decode; with 16, that of nuke_png_decode_deep with all rows held. Returns NULL if memory cannot be
// allocated.
nuke_png_previews *nuke_png_previews_create(uint32_t width, uint32_t height, int bits, void *pixels);
void nuke_png_previews_free(nuke_png_previews *previews);

// Reads the next `count` bytes of the file. After each pass of an interlaced image, every pixel has the value of the
// nearest known one.
nuke_png_result nuke_png_previews_read(nuke_png_previews *previews, const uint8_t *data, size_t count,
                                       nuke_png_progress *progress);

// Writes the row at `y` as the file stores it before filtering. Called for rows in any order, and for some repeatedly.
typedef void (*nuke_png_fill)(void *context, uint32_t y, uint8_t *row);

// An image to encode, without interlacing.
typedef struct {
  uint32_t width, height;
  // 1, 2, 4 or 8 bits a sample, and 1...4 samples a pixel.
  uint8_t bit_depth, samples;
  // The color type in the header (PNG specification, 11.2.2).
  uint8_t color_type;
  // The compression level, 0...9.
  int level;
  // Complete chunks to insert between the header and the image data.
  const uint8_t *chunks;
  size_t chunk_bytes;
  // The maximum number of bytes in a chunk of image data, up to 2^31 - 1.
  size_t longest_chunk;
  nuke_png_fill fill;
  void *context;
} nuke_png_image;

// Encodes an image. Returns NUKE_PNG_OK or NUKE_PNG_NO_MEMORY. On success, the caller must free `*bytes`. All filtered
// rows and the compressed data are in memory at the same time; as much again is reserved but not used.
//
// Level 0 stores rows unfiltered and uncompressed. Other levels select a filter for each row, or no filters, whichever
// compresses a sample of the rows better; and either matches of any distance, or runs only, which suit photographs.
// Level 9 uses a larger sample.
nuke_png_status nuke_png_encode(const nuke_png_image *image, uint8_t **bytes, size_t *count);

// Receives the next bytes of a file. Return 0 to stop.
typedef int (*nuke_png_write)(void *context, const uint8_t *bytes, size_t count);

// An encoder that receives rows from top to bottom, and keeps about a megabyte of them. Methods are selected as by
// nuke_png_encode, with the first rows as the sample, at level 9 too. After an error it can only be freed.
typedef struct nuke_png_row_encoder nuke_png_row_encoder;

// Creates an encoder that passes the file to `write` in pieces. `fill`, `context` and `longest_chunk` of the image are
// ignored. Returns NULL if memory cannot be allocated.
nuke_png_row_encoder *nuke_png_row_encoder_create(const nuke_png_image *image, nuke_png_write write, void *context);
// Returns the memory for the next row, as the file stores it before filtering.
uint8_t *nuke_png_row_encoder_next(nuke_png_row_encoder *encoder);
// Encodes the row that was written there, and completes the file after the last row. Returns NUKE_PNG_OK,
// NUKE_PNG_NO_MEMORY or NUKE_PNG_STOPPED.
nuke_png_status nuke_png_row_encoder_add(nuke_png_row_encoder *encoder);
void nuke_png_row_encoder_free(nuke_png_row_encoder *encoder);

// Inflates a zlib stream until `limit` bytes are written or it ends. Returns the number of bytes written. Later damage
// is not detected.
size_t nuke_png_inflate(const uint8_t *data, size_t count, uint8_t *output, size_t limit);

// Inflates a complete zlib stream and verifies it. Returns the number of bytes written; -1 if it is damaged, truncated
// or longer than `limit` bytes. Data after the stream is ignored.
ptrdiff_t nuke_png_inflate_whole(const uint8_t *data, size_t count, uint8_t *output, size_t limit);

// Returns the CRC-32 of a chunk.
uint32_t nuke_png_crc(const uint8_t *data, size_t count);
