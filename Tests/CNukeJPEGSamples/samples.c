#include "CNukeJPEGSamples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// SplitMix64.
static uint32_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static void fill_row(const JPEGSample *sample, uint64_t *state, uint8_t *row, unsigned count, unsigned y) {
  const unsigned slope = 1 + (unsigned)sample->seed % 37, period = 1 + (unsigned)(sample->seed >> 8) % 29;
  for (unsigned x = 0; x < count; x++) {
    unsigned value;
    switch (sample->content) {
    case 0:
      value = next_random(state);
      break;
    case 1:
      value = (x * slope + y * period) / 8;
      break;
    case 2:
      value = ((x / period + y / slope) & 1) * 255;
      break;
    case 3:
      value = 96 + (x * slope / 16 + y) % 64 + next_random(state) % 5;
      break;
    default:
      value = (unsigned)sample->seed;
    }
    row[x] = (uint8_t)value;
  }
}

uint8_t *jpeg_sample_make(const JPEGSample *sample, size_t *size) {
  struct jpeg_compress_struct cinfo;
  struct jpeg_error_mgr errors;
  memset(&cinfo, 0, sizeof cinfo);
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_compress(&cinfo);
  unsigned char *file = NULL;
  unsigned long count = 0;
  jpeg_mem_dest(&cinfo, &file, &count);
  cinfo.image_width = sample->width;
  cinfo.image_height = sample->height;
  cinfo.input_components = sample->gray ? 1 : 3;
  cinfo.in_color_space = sample->gray ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&cinfo);
  jpeg_set_quality(&cinfo, sample->quality, TRUE);
  cinfo.comp_info[0].h_samp_factor = (int)sample->across;
  cinfo.comp_info[0].v_samp_factor = (int)sample->down;
  cinfo.optimize_coding = sample->optimized;
  cinfo.restart_interval = sample->restart_interval;
  if (sample->progressive) jpeg_simple_progression(&cinfo);
  jpeg_start_compress(&cinfo, TRUE);
  uint64_t state = sample->seed;
  const unsigned row_bytes = sample->width * (unsigned)cinfo.input_components;
  uint8_t *row = malloc(row_bytes);
  while (row && cinfo.next_scanline < cinfo.image_height) {
    fill_row(sample, &state, row, row_bytes, cinfo.next_scanline);
    JSAMPROW rows = row;
    jpeg_write_scanlines(&cinfo, &rows, 1);
  }
  free(row);
  jpeg_finish_compress(&cinfo);
  jpeg_destroy_compress(&cinfo);
  *size = count;
  return file;
}
