// JPEG files of all kinds that libjpeg-turbo writes, for tests that read them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct JPEGSample {
  unsigned width, height;
  // One component instead of three.
  bool gray;
  // Samples of the brightness for one of each color: 1 or 2.
  unsigned across, down;
  // 1...100
  int quality;
  // Huffman tables made for the image.
  bool optimized;
  bool progressive;
  // MCUs between two restart markers; 0 for none.
  unsigned restart_interval;
  // What is seen, from noise to one color, and a number that it depends on.
  unsigned content;
  uint64_t seed;
} JPEGSample;

enum { jpeg_sample_contents = 5 };

// The file of `*size` bytes, to be freed with free().
uint8_t *jpeg_sample_make(const JPEGSample *sample, size_t *size);
