#define _GNU_SOURCE
#include "CNukeLibraries.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

/* Each function has a slot with its address, and a stub that jumps there with the registers and the stack of its caller, so that
   it needs no declaration of its parameters. */

static void is_not_open(void) {
  fputs("A function of a C library was called before the library was opened.\n", stderr);
  abort();
}

#if defined(__x86_64__)
#define JUMP(slot) "jmp *" slot "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(slot) "adrp x16, " slot "\nldr x16, [x16, :lo12:" slot "]\nbr x16\n"
#else
#error "A jump through a slot is written for x86-64 and 64-bit ARM only."
#endif

#define DEFINE(name, stub) \
  __attribute__((visibility("hidden"))) void *stub##_slot = (void *)is_not_open; \
  __asm__(".pushsection .text\n" \
          ".globl " #stub "\n.hidden " #stub "\n.type " #stub ", %function\n.p2align 4\n" \
          #stub ":\n" JUMP(#stub "_slot") \
          ".size " #stub ", . - " #stub "\n.popsection\n");
#define DEFINE_RENAMED(name) DEFINE(name, nuke_later_##name)

NUKE_AVIF_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_HEIF_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_JXL_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_TIFF_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_SVG_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_VIDEO_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_CHAFA_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)
NUKE_REDIS_FUNCTIONS(DEFINE_RENAMED, DEFINE_RENAMED, DEFINE)

struct function {
  const char *name;
  void **slot;
  int is_optional;
};

#define REQUIRED(name) {#name, &nuke_later_##name##_slot, 0},
#define OPTIONAL(name) {#name, &nuke_later_##name##_slot, 1},
#define ALIASED(name, alias) {#name, &alias##_slot, 0},
#define TABLE(FUNCTIONS) (const struct function[]){FUNCTIONS(REQUIRED, OPTIONAL, ALIASED){NULL, NULL, 0}}

static const struct function *const tables[] = {
  [nuke_library_avif] = TABLE(NUKE_AVIF_FUNCTIONS),   [nuke_library_heif] = TABLE(NUKE_HEIF_FUNCTIONS),
  [nuke_library_jxl] = TABLE(NUKE_JXL_FUNCTIONS),     [nuke_library_tiff] = TABLE(NUKE_TIFF_FUNCTIONS),
  [nuke_library_svg] = TABLE(NUKE_SVG_FUNCTIONS),     [nuke_library_video] = TABLE(NUKE_VIDEO_FUNCTIONS),
  [nuke_library_chafa] = TABLE(NUKE_CHAFA_FUNCTIONS), [nuke_library_redis] = TABLE(NUKE_REDIS_FUNCTIONS),
};

/* Large enough for the four libraries of FFmpeg. */
#define MAXIMUM_FILES 4

char *nuke_library_open(nuke_library library, const char *names) {
  void *handles[MAXIMUM_FILES];
  size_t count = 0;
  char *list = strdup(names), *rest = list;
  if (list == NULL) return strdup("out of memory");
  for (char *name; (name = strsep(&rest, " ")) != NULL && count < MAXIMUM_FILES; count++) {
    /* Never closed: librsvg registers types that refer to its code. */
    handles[count] = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handles[count] == NULL) {
      const char *reason = dlerror();
      free(list);
      return strdup(reason != NULL ? reason : "dlopen failed");
    }
  }
  free(list);
  for (const struct function *function = tables[library]; function->name != NULL; function++) {
    void *address = NULL;
    for (size_t i = 0; i < count && address == NULL; i++) address = dlsym(handles[i], function->name);
    if (address != NULL) {
      *function->slot = address;
    } else if (!function->is_optional) {
      char *reason = NULL;
      if (asprintf(&reason, "%s has no function %s", names, function->name) < 0) return strdup("out of memory");
      return reason;
    }
  }
  return NULL;
}
