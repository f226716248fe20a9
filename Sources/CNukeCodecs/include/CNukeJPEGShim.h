// JPEG decoding by our own decoder and libjpeg-turbo, and encoding by libjpeg-turbo. The library reports errors by
// longjmp, which must not cross Swift frames: each function here returns the outcome as a value.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum nuke_jpeg_status {
  NUKE_JPEG_OK = 0,
  // The data is malformed; see `message` and `offset`.
  NUKE_JPEG_MALFORMED,
  // The data ends before the image does.
  NUKE_JPEG_TRUNCATED,
  // A coding process that the library was built without.
  NUKE_JPEG_UNSUPPORTED,
  NUKE_JPEG_NO_MEMORY,
  NUKE_JPEG_STOPPED,
  // The requested decoder does not support this file. The other one may.
  NUKE_JPEG_DECLINED,
} nuke_jpeg_status;

// The decoder to use. Both produce the same pixels.
typedef enum nuke_jpeg_decoder {
  // Our own decoder, then libjpeg-turbo for files that it declines.
  NUKE_JPEG_DECODER_ANY = 0,
  NUKE_JPEG_DECODER_OWN,
  NUKE_JPEG_DECODER_LIBRARY,
} nuke_jpeg_decoder;

enum {
  NUKE_JPEG_MESSAGE_SIZE = 256,
  // The maximum number of rows that are reported at a time.
  NUKE_JPEG_BAND_ROWS = 32,
};

typedef struct nuke_jpeg_outcome {
  nuke_jpeg_status status;
  // The offset of the next byte to read.
  size_t offset;
  // If two threads have decoded the image: the number of rows of MCUs that the calling one has decoded; otherwise 0.
  unsigned divided_at;
  // If damage was tolerated: the number of rows of the result that there is data for. They may show the damage.
  unsigned covered_rows;
  // The error message of the library, also of damage that was tolerated.
  char message[NUKE_JPEG_MESSAGE_SIZE];
} nuke_jpeg_outcome;

typedef struct nuke_jpeg_decoding {
  const uint8_t *data;
  size_t size;
  // The size in the header, for which the caller allocated memory. A file with another size is malformed.
  unsigned width, height;
  // 1, 2, 4 or 8. The sides of the result are divided by it and rounded up.
  unsigned scale_denominator;
  // CMYK as stored, which is inverted, instead of RGBA.
  bool cmyk;
  // The library's memory limit in bytes. Most of it is used for the coefficients of progressive images.
  size_t memory_limit;
  unsigned scan_limit;
  // The destination: four bytes a pixel, rows `stride` bytes apart.
  uint8_t *pixels;
  size_t stride;
  // Called with the next complete rows; NULL to decode the whole image into `pixels`. Otherwise `pixels` has memory for
  // NUKE_JPEG_BAND_ROWS rows, and begins with rows [first, first + count) during the call. Return false to stop
  // decoding. If our decoder declines a file after some rows, libjpeg-turbo reports the same rows again.
  bool (*rows)(void *context, unsigned first, unsigned count);
  // Called from time to time; may be NULL.
  bool (*is_cancelled)(void *context);
  void *context;
  nuke_jpeg_decoder decoder;
  // Decodes what a damaged file has, with libjpeg-turbo: rows without data are gray. Fails if there is no row.
  bool tolerant;
  // The number of threads that may be used, including the calling one. The functions above are called on this one.
  unsigned thread_count;
  // For tests: the calling thread waits until the second one has divided the image, or given up.
  bool waits_for_division;
} nuke_jpeg_decoding;

void nuke_jpeg_decode(const nuke_jpeg_decoding *decoding, nuke_jpeg_outcome *outcome);

// A decoder that is fed as data arrives. After an outcome other than OK it can only be freed. Arithmetic coding cannot
// be read piece by piece, and fails.
typedef struct nuke_jpeg_previews nuke_jpeg_previews;

// With `pixels` the decoder is for files of one scan, and writes rows there as they come; the caller keeps that memory
// until the decoder is freed. Without, it is for files of several scans. Data and cancellation of the settings are
// ignored. Returns NULL if there is no memory.
nuke_jpeg_previews *nuke_jpeg_previews_create(const nuke_jpeg_decoding *settings);
void nuke_jpeg_previews_free(nuke_jpeg_previews *previews);

// Continues where it stopped the last time. `data` holds all bytes of the file so far, and is not kept. Returns the
// number of complete scans, or of complete rows if the pixels were given.
unsigned nuke_jpeg_previews_read(nuke_jpeg_previews *previews, const uint8_t *data, size_t size,
                                 nuke_jpeg_outcome *outcome);

// Renders all scans that were read, of which at least one must be complete. For decoders without `pixels`.
void nuke_jpeg_previews_render(nuke_jpeg_previews *previews, uint8_t *pixels, size_t stride, nuke_jpeg_outcome *outcome);

// Receives the next bytes of a file. Return false to stop.
typedef bool (*nuke_jpeg_write)(void *context, const uint8_t *bytes, size_t count);

typedef struct nuke_jpeg_encoding {
  unsigned width, height;
  // 1...100
  int quality;
  bool progressive;
  // Optimizes the Huffman tables for this image, which takes a second pass.
  bool optimize;
  // Chroma at half the resolution in both directions (4:2:0), or at full resolution (4:4:4).
  bool subsampled;
  // True if all pixels are opaque; otherwise they are composited over the background.
  bool opaque;
  uint8_t background[3];
} nuke_jpeg_encoding;

// Encodes premultiplied RGBA in rows `stride` bytes apart. Returns the file of `*size` bytes, to be freed with free();
// NULL on errors, see `outcome`.
uint8_t *nuke_jpeg_encode(const nuke_jpeg_encoding *encoding, const uint8_t *pixels, size_t stride, size_t *size,
                          nuke_jpeg_outcome *outcome);

// An encoder that receives rows from top to bottom. After an outcome other than OK it can only be freed.
typedef struct nuke_jpeg_encoder nuke_jpeg_encoder;

// Creates an encoder that passes the file to `write` in pieces. With progressive coding or optimized tables, it keeps
// the coefficients of the whole image until the last row. Returns NULL on errors, see `outcome`.
nuke_jpeg_encoder *nuke_jpeg_encoder_create(const nuke_jpeg_encoding *encoding, nuke_jpeg_write write, void *context,
                                            nuke_jpeg_outcome *outcome);
// Encodes the next rows, and completes the file after the last row.
void nuke_jpeg_encoder_write(nuke_jpeg_encoder *encoder, const uint8_t *pixels, size_t stride, unsigned count,
                             nuke_jpeg_outcome *outcome);
void nuke_jpeg_encoder_free(nuke_jpeg_encoder *encoder);
