#include "CNukePNGShim.h"
#include "png_shared.h"

#include <stdbool.h>

// libpng's push reader. Rows must be combined with those of the previous passes.
struct nuke_png_previews {
  struct outcome outcome;
  png_structp png;
  png_infop info;
  uint32_t width, height;
  // The number of bits of an output component.
  int bits;
  uint8_t *pixels;
  int passes;
  nuke_png_progress progress;
};

static void read_header(png_structp png, png_infop info) {
  nuke_png_previews *previews = png_get_progressive_ptr(png);
  previews->passes = set_output(png, previews->bits);
  png_read_update_info(png, info);
  check_output(png, info, previews->width, previews->height, previews->bits);
}

// Called for every row of every pass. `row` is NULL if the pass has no pixels in it.
static void read_row(png_structp png, png_bytep row, png_uint_32 y, int pass) {
  nuke_png_previews *previews = png_get_progressive_ptr(png);
  if (y >= previews->height) png_error(png, "a row below the image");
  // Pixels of previous passes fill the area of those that are still missing.
  size_t bytes_per_row = (size_t)previews->width * (size_t)previews->bits / 2;
  if (row) png_progressive_combine_row(png, previews->pixels + y * bytes_per_row, row);
  previews->progress.rows = y + 1;
  previews->progress.pass = pass;
  if (y + 1 < previews->height) return;
  previews->progress.complete_passes = pass + 1;
  if (pass + 1 < previews->passes) return;
  // Data after the last row is ignored.
  previews->progress.finished = 1;
  png_longjmp(png, 1);
}

static bool set_up(nuke_png_previews *previews) {
  if (setjmp(png_jmpbuf(previews->png)) != 0) return false;
  set_up_reading(previews->png, previews->width, previews->height);
  png_set_progressive_read_fn(previews->png, previews, read_header, read_row, NULL);
  return true;
}

nuke_png_previews *nuke_png_previews_create(uint32_t width, uint32_t height, int bits, void *pixels) {
  nuke_png_previews *previews = calloc(1, sizeof *previews);
  if (previews == NULL) return NULL;
  previews->width = width;
  previews->height = height;
  previews->bits = bits;
  previews->pixels = pixels;
  previews->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &previews->outcome, fail, ignore_warning,
                                           &previews->outcome, allocate, release);
  if (previews->png != NULL) previews->info = png_create_info_struct(previews->png);
  if (previews->info != NULL && set_up(previews)) return previews;
  nuke_png_previews_free(previews);
  return NULL;
}

void nuke_png_previews_free(nuke_png_previews *previews) {
  png_destroy_read_struct(&previews->png, &previews->info, NULL);
  free(previews);
}

nuke_png_result nuke_png_previews_read(nuke_png_previews *previews, const uint8_t *data, size_t count,
                                       nuke_png_progress *progress) {
  if (setjmp(png_jmpbuf(previews->png)) == 0) png_process_data(previews->png, previews->info, (png_bytep)data, count);
  *progress = previews->progress;
  return previews->outcome.result;
}
