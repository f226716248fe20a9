#include "jpeg_direct.h"

#include "CNukeKernels.h"

#include <stdlib.h>

typedef struct {
  JPEGTarget target;
  nuke_jpeg_inverse_dct transform;
  uint16_t steps[64];
  // The size of the component, in samples.
  unsigned width, height;
  // The number of pixels that a sample covers in each direction.
  unsigned wider, taller;
  // `row_count` rows of samples, those of a row of MCUs. The last row of the MCUs above precedes them.
  uint8_t *samples;
  size_t stride;
  unsigned row_count;
} Plane;

struct JPEGPixels {
  const nuke_kernels *kernels;
  unsigned plane_count;
  Plane planes[3];
  unsigned units_across, units_down;
  // The size of the decoded image, in pixels.
  unsigned width, height;
  const nuke_jpeg_decoding *decoding;
  // True if chroma is interpolated, and if that needs the row below.
  bool interpolates, looks_down;
  // The numbers of complete rows of MCUs and of pixels.
  unsigned units_done, rows_done;
  // Two rows of upsampled chroma.
  uint8_t *wide[2];
  void *memory;
};

static unsigned divided(unsigned a, unsigned b) { return (a + b - 1) / b; }

// Returns true for the supported sampling factors: luminance 1 or 2 in each direction, and both chroma components 1.
static bool is_usual(const JPEGHeaders *headers) {
  if (headers->component_count == 1) return true;
  const JPEGComponent *c = headers->components;
  return c[0].across <= 2 && c[0].down <= 2 && c[1].across == 1 && c[1].down == 1 && c[2].across == 1 && c[2].down == 1;
}

// Instead of upsampling subsampled chroma in a reduced image, libjpeg transforms more of its coefficients, if it is
// subsampled in both directions.
static unsigned block_size(unsigned smallest, unsigned wider, unsigned taller) {
  return smallest < 8 && wider == 2 && taller == 2 ? smallest * 2 : smallest;
}

static void set_up(Plane *plane, const JPEGHeaders *headers, unsigned index, unsigned smallest) {
  const bool alone = headers->component_count == 1;
  const JPEGComponent *component = &headers->components[index], *largest = &headers->components[0];
  const unsigned wider = largest->across / component->across, taller = largest->down / component->down;
  const unsigned size = block_size(smallest, wider, taller);
  // In a scan of a single component, an MCU is one block (T.81, A.2.2).
  plane->target.across = alone ? 1 : component->across;
  plane->target.down = alone ? 1 : component->down;
  plane->target.size = size;
  plane->width = divided(divided(headers->width * size, wider), 8);
  plane->height = divided(divided(headers->height * size, taller), 8);
  plane->wider = size == smallest ? wider : 1;
  plane->taller = size == smallest ? taller : 1;
  plane->row_count = plane->target.down * size;
}

JPEGPixels *nuke_jpeg_pixels_create(const JPEGHeaders *headers, const nuke_jpeg_decoding *decoding, bool holds_rows) {
  if (!is_usual(headers)) return NULL;
  JPEGPixels *pixels = calloc(1, sizeof *pixels);
  if (!pixels) return NULL;
  const unsigned smallest = 8 / decoding->scale_denominator;
  pixels->kernels = nuke_kernels_best();
  pixels->plane_count = headers->component_count;
  pixels->width = divided(headers->width, decoding->scale_denominator);
  pixels->height = divided(headers->height, decoding->scale_denominator);
  pixels->decoding = decoding;
  pixels->interpolates = smallest > 1;
  for (unsigned i = 0; i < pixels->plane_count; i++) set_up(&pixels->planes[i], headers, i, smallest);
  const JPEGTarget *first = &pixels->planes[0].target;
  pixels->units_across = divided(headers->width, 8 * first->across);
  pixels->units_down = divided(headers->height, 8 * first->down);

  size_t bytes = 0, widest = 0;
  for (unsigned i = 0; i < pixels->plane_count; i++) {
    Plane *plane = &pixels->planes[i];
    JPEGTarget *target = &plane->target;
    plane->stride = ((size_t)pixels->units_across * target->across * target->size + 63) & ~(size_t)63;
    target->row_blocks = holds_rows || target->size == 1 ? target->across * pixels->units_across : 0;
    bytes += plane->stride * (plane->row_count + 1) + 64;
    bytes += ((size_t)target->row_blocks * target->down * (target->size == 1 ? 2 : 128) + 63) & ~(size_t)63;
    if (plane->stride * plane->wider > widest) widest = plane->stride * plane->wider;
    if (plane->taller == 2 && pixels->interpolates && (plane->wider == 1 || plane->width > 2)) pixels->looks_down = true;
  }
  uint8_t *memory = aligned_alloc(64, bytes + widest * 2);
  if (!memory) {
    free(pixels);
    return NULL;
  }
  pixels->memory = memory;
  for (unsigned i = 0; i < pixels->plane_count; i++) {
    Plane *plane = &pixels->planes[i];
    JPEGTarget *target = &plane->target;
    const nuke_jpeg_kernels *kernels = pixels->kernels->jpeg;
    plane->transform = target->size == 8   ? kernels->inverse_dct8
                       : target->size == 4 ? kernels->inverse_dct4
                                           : kernels->inverse_dct2;
    target->coefficients = (int16_t *)memory;
    memory += ((size_t)target->row_blocks * target->down * (target->size == 1 ? 2 : 128) + 63) & ~(size_t)63;
    plane->samples = memory;
    memory += plane->stride * (plane->row_count + 1) + 64;
  }
  pixels->wide[0] = memory;
  pixels->wide[1] = memory + widest;
  return pixels;
}

void nuke_jpeg_pixels_free(JPEGPixels *pixels) {
  if (!pixels) return;
  free(pixels->memory);
  free(pixels);
}

unsigned nuke_jpeg_units_across(const JPEGPixels *pixels) { return pixels->units_across; }

unsigned nuke_jpeg_units_down(const JPEGPixels *pixels) { return pixels->units_down; }

const JPEGTarget *nuke_jpeg_target(const JPEGPixels *pixels, unsigned component) {
  return &pixels->planes[component].target;
}

void nuke_jpeg_set_steps(JPEGPixels *pixels, unsigned component, const uint16_t steps[64]) {
  memcpy(pixels->planes[component].steps, steps, sizeof pixels->planes[component].steps);
}

void nuke_jpeg_transform(
  JPEGPixels *pixels, const JPEGTarget *sources, unsigned from, unsigned first, unsigned count) {
  for (unsigned i = 0; i < pixels->plane_count; i++) {
    const Plane *plane = &pixels->planes[i];
    const JPEGTarget *target = &sources[i];
    if (target->size == 1) continue;
    for (unsigned y = 0; y < target->down; y++) {
      uint8_t *samples =
        plane->samples + (1 + y * target->size) * plane->stride + (size_t)first * target->across * target->size;
      const int16_t *blocks = target->coefficients + ((size_t)y * target->row_blocks + from * target->across) * 64;
      plane->transform(samples, plane->stride, blocks, (size_t)count * target->across, plane->steps);
    }
  }
}

static void transform_firsts(const JPEGPixels *pixels, const Plane *plane) {
  const JPEGTarget *target = &plane->target;
  for (unsigned y = 0; y < target->down; y++) {
    pixels->kernels->jpeg->inverse_dct1(
      plane->samples + (1 + y) * plane->stride, target->coefficients + (size_t)y * target->row_blocks,
      target->row_blocks, plane->steps[0]);
  }
}

// Returns a row of samples by its number in the image. It must be in the current row of MCUs, or the last row above.
static const uint8_t *row_at(const JPEGPixels *pixels, const Plane *plane, unsigned y) {
  return plane->samples + (y - pixels->units_done * plane->row_count + 1) * plane->stride;
}

// Returns the samples of one component for one row of pixels; upsampled into `wide` if there are fewer.
static const uint8_t *samples_for(const JPEGPixels *pixels, const Plane *plane, unsigned y, uint8_t *wide) {
  const nuke_jpeg_kernels *kernels = pixels->kernels->jpeg;
  const unsigned here = plane->taller == 2 ? y / 2 : y;
  const uint8_t *near = row_at(pixels, plane, here), *far = near;
  const bool interpolates_across = plane->wider == 2 && pixels->interpolates && plane->width > 2;
  if (plane->taller == 2 && pixels->looks_down) {
    if (y % 2 == 0 && here > 0) far -= plane->stride;
    if (y % 2 == 1 && here + 1 < plane->height) far += plane->stride;
  }
  if (plane->wider == 1) {
    if (plane->taller == 1 || !pixels->interpolates) return near;
    kernels->double_down(wide, near, far, plane->width, y % 2 == 0 ? 1 : 2);
  } else if (!interpolates_across) {
    for (unsigned x = 0; x < plane->width; x++) wide[x * 2] = wide[x * 2 + 1] = near[x];
  } else if (plane->taller == 2) {
    kernels->double_both(wide, near, far, plane->width);
  } else {
    kernels->double_across(wide, near, plane->width);
  }
  return wide;
}

// Returns the number of pixel rows that are complete after a row of MCUs.
static unsigned rows_ready(const JPEGPixels *pixels, unsigned row) {
  const unsigned ready = (row + 1) * pixels->planes[0].row_count - (pixels->looks_down ? 1 : 0);
  return row + 1 == pixels->units_down || ready > pixels->height ? pixels->height : ready;
}

void nuke_jpeg_begin_at(JPEGPixels *pixels, unsigned row) {
  pixels->units_done = row;
  pixels->rows_done = rows_ready(pixels, row);
}

bool nuke_jpeg_end_row(JPEGPixels *pixels) {
  for (unsigned i = 0; i < pixels->plane_count; i++) {
    if (pixels->planes[i].target.size == 1) transform_firsts(pixels, &pixels->planes[i]);
  }
  const Plane *planes = pixels->planes;
  const unsigned ready = rows_ready(pixels, pixels->units_done);
  const nuke_jpeg_decoding *decoding = pixels->decoding;
  const unsigned first = pixels->rows_done, origin = decoding->rows ? first : 0;
  for (unsigned y = first; y < ready; y++) {
    uint8_t *row = decoding->pixels + (size_t)(y - origin) * decoding->stride;
    const uint8_t *brightness = row_at(pixels, &planes[0], y);
    if (pixels->plane_count == 1) {
      pixels->kernels->gray_to_rgba(row, brightness, pixels->width);
    } else {
      const uint8_t *cb = samples_for(pixels, &planes[1], y, pixels->wide[0]);
      const uint8_t *cr = samples_for(pixels, &planes[2], y, pixels->wide[1]);
      pixels->kernels->jpeg->ycc_to_rgba(row, brightness, cb, cr, pixels->width);
    }
  }
  pixels->rows_done = ready;
  for (unsigned i = 0; i < pixels->plane_count && pixels->looks_down; i++) {
    const Plane *plane = &planes[i];
    memcpy(plane->samples, plane->samples + plane->row_count * plane->stride, plane->stride);
  }
  pixels->units_done++;
  return !decoding->rows || ready == first || decoding->rows(decoding->context, first, ready - first);
}
