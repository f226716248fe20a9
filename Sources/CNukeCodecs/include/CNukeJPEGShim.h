// JPEG by a decoder of our own, and through libjpeg-turbo. Its errors leave by longjmp, which must not cross Swift, so
// each function here returns what went wrong as a value.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum nuke_jpeg_status {
  NUKE_JPEG_OK = 0,
  // The data breaks a rule; `message` and `offset` say which and where.
  NUKE_JPEG_MALFORMED,
  // The data ends before the image does.
  NUKE_JPEG_TRUNCATED,
  // A form that the library was built without.
  NUKE_JPEG_UNSUPPORTED,
  NUKE_JPEG_NO_MEMORY,
  NUKE_JPEG_STOPPED,
  // Nothing is wrong that is known of: the decoder that was named leaves this file to the other one.
  NUKE_JPEG_DECLINED,
} nuke_jpeg_status;

// Who decodes. Their pixels are equal.
typedef enum nuke_jpeg_decoder {
  // Our own decoder, and libjpeg-turbo for what that declines.
  NUKE_JPEG_DECODER_ANY = 0,
  NUKE_JPEG_DECODER_OWN,
  NUKE_JPEG_DECODER_LIBRARY,
} nuke_jpeg_decoder;

enum { NUKE_JPEG_MESSAGE_SIZE = 256 };

typedef struct nuke_jpeg_outcome {
  nuke_jpeg_status status;
  // The byte that was to be read next.
  size_t offset;
  // The library's message.
  char message[NUKE_JPEG_MESSAGE_SIZE];
} nuke_jpeg_outcome;

typedef struct nuke_jpeg_decoding {
  const uint8_t *data;
  size_t size;
  // The stored size that memory was taken for; a file that turns out to be another size is malformed.
  unsigned width, height;
  // 1, 2, 4 or 8; the pixels have the sides divided by it and rounded up.
  unsigned scale_denominator;
  // CMYK as stored, which is inverted, instead of RGBA.
  bool cmyk;
  // Bytes that the library may hold, which is mostly the coefficients of a progressive image.
  size_t memory_limit;
  unsigned scan_limit;
  // Where the pixels go: four bytes each, rows `stride` bytes apart.
  uint8_t *pixels;
  size_t stride;
  // Asked now and then; may be NULL.
  bool (*is_cancelled)(void *context);
  void *context;
  nuke_jpeg_decoder decoder;
} nuke_jpeg_decoding;

void nuke_jpeg_decode(const nuke_jpeg_decoding *decoding, nuke_jpeg_outcome *outcome);

// A decoder that is fed as data arrives. After an outcome other than OK it can only be freed. Arithmetic coding cannot be
// read piece by piece, and fails.
typedef struct nuke_jpeg_previews nuke_jpeg_previews;

// With `pixels` the decoder is for files of one scan, and writes rows there as they come; the caller keeps that memory until
// the decoder is freed. Without, it is for files of several scans. Data and cancellation of the settings are ignored.
// Returns NULL if there is no memory.
nuke_jpeg_previews *nuke_jpeg_previews_create(const nuke_jpeg_decoding *settings);
void nuke_jpeg_previews_free(nuke_jpeg_previews *previews);

// Continues where it stopped the last time. `data` holds all bytes of the file so far, and is not kept. Returns the number
// of complete scans, or of complete rows if the pixels were given.
unsigned nuke_jpeg_previews_read(nuke_jpeg_previews *previews, const uint8_t *data, size_t size,
                                 nuke_jpeg_outcome *outcome);

// Renders all scans that were read, of which at least one must be complete. For decoders without `pixels`.
void nuke_jpeg_previews_render(nuke_jpeg_previews *previews, uint8_t *pixels, size_t stride, nuke_jpeg_outcome *outcome);

typedef struct nuke_jpeg_encoding {
  // Premultiplied RGBA, rows `stride` bytes apart.
  const uint8_t *pixels;
  size_t stride;
  unsigned width, height;
  // 1...100
  int quality;
  bool progressive;
  // Tables made for this image, at the cost of a second pass.
  bool optimize;
  // Color at half the resolution in both directions (4:2:0), or at all of it (4:4:4).
  bool subsampled;
  // Whether alpha is 255 everywhere; else the pixels are laid over the background.
  bool opaque;
  uint8_t background[3];
} nuke_jpeg_encoding;

// The encoded file of `*size` bytes, to be freed with free(), or NULL where `outcome` says why.
uint8_t *nuke_jpeg_encode(const nuke_jpeg_encoding *encoding, size_t *size, nuke_jpeg_outcome *outcome);
