#include "CodecLoops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avif/avif.h>
#include <cairo.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/encode.h>

uint8_t *loop_jpeg_decode(const uint8_t *file, size_t count, int scale_denominator, int *width, int *height) {
  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  decoder.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, file, count);
  jpeg_read_header(&decoder, TRUE);
  decoder.out_color_space = JCS_EXT_RGBA;
  decoder.scale_num = 1;
  decoder.scale_denom = (unsigned)scale_denominator;
  jpeg_start_decompress(&decoder);
  *width = (int)decoder.output_width;
  *height = (int)decoder.output_height;
  uint8_t *pixels = malloc((size_t)*width * (size_t)*height * 4);
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW row = pixels + (size_t)decoder.output_scanline * (size_t)*width * 4;
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  jpeg_destroy_decompress(&decoder);
  return pixels;
}

uint8_t *loop_jpeg_encode(const uint8_t *pixels, int width, int height, int quality, size_t *count) {
  struct jpeg_compress_struct encoder;
  struct jpeg_error_mgr errors;
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char *file = NULL;
  unsigned long size = 0;
  jpeg_mem_dest(&encoder, &file, &size);
  encoder.image_width = (JDIMENSION)width;
  encoder.image_height = (JDIMENSION)height;
  encoder.input_components = 4;
  encoder.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)encoder.next_scanline * (size_t)width * 4);
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  *count = size;
  return file;
}

struct bytes {
  uint8_t *base;
  size_t count, capacity;
};

static void read_bytes(png_structp png, png_bytep into, size_t count) {
  struct bytes *source = png_get_io_ptr(png);
  if (count > source->capacity - source->count) png_error(png, "truncated");
  memcpy(into, source->base + source->count, count);
  source->count += count;
}

static void write_bytes(png_structp png, png_bytep from, size_t count) {
  struct bytes *target = png_get_io_ptr(png);
  if (target->count + count > target->capacity) {
    target->capacity = (target->count + count) * 2;
    target->base = realloc(target->base, target->capacity);
  }
  memcpy(target->base + target->count, from, count);
  target->count += count;
}

uint8_t *loop_png_decode(const uint8_t *file, size_t count, int *width, int *height) {
  struct bytes source = {(uint8_t *)file, 0, count};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) abort();
  png_set_read_fn(png, &source, read_bytes);
  png_read_info(png, info);
  *width = (int)png_get_image_width(png, info);
  *height = (int)png_get_image_height(png, info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  uint8_t *pixels = malloc((size_t)*width * (size_t)*height * 4);
  for (int pass = 0; pass < passes; pass++)
    for (int y = 0; y < *height; y++) png_read_row(png, pixels + (size_t)y * (size_t)*width * 4, NULL);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return pixels;
}

uint8_t *loop_png_encode(const uint8_t *pixels, int width, int height, int level, size_t *count) {
  struct bytes target = {NULL, 0, 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) abort();
  png_set_write_fn(png, &target, write_bytes, NULL);
  png_set_IHDR(
      png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, level);
  png_write_info(png, info);
  png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (int y = 0; y < height; y++) png_write_row(png, pixels + (size_t)y * (size_t)width * 4);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  *count = target.count;
  return target.base;
}

uint8_t *loop_webp_decode(const uint8_t *file, size_t count, int *width, int *height) {
  WebPGetInfo(file, count, width, height);
  size_t size = (size_t)*width * (size_t)*height * 4;
  uint8_t *pixels = malloc(size);
  if (!WebPDecodeRGBAInto(file, count, pixels, size, *width * 4)) abort();
  return pixels;
}

uint8_t *loop_avif_decode(const uint8_t *file, size_t count, int *width, int *height) {
  avifDecoder *decoder = avifDecoderCreate();
  decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
  decoder->maxThreads = 1;
  if (avifDecoderSetIOMemory(decoder, file, count) != AVIF_RESULT_OK) abort();
  if (avifDecoderParse(decoder) != AVIF_RESULT_OK || avifDecoderNextImage(decoder) != AVIF_RESULT_OK) abort();
  avifRGBImage picture;
  avifRGBImageSetDefaults(&picture, decoder->image);
  picture.depth = 8;
  *width = (int)picture.width;
  *height = (int)picture.height;
  picture.rowBytes = picture.width * 4;
  picture.pixels = malloc((size_t)picture.rowBytes * picture.height);
  if (avifImageYUVToRGB(decoder->image, &picture) != AVIF_RESULT_OK) abort();
  avifDecoderDestroy(decoder);
  return picture.pixels;
}

uint8_t *loop_round_corners(const uint8_t *pixels, int side, double radius) {
  const size_t size = (size_t)side * (size_t)side * 4;
  uint8_t *rounded = calloc(1, size);
  cairo_surface_t *from =
      cairo_image_surface_create_for_data((uint8_t *)pixels, CAIRO_FORMAT_ARGB32, side, side, side * 4);
  cairo_surface_t *to = cairo_image_surface_create_for_data(rounded, CAIRO_FORMAT_ARGB32, side, side, side * 4);
  cairo_t *drawing = cairo_create(to);
  cairo_arc(drawing, side - radius, radius, radius, -M_PI / 2, 0);
  cairo_arc(drawing, side - radius, side - radius, radius, 0, M_PI / 2);
  cairo_arc(drawing, radius, side - radius, radius, M_PI / 2, M_PI);
  cairo_arc(drawing, radius, radius, radius, M_PI, M_PI * 3 / 2);
  cairo_close_path(drawing);
  cairo_set_source_surface(drawing, from, 0, 0);
  cairo_fill(drawing);
  cairo_destroy(drawing);
  cairo_surface_destroy(to);
  cairo_surface_destroy(from);
  return rounded;
}

uint8_t *loop_webp_encode(const uint8_t *pixels, int width, int height, float quality, size_t *count) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  WebPConfigInit(&config);
  WebPPictureInit(&picture);
  WebPMemoryWriterInit(&writer);
  config.quality = quality;
  picture.width = width;
  picture.height = height;
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  if (!WebPPictureImportRGBX(&picture, pixels, width * 4) || !WebPEncode(&config, &picture)) abort();
  WebPPictureFree(&picture);
  *count = writer.size;
  return writer.mem;
}

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)

const char *loop_versions(void) {
  static char text[128];
  int webp = WebPGetDecoderVersion();
  snprintf(
      text, sizeof text,
      "libjpeg-turbo " TEXT(LIBJPEG_TURBO_VERSION) ", libpng %s, libwebp %d.%d.%d, libavif %s, cairo %s",
      png_get_libpng_ver(NULL), webp >> 16, webp >> 8 & 255, webp & 255, avifVersion(), cairo_version_string());
  return text;
}
