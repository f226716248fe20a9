#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_TIFF_FUNCTIONS)
#include <tiffio.h>

static inline const char *nuke_tiff_files(void) { return "libtiff.so.6"; }

/* A file in memory that libtiff reads where it stands, or writes and lets grow. */
typedef struct nuke_tiff_memory {
  uint8_t *data;
  uint64_t size;
  /* Bytes that `data` has room for; 0 for a file that is only read. */
  uint64_t capacity;
  uint64_t position;
  /* libtiff's words on the first thing that went wrong; empty before. Warnings are dropped. */
  char message[256];
} nuke_tiff_memory;

static inline tmsize_t nuke_tiff_read(thandle_t handle, void *buffer, tmsize_t count) {
  nuke_tiff_memory *memory = (nuke_tiff_memory *)handle;
  if (count <= 0 || memory->position >= memory->size) return 0;
  uint64_t left = memory->size - memory->position;
  uint64_t taken = (uint64_t)count < left ? (uint64_t)count : left;
  memcpy(buffer, memory->data + memory->position, (size_t)taken);
  memory->position += taken;
  return (tmsize_t)taken;
}

static inline tmsize_t nuke_tiff_write(thandle_t handle, void *buffer, tmsize_t count) {
  nuke_tiff_memory *memory = (nuke_tiff_memory *)handle;
  if (memory->capacity == 0 || count < 0 || memory->position > UINT32_MAX) return -1;
  uint64_t end = memory->position + (uint64_t)count;
  if (end > memory->capacity) {
    uint64_t capacity = end > memory->capacity * 2 ? end : memory->capacity * 2;
    uint8_t *data = (uint8_t *)realloc(memory->data, (size_t)capacity);
    if (data == NULL) return -1;
    memory->data = data;
    memory->capacity = capacity;
  }
  if (memory->position > memory->size)
    memset(memory->data + memory->size, 0, (size_t)(memory->position - memory->size));
  memcpy(memory->data + memory->position, buffer, (size_t)count);
  memory->position = end;
  if (end > memory->size) memory->size = end;
  return count;
}

static inline toff_t nuke_tiff_seek(thandle_t handle, toff_t offset, int whence) {
  nuke_tiff_memory *memory = (nuke_tiff_memory *)handle;
  if (whence == SEEK_SET) memory->position = offset;
  if (whence == SEEK_CUR) memory->position += offset;
  if (whence == SEEK_END) memory->position = memory->size + offset;
  return memory->position;
}

static inline toff_t nuke_tiff_size(thandle_t handle) { return ((nuke_tiff_memory *)handle)->size; }
static inline int nuke_tiff_close(thandle_t handle) { return handle == NULL; }

static inline int nuke_tiff_map(thandle_t handle, void **base, toff_t *size) {
  nuke_tiff_memory *memory = (nuke_tiff_memory *)handle;
  if (memory->capacity > 0) return 0;
  *base = memory->data;
  *size = memory->size;
  return 1;
}

static inline void nuke_tiff_unmap(thandle_t handle, void *base, toff_t size) {
  (void)handle;
  (void)base;
  (void)size;
}

static inline int nuke_tiff_note(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
  nuke_tiff_memory *memory = (nuke_tiff_memory *)context;
  (void)tiff;
  (void)module;
  if (memory->message[0] == 0) vsnprintf(memory->message, sizeof memory->message, format, values);
  return 1;
}

static inline int nuke_tiff_ignore(TIFF *tiff, void *context, const char *module, const char *format, va_list values) {
  (void)tiff;
  (void)context;
  (void)module;
  (void)format;
  (void)values;
  return 1;
}

/* Opens a file for reading ("r") or writing ("w"); NULL where libtiff refuses it. `memory` must outlive the handle.
   `largest` is the most that libtiff may allocate at once, in bytes. */
static inline TIFF *nuke_tiff_open(nuke_tiff_memory *memory, const char *mode, tmsize_t largest) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (options == NULL) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, largest);
  TIFFOpenOptionsSetErrorHandlerExtR(options, nuke_tiff_note, memory);
  TIFFOpenOptionsSetWarningHandlerExtR(options, nuke_tiff_ignore, NULL);
  TIFF *tiff = TIFFClientOpenExt("", mode, (thandle_t)memory, nuke_tiff_read, nuke_tiff_write, nuke_tiff_seek,
                                 nuke_tiff_close, nuke_tiff_size, nuke_tiff_map, nuke_tiff_unmap, options);
  TIFFOpenOptionsFree(options);
  return tiff;
}

/* Swift cannot call variadic functions: one typed function stands for each kind of field. */

static inline uint16_t nuke_tiff_get16(TIFF *tiff, uint32_t tag) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : 0;
}

/* Whether a field with one value of 16 bits is there, or has a default. */
static inline int nuke_tiff_has16(TIFF *tiff, uint32_t tag) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value);
}

static inline uint32_t nuke_tiff_get32(TIFF *tiff, uint32_t tag) {
  uint32_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : 0;
}

/* The kinds of the samples behind the colors; their number. */
static inline uint16_t nuke_tiff_get_extra_samples(TIFF *tiff, const uint16_t **kinds) {
  uint16_t count = 0;
  uint16_t *values = NULL;
  if (!TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &values) || values == NULL) return 0;
  *kinds = values;
  return count;
}

/* The palette, 2 to the number of bits of entries each; whether there is one. */
static inline int nuke_tiff_get_palette(TIFF *tiff, const uint16_t **red, const uint16_t **green,
                                        const uint16_t **blue) {
  uint16_t *r = NULL, *g = NULL, *b = NULL;
  if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &r, &g, &b) || !r || !g || !b) return 0;
  *red = r;
  *green = g;
  *blue = b;
  return 1;
}

/* A field of bytes, such as a profile; their number. */
static inline uint32_t nuke_tiff_get_bytes(TIFF *tiff, uint32_t tag, const void **bytes) {
  uint32_t count = 0;
  void *values = NULL;
  if (!TIFFGetField(tiff, tag, &count, &values) || values == NULL) return 0;
  *bytes = values;
  return count;
}

static inline int nuke_tiff_set(TIFF *tiff, uint32_t tag, uint32_t value) {
  /* Smaller types are promoted to int. */
  return TIFFSetField(tiff, tag, value);
}

static inline int nuke_tiff_set_number(TIFF *tiff, uint32_t tag, double value) {
  return TIFFSetField(tiff, tag, value);
}

static inline int nuke_tiff_set_bytes(TIFF *tiff, uint32_t tag, uint32_t count, const void *bytes) {
  return TIFFSetField(tiff, tag, count, bytes);
}

static inline int nuke_tiff_set_text(TIFF *tiff, uint32_t tag, const char *text) {
  return TIFFSetField(tiff, tag, text);
}

static inline int nuke_tiff_set_alpha(TIFF *tiff) {
  uint16_t kind = EXTRASAMPLE_UNASSALPHA;
  return TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
}
