#define _GNU_SOURCE
#include "DiskFloors.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int put(int folder, const char *name, const void *bytes, size_t length) {
  int file = openat(folder, "beside", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  if (write(file, bytes, length) != (ssize_t)length) return errno;
  close(file);
  return renameat(folder, "beside", folder, name) == 0 ? 0 : errno;
}

int disk_floor_write(const char *path, int count, size_t length) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char *bytes = calloc(1, length);
  int code = 0;
  for (int i = 0; i < count && code == 0; i++) {
    char name[32];
    snprintf(name, sizeof name, "%d", i);
    code = put(folder, name, bytes, length);
  }
  free(bytes);
  close(folder);
  return code;
}

static int folder_of(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

/// Returns the path of a key's file in one of 256 folders, and creates the folder.
static void name_of(int folder, uint64_t key, char name[32]) {
  snprintf(name, 32, "%02x", (unsigned)(key >> 56));
  mkdirat(folder, name, 0700);
  snprintf(name, 32, "%02x/%016llx", (unsigned)(key >> 56), (unsigned long long)key);
}

int disk_floor_replace(const char *path, const uint64_t *keys, int count, size_t length) {
  int folder = folder_of(path);
  char *bytes = calloc(1, length);
  int code = 0;
  for (int i = 0; i < count && code == 0; i++) {
    char name[32];
    name_of(folder, keys[i], name);
    code = put(folder, name, bytes, length);
  }
  free(bytes);
  close(folder);
  return code;
}

int disk_floor_overwrite(const char *path, const uint64_t *keys, int count, size_t length) {
  int folder = folder_of(path);
  char *bytes = calloc(1, length);
  int code = 0;
  for (int i = 0; i < count && code == 0; i++) {
    char name[32];
    name_of(folder, keys[i], name);
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length) code = errno;
    if (file >= 0) close(file);
  }
  free(bytes);
  close(folder);
  return code;
}

static inline uint64_t rotate(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

/// Four lanes of multiply and rotate, as in a fast checksum.
static uint64_t sum(const uint8_t *bytes, size_t length) {
  uint64_t lanes[4] = {1, 2, 3, 4};
  for (size_t i = 0; i + 32 <= length; i += 32) {
    for (int lane = 0; lane < 4; lane++) {
      uint64_t word;
      memcpy(&word, bytes + i + 8 * lane, 8);
      lanes[lane] = rotate(lanes[lane] + word * 0xc2b2ae3d27d4eb4fu, 31) * 0x9e3779b185ebca87u;
    }
  }
  return lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
}

uint64_t disk_floor_read(const char *path, int count, size_t length, int times) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  uint64_t all = 0;
  for (int i = 0; i < times; i++) {
    char name[32];
    snprintf(name, sizeof name, "%d", i % count);
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    uint8_t *bytes = malloc(length);
    if (file < 0 || read(file, bytes, length) != (ssize_t)length) abort();
    close(file);
    all += sum(bytes, length);
    free(bytes);
  }
  close(folder);
  return all;
}
