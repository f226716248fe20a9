// Writes PNG from rows that arrive from top to bottom, in bands. libdeflate compresses only whole buffers, so zlib
// searches for matches of any bytes here.
#include "png_encode.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  // The number of bytes of rows that are compressed at a time. The first band is also the sample by which the method is
  // selected.
  band_bytes = 1 << 20,
  least_rows = 8,
};

struct nuke_png_row_encoder {
  nuke_png_image image;
  nuke_png_write write;
  void *context;
  // The signature, the header and the chunks, until they are written.
  uint8_t *start;
  size_t start_bytes;

  size_t stride;
  // The last row above the band, and the rows of the band.
  uint8_t *band;
  uint32_t band_rows, held, done;
  nuke_png_filter filter;
  uint8_t *filtered;
  // A chunk of at most `room` bytes.
  uint8_t *chunk;
  size_t room;

  nuke_png_way way;
  nuke_png_deflate *deflate;
  z_stream matches;
  bool has_matches;
};

static void fill(void *context, uint32_t y, uint8_t *row) {
  const nuke_png_row_encoder *encoder = context;
  // Row `done` follows the row above the band.
  memcpy(row, encoder->band + (size_t)(y + 1 - encoder->done) * encoder->stride, encoder->stride);
}

// MARK: - Compressing

static nuke_png_status write_chunk(nuke_png_row_encoder *encoder, const char *type, size_t count) {
  const uint8_t *end = nuke_png_frame(encoder->chunk, type, count);
  return encoder->write(encoder->context, encoder->chunk, (size_t)(end - encoder->chunk)) ? NUKE_PNG_OK
                                                                                          : NUKE_PNG_STOPPED;
}

static nuke_png_status deflate_rows(nuke_png_row_encoder *encoder, size_t count, bool is_last) {
  z_stream *stream = &encoder->matches;
  stream->next_in = encoder->filtered;
  stream->avail_in = (uInt)count;
  do {
    stream->next_out = encoder->chunk + 8;
    stream->avail_out = (uInt)encoder->room;
    // Without an error, because the buffers are valid.
    deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    const size_t written = encoder->room - stream->avail_out;
    if (written == 0) continue;
    const nuke_png_status status = write_chunk(encoder, "IDAT", written);
    if (status != NUKE_PNG_OK) return status;
  } while (stream->avail_out == 0);
  return NUKE_PNG_OK;
}

static nuke_png_status compress_band(nuke_png_row_encoder *encoder, bool is_last) {
  const size_t count = (encoder->stride + 1) * encoder->held;
  nuke_png_filter_rows(&encoder->filter, encoder->done, encoder->held, encoder->way.filtering, encoder->filtered);
  if (encoder->has_matches) return deflate_rows(encoder, count, is_last);
  const size_t written =
    nuke_png_deflate_write(encoder->deflate, encoder->filtered, count, is_last, encoder->chunk + 8, encoder->room);
  return write_chunk(encoder, "IDAT", written);
}

// Selects the method by the first band, and writes what precedes the image data.
static nuke_png_status begin(nuke_png_row_encoder *encoder) {
  nuke_png_image sample = encoder->image;
  sample.height = encoder->held;
  sample.chunk_bytes = 0;
  if (sample.level > 0 && !nuke_png_choose(&sample, &encoder->way)) return NUKE_PNG_NO_MEMORY;
  if (encoder->way.coder != nuke_png_by_matches) {
    encoder->deflate = nuke_png_deflate_create();
    if (!encoder->deflate) return NUKE_PNG_NO_MEMORY;
    nuke_png_deflate_start(encoder->deflate, nuke_png_searching(&encoder->filter, encoder->way.coder));
  } else {
    const int strategy = encoder->way.filtering == nuke_png_filtering_none ? Z_DEFAULT_STRATEGY : Z_FILTERED;
    if (deflateInit2(&encoder->matches, sample.level, Z_DEFLATED, 15, 9, strategy) != Z_OK) return NUKE_PNG_NO_MEMORY;
    encoder->has_matches = true;
  }
  const bool continues = encoder->write(encoder->context, encoder->start, encoder->start_bytes);
  free(encoder->start);
  encoder->start = NULL;
  return continues ? NUKE_PNG_OK : NUKE_PNG_STOPPED;
}

static nuke_png_status end_band(nuke_png_row_encoder *encoder) {
  if (encoder->done == 0) {
    const nuke_png_status status = begin(encoder);
    if (status != NUKE_PNG_OK) return status;
  }
  const bool is_last = encoder->done + encoder->held == encoder->image.height;
  const nuke_png_status status = compress_band(encoder, is_last);
  if (status != NUKE_PNG_OK) return status;
  memcpy(encoder->band, encoder->band + (size_t)encoder->held * encoder->stride, encoder->stride);
  encoder->done += encoder->held;
  encoder->held = 0;
  return is_last ? write_chunk(encoder, "IEND", 0) : NUKE_PNG_OK;
}

// MARK: - The encoder

uint8_t *nuke_png_row_encoder_next(nuke_png_row_encoder *encoder) {
  return encoder->band + (size_t)(encoder->held + 1) * encoder->stride;
}

nuke_png_status nuke_png_row_encoder_add(nuke_png_row_encoder *encoder) {
  encoder->held++;
  const bool is_full = encoder->held == encoder->band_rows;
  return is_full || encoder->done + encoder->held == encoder->image.height ? end_band(encoder) : NUKE_PNG_OK;
}

static bool prepare(nuke_png_row_encoder *encoder) {
  const nuke_png_image *image = &encoder->image;
  const size_t bits = (size_t)image->bit_depth * image->samples;
  encoder->stride = ((size_t)image->width * bits + 7) / 8;
  const size_t rows = band_bytes / (encoder->stride + 1);
  encoder->band_rows = rows < least_rows ? least_rows : (uint32_t)rows;
  if (encoder->band_rows > image->height) encoder->band_rows = image->height;
  const size_t filtered = (encoder->stride + 1) * encoder->band_rows;
  encoder->room = nuke_png_bound(filtered);
  if (encoder->room > INT32_MAX) return false;
  encoder->start_bytes = nuke_png_signature_and_header + image->chunk_bytes;
  encoder->start = malloc(encoder->start_bytes);
  // One row more, so that there is memory for a next row while the band is full.
  encoder->band = malloc(encoder->stride * (encoder->band_rows + (size_t)2));
  encoder->filtered = malloc(filtered);
  encoder->chunk = malloc(encoder->room + nuke_png_chunk_frame);
  if (!encoder->start || !encoder->band || !encoder->filtered || !encoder->chunk) return false;
  nuke_png_write_start(image, encoder->start);
  return nuke_png_filter_start(&encoder->filter, image, encoder->stride, bits < 8 ? 1 : bits / 8);
}

nuke_png_row_encoder *nuke_png_row_encoder_create(
  const nuke_png_image *image, nuke_png_write write, void *context) {
  nuke_png_row_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  encoder->image = *image;
  encoder->image.fill = fill;
  encoder->image.context = encoder;
  encoder->write = write;
  encoder->context = context;
  if (prepare(encoder)) return encoder;
  nuke_png_row_encoder_free(encoder);
  return NULL;
}

void nuke_png_row_encoder_free(nuke_png_row_encoder *encoder) {
  nuke_png_filter_end(&encoder->filter);
  nuke_png_deflate_free(encoder->deflate);
  if (encoder->has_matches) deflateEnd(&encoder->matches);
  free(encoder->start);
  free(encoder->band);
  free(encoder->filtered);
  free(encoder->chunk);
  free(encoder);
}
