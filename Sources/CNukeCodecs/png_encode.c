// Writes PNG: filters the rows with our kernels, and compresses them with libdeflate, by pixels or as runs.
#include "png_encode.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
  // The maximum number of bytes of filtered rows that are compressed as a sample to select a method; more at level 9.
  // Longer parts contain more of the distant matches that an image without filters has.
  sample_bytes = 131072,
  // Of a small image a quarter is compressed, but no less than this number of bytes: otherwise the selection would take
  // several times as long as the rest.
  least_sample_bytes = 16384,
  sample_bytes_of_smallest = 8 * sample_bytes,
  sample_parts = 4,
  // Filters are compared at no higher level of libdeflate.
  highest_quick_level = 7,
  // A slower filter is selected only if it saves this fraction of the bytes.
  least_saving = 64,
  // Matches of pixels, which are found several times as fast, may take this fraction more bytes than those of any bytes;
  // more at levels 1 and 2.
  most_loss = 64,
  most_loss_of_fast = 4,
  // At level 8, matches of pixels of this number of bytes are taken at once.
  nice_length = 64,
};

// The level of libdeflate for each of our levels. Above 9 it searches for the best way to split the rows into matches,
// which takes far longer.
static const int deflate_levels[10] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 11};

struct encoder {
  const nuke_png_image *image;
  nuke_png_filter filter;
  struct libdeflate_compressor *matches, *quick;
  nuke_png_deflate *deflate;
  uint8_t *filtered;
  size_t filtered_capacity;
  // The file.
  uint8_t *file;
  size_t capacity;
};

// MARK: - Compressing

size_t nuke_png_bound(size_t count) {
  const size_t matches = libdeflate_zlib_compress_bound(NULL, count), own = nuke_png_deflate_bound(count);
  return matches > own ? matches : own;
}

nuke_png_search nuke_png_searching(const nuke_png_filter *filter, nuke_png_coder coder) {
  static const uint32_t candidates[10] = {1, 1, 1, 2, 2, 4, 4, 8, 40, 1};
  return (nuke_png_search){
    .step = coder == nuke_png_by_pixels ? filter->step : 0,
    .stride = filter->count + 1,
    .candidates = candidates[filter->image->level],
    .nice_length = filter->image->level == 8 ? nice_length : 0,
  };
}

// Compresses the filtered rows. Returns the number of bytes; 0 if they exceed `room`.
static size_t compress(struct encoder *encoder, nuke_png_coder coder, size_t count, uint8_t *output, size_t room) {
  if (coder == nuke_png_by_matches) {
    return libdeflate_zlib_compress(encoder->matches, encoder->filtered, count, output, room);
  }
  const nuke_png_search search = nuke_png_searching(&encoder->filter, coder);
  return nuke_png_deflate_compress(encoder->deflate, search, encoder->filtered, count, output, room);
}

// Filters some rows from the whole image. Returns the number of bytes.
static size_t filter_sample(struct encoder *encoder, nuke_png_filtering filtering) {
  const uint32_t height = encoder->image->height;
  const size_t stride = encoder->filter.count + 1;
  const size_t quarter = encoder->filtered_capacity / 4;
  const size_t small = quarter < least_sample_bytes ? least_sample_bytes : quarter < sample_bytes ? quarter : sample_bytes;
  const size_t limit = encoder->image->level == 9 ? sample_bytes_of_smallest : small;
  if (encoder->filtered_capacity <= limit) {
    nuke_png_filter_rows(&encoder->filter, 0, height, filtering, encoder->filtered);
    return stride * height;
  }
  size_t rows = limit / sample_parts / stride, written = 0;
  if (rows < 1) rows = 1;
  const uint32_t parts = height < sample_parts ? height : sample_parts;
  for (uint32_t part = 0; part < parts; part++) {
    const uint32_t first = (uint32_t)((uint64_t)height * part / parts);
    const uint32_t end = (uint32_t)((uint64_t)height * (part + 1) / parts);
    const uint32_t count = end - first < rows ? end - first : (uint32_t)rows;
    nuke_png_filter_rows(&encoder->filter, first, count, filtering, encoder->filtered + written);
    written += stride * count;
  }
  return written;
}

// Returns the method that compresses a sample to the fewest bytes, or is far faster for a few more.
static nuke_png_way choose(struct encoder *encoder, uint8_t *scratch, size_t room) {
  const int level = encoder->image->level;
  // The entropy takes longer to compute, and is the better measure if rows are long enough.
  const nuke_png_filtering last = level < 3 ? nuke_png_filtering_sum : nuke_png_filtering_entropy;
  nuke_png_way way = {0};
  size_t least = SIZE_MAX, count = 0;
  for (nuke_png_filtering filtering = nuke_png_filtering_none; filtering <= last; filtering++) {
    count = filter_sample(encoder, filtering);
    const size_t size = libdeflate_zlib_compress(encoder->quick, encoder->filtered, count, scratch, room);
    if (size < least - least / least_saving) {
      least = size;
      way = (nuke_png_way){.filtering = filtering, .coder = nuke_png_by_matches};
    }
    // Filters make equal pixels different, and a photograph has none. Level 9 finds more matches of any bytes.
    if (filtering != nuke_png_filtering_none || size > count / 2 || level == 9) continue;
    const size_t pixels = compress(encoder, nuke_png_by_pixels, count, scratch, room);
    if (pixels > least + least / (level < 3 ? most_loss_of_fast : most_loss)) continue;
    least = pixels;
    way.coder = nuke_png_by_pixels;
  }
  if (way.filtering != last) count = filter_sample(encoder, way.filtering);
  const size_t runs = compress(encoder, nuke_png_by_runs, count, scratch, room);
  if (runs < least) {
    least = runs;
    way.coder = nuke_png_by_runs;
  }
  // A higher level finds no fewer matches, so it is tried only if it can change the result.
  if (way.coder == nuke_png_by_matches || level <= highest_quick_level) return way;
  const size_t matches = compress(encoder, nuke_png_by_matches, count, scratch, room);
  const size_t loss = way.coder == nuke_png_by_pixels ? matches / most_loss : 0;
  if (matches + loss <= least) way.coder = nuke_png_by_matches;
  return way;
}

// Compresses all rows to `output`.
static size_t compress_in(struct encoder *encoder, nuke_png_way way, uint8_t *output, size_t room) {
  nuke_png_filter_rows(&encoder->filter, 0, encoder->image->height, way.filtering, encoder->filtered);
  return compress(encoder, way.coder, encoder->filtered_capacity, output, room);
}

// MARK: - The file

static uint8_t *put(uint8_t *output, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *output++ = (uint8_t)(value >> shift);
  return output;
}

uint8_t *nuke_png_frame(uint8_t *start, const char *type, size_t count) {
  put(start, (uint32_t)count);
  memcpy(start + 4, type, 4);
  return put(start + 8 + count, libdeflate_crc32(0, start + 4, count + 4));
}

uint8_t *nuke_png_write_start(const nuke_png_image *image, uint8_t *output) {
  static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  memcpy(output, signature, 8);
  uint8_t *header = output + 8;
  uint8_t *fields = put(put(header + 8, image->width), image->height);
  const uint8_t rest[5] = {image->bit_depth, image->color_type, 0, 0, 0};
  memcpy(fields, rest, sizeof rest);
  output = nuke_png_frame(header, "IHDR", 13);
  if (image->chunk_bytes > 0) memcpy(output, image->chunks, image->chunk_bytes);
  return output + image->chunk_bytes;
}

// Splits `count` compressed bytes, which begin 8 bytes after `start`, into chunks. Returns their end.
static uint8_t *frame_image_data(const nuke_png_image *image, uint8_t *start, size_t count) {
  const size_t limit = image->longest_chunk, last = (count - 1) / limit;
  // In reverse order, so that no data is overwritten before it is moved.
  for (size_t i = last; i > 0; i--) {
    memmove(start + 8 + i * (limit + nuke_png_chunk_frame), start + 8 + i * limit, i == last ? count - i * limit : limit);
  }
  for (size_t i = 0; i <= last; i++) start = nuke_png_frame(start, "IDAT", i == last ? count - i * limit : limit);
  return start;
}

static bool encode(struct encoder *encoder, uint8_t **bytes, size_t *count) {
  const nuke_png_image *image = encoder->image;
  uint8_t *start = nuke_png_write_start(image, encoder->file), *data = start + 8;
  const size_t room = nuke_png_bound(encoder->filtered_capacity);
  const nuke_png_way way = image->level == 0 ? (nuke_png_way){0} : choose(encoder, data, room);
  const size_t size = compress_in(encoder, way, data, room);
  if (size == 0) return false;
  free(encoder->filtered);
  encoder->filtered = NULL;
  uint8_t *end = nuke_png_frame(frame_image_data(image, start, size), "IEND", 0);
  *count = (size_t)(end - encoder->file);
  // Unused memory is returned to the system.
  uint8_t *shrunk = realloc(encoder->file, *count);
  *bytes = shrunk != NULL ? shrunk : encoder->file;
  encoder->file = NULL;
  return true;
}

// Allocates all memory. Returns false if that fails or sizes overflow.
static bool prepare(struct encoder *encoder) {
  const nuke_png_image *image = encoder->image;
  const size_t bits = (size_t)image->bit_depth * image->samples;
  const size_t stride = ((size_t)image->width * bits + 7) / 8;
  if (__builtin_mul_overflow(stride + 1, (size_t)image->height, &encoder->filtered_capacity)) return false;
  if (encoder->filtered_capacity > PTRDIFF_MAX / 2) return false;
  const size_t most = nuke_png_bound(encoder->filtered_capacity);
  encoder->capacity = nuke_png_signature_and_header + image->chunk_bytes + most +
                      (most / image->longest_chunk + 1) * nuke_png_chunk_frame + nuke_png_chunk_frame;
  encoder->matches = libdeflate_alloc_compressor(deflate_levels[image->level]);
  const int level = image->level < highest_quick_level ? image->level : highest_quick_level;
  encoder->quick = libdeflate_alloc_compressor(deflate_levels[level]);
  encoder->deflate = nuke_png_deflate_create();
  encoder->filtered = malloc(encoder->filtered_capacity);
  encoder->file = malloc(encoder->capacity);
  return encoder->matches && encoder->quick && encoder->deflate && encoder->filtered && encoder->file &&
         nuke_png_filter_start(&encoder->filter, image, stride, bits < 8 ? 1 : bits / 8);
}

static void free_all(struct encoder *encoder) {
  nuke_png_filter_end(&encoder->filter);
  nuke_png_deflate_free(encoder->deflate);
  libdeflate_free_compressor(encoder->matches);
  libdeflate_free_compressor(encoder->quick);
  free(encoder->filtered);
  free(encoder->file);
}

bool nuke_png_choose(const nuke_png_image *image, nuke_png_way *way) {
  struct encoder encoder = {.image = image};
  const bool succeeds = prepare(&encoder);
  if (succeeds) *way = choose(&encoder, encoder.file, nuke_png_bound(encoder.filtered_capacity));
  free_all(&encoder);
  return succeeds;
}

nuke_png_status nuke_png_encode(const nuke_png_image *image, uint8_t **bytes, size_t *count) {
  struct encoder encoder = {.image = image};
  const bool succeeds = prepare(&encoder) && encode(&encoder, bytes, count);
  free_all(&encoder);
  return succeeds ? NUKE_PNG_OK : NUKE_PNG_NO_MEMORY;
}
