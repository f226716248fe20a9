#include "CNukePNGShim.h"
#include "png_shared.h"

#include <libdeflate.h>
#include <stdbool.h>
#include <zlib.h>

// Rows are reported in batches of about this many bytes, while they are in the cache.
#define BATCH_BYTES 65536

// The maximum number of bytes of image data that are inflated after the last row to verify the checksum. Without a
// limit, a small file could keep a thread busy for minutes.
#define TRAILING_BYTES 65536

// MARK: - Decoding

struct decoder {
  struct outcome outcome;
  png_structp png;
  png_infop info;
  const uint8_t *data;
  size_t count;
  size_t position;
  uint32_t width, height;
  // The number of bits of an output component.
  int bits;
  uint8_t *pixels;
  // The number of rows in memory: all, or those of one batch.
  uint32_t rows_held;
  // True if all rows in memory are reported together.
  bool is_band;
  nuke_png_rows rows;
  void *context;
  // The number of rows that are still to be inflated, in all passes.
  uint64_t rows_left;
  size_t trailing;
  // The number of rows that were reported.
  uint32_t reported;
};

static void read_bytes(png_structp png, png_bytep output, size_t count) {
  struct decoder *decoder = png_get_io_ptr(png);
  if (decoder->rows_left == 0) {
    // libpng has already written the last row when it looks for the end of the stream.
    if (count > TRAILING_BYTES - decoder->trailing) png_longjmp(png, 1);
    decoder->trailing += count;
  }
  if (count > decoder->count - decoder->position) {
    decoder->position = decoder->count;
    decoder->outcome.result.status = NUKE_PNG_TRUNCATED;
    png_error(png, "the data ends too early");
  }
  memcpy(output, decoder->data + decoder->position, count);
  decoder->position += count;
}

// Called by libpng after it has inflated a row of a pass.
static void count_row(png_structp png, png_row_infop info, png_bytep row) {
  (void)info;
  (void)row;
  struct decoder *decoder = png_get_io_ptr(png);
  if (decoder->rows_left > 0) decoder->rows_left--;
}

static uint64_t row_count(uint32_t width, uint32_t height, int passes) {
  if (passes == 1) return height;
  uint64_t count = 0;
  for (int pass = 0; pass < passes; pass++) {
    if (PNG_PASS_COLS(width, pass) > 0) count += PNG_PASS_ROWS(height, pass);
  }
  return count;
}

static int report(struct decoder *decoder, uint32_t count) {
  if (decoder->rows == NULL || decoder->rows(decoder->context, decoder->reported, count)) {
    decoder->reported += count;
    return 1;
  }
  decoder->outcome.result.status = NUKE_PNG_STOPPED;
  return 0;
}

static void decode_rows(struct decoder *decoder) {
  png_structp png = decoder->png;
  png_infop info = decoder->info;
  png_set_read_fn(png, decoder, read_bytes);
  set_up_reading(png, decoder->width, decoder->height);
  png_set_compression_buffer_size(png, 32768);

  png_read_info(png, info);
  png_set_read_user_transform_fn(png, count_row);
  int passes = set_output(png, decoder->bits);
  decoder->rows_left = row_count(decoder->width, decoder->height, passes);
  png_read_update_info(png, info);

  check_output(png, info, decoder->width, decoder->height, decoder->bits);
  if (passes > 1 && decoder->rows_held < decoder->height) png_error(png, "the image is interlaced");

  size_t bytes_per_row = (size_t)decoder->width * (size_t)decoder->bits / 2;
  size_t batch = BATCH_BYTES / bytes_per_row;
  if (batch < 1) batch = 1;
  if (decoder->is_band) batch = decoder->rows_held;
  for (int pass = 0; pass < passes; pass++) {
    uint32_t y = 0;
    while (y < decoder->height) {
      uint32_t first = y;
      uint32_t end = decoder->height - y < batch ? decoder->height : y + (uint32_t)batch;
      for (; y < end; y++) png_read_row(png, decoder->pixels + y % decoder->rows_held * bytes_per_row, NULL);
      // Each pass writes pixels near every row, so rows are complete only in the last pass.
      if (!report(decoder, pass == passes - 1 ? end - first : 0)) return;
    }
  }
}

// A separate function, so that no local variable is live across setjmp.
static void decode_guarded(struct decoder *decoder) {
  if (setjmp(png_jmpbuf(decoder->png)) == 0) decode_rows(decoder);
}

static nuke_png_result decode(struct decoder decoder) {
  decoder.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &decoder.outcome, fail, ignore_warning,
                                         &decoder.outcome, allocate, release);
  if (decoder.png != NULL) decoder.info = png_create_info_struct(decoder.png);
  // The value until the header has been read.
  decoder.rows_left = UINT64_MAX;
  if (decoder.info != NULL) {
    decode_guarded(&decoder);
    if (decoder.outcome.result.status == NUKE_PNG_OK && decoder.reported < decoder.height) {
      report(&decoder, decoder.height - decoder.reported);
    }
  } else {
    decoder.outcome.result.status = NUKE_PNG_NO_MEMORY;
  }
  png_destroy_read_struct(&decoder.png, &decoder.info, NULL);
  decoder.outcome.result.offset = decoder.position;
  return decoder.outcome.result;
}

static nuke_png_result decode_rgba(const uint8_t *data, size_t count, uint32_t width, uint32_t height, uint8_t *pixels,
                                   bool is_band, nuke_png_rows rows, void *context) {
  const uint32_t most = is_band ? nuke_png_band_rows(width) : height;
  return decode((struct decoder){.data = data,
                                 .count = count,
                                 .width = width,
                                 .height = height,
                                 .bits = 8,
                                 .pixels = pixels,
                                 .rows_held = most < height ? most : height,
                                 .is_band = is_band,
                                 .rows = rows,
                                 .context = context});
}

nuke_png_result nuke_png_decode_by_libpng(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                          uint8_t *pixels, nuke_png_rows rows, void *context) {
  return decode_rgba(data, count, width, height, pixels, false, rows, context);
}

nuke_png_result nuke_png_decode_deep(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                     uint16_t *components, uint32_t rows_held, nuke_png_rows rows, void *context) {
  return decode((struct decoder){.data = data,
                                 .count = count,
                                 .width = width,
                                 .height = height,
                                 .bits = 16,
                                 .pixels = (uint8_t *)components,
                                 .rows_held = rows_held,
                                 .is_band = rows_held < height,
                                 .rows = rows,
                                 .context = context});
}

nuke_png_result nuke_png_decode(const uint8_t *data, size_t count, uint32_t width, uint32_t height, uint8_t *pixels,
                                nuke_png_rows rows, void *context) {
  return nuke_png_decode_colors(data, count, width, height, pixels, NULL, rows, context);
}

// Decodes with libpng what our decoder has left.
static nuke_png_result finish(nuke_png_direct_status status, size_t offset, const uint8_t *data, size_t count,
                              uint32_t width, uint32_t height, uint8_t *pixels, bool is_band,
                              nuke_png_colors colors, nuke_png_rows rows, void *context) {
  switch (status) {
  case NUKE_PNG_DIRECT_OK:
    return (nuke_png_result){.status = NUKE_PNG_OK, .offset = offset};
  case NUKE_PNG_DIRECT_STOPPED:
    return (nuke_png_result){.status = NUKE_PNG_STOPPED, .offset = offset};
  case NUKE_PNG_DIRECT_UNUSUAL:
    break;
  }
  if (colors) colors(context, NULL, 0);
  return decode_rgba(data, count, width, height, pixels, is_band, rows, context);
}

nuke_png_result nuke_png_decode_colors(const uint8_t *data, size_t count, uint32_t width, uint32_t height,
                                       uint8_t *pixels, nuke_png_colors colors, nuke_png_rows rows, void *context) {
  size_t offset = 0;
  const nuke_png_direct_status status =
    nuke_png_decode_direct(data, count, width, height, pixels, colors, rows, context, &offset);
  return finish(status, offset, data, count, width, height, pixels, false, colors, rows, context);
}

nuke_png_result nuke_png_decode_bands(const uint8_t *data, size_t count, uint32_t width, uint32_t height, uint8_t *band,
                                      nuke_png_colors colors, nuke_png_rows rows, void *context) {
  size_t offset = 0;
  const nuke_png_direct_status status =
    nuke_png_decode_direct_bands(data, count, width, height, band, colors, rows, context, &offset);
  return finish(status, offset, data, count, width, height, band, true, colors, rows, context);
}

// MARK: - zlib

size_t nuke_png_inflate(const uint8_t *data, size_t count, uint8_t *output, size_t limit) {
  z_stream stream = {0};
  if (count > UINT32_MAX || limit > UINT32_MAX || inflateInit(&stream) != Z_OK) return 0;
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)limit;
  inflate(&stream, Z_SYNC_FLUSH);
  size_t written = limit - stream.avail_out;
  inflateEnd(&stream);
  return written;
}

ptrdiff_t nuke_png_inflate_whole(const uint8_t *data, size_t count, uint8_t *output, size_t limit) {
  z_stream stream = {0};
  if (count > UINT32_MAX || limit > UINT32_MAX || inflateInit(&stream) != Z_OK) return -1;
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)limit;
  int status = inflate(&stream, Z_FINISH);
  size_t written = limit - stream.avail_out;
  inflateEnd(&stream);
  return status == Z_STREAM_END ? (ptrdiff_t)written : -1;
}

uint32_t nuke_png_crc(const uint8_t *data, size_t count) { return libdeflate_crc32(0, data, count); }
