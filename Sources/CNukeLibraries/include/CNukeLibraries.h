#pragma once

/* Libraries that are opened at their first use instead of at the start of the process. */
typedef enum nuke_library {
  nuke_library_avif,
  nuke_library_heif,
  nuke_library_jxl,
  nuke_library_tiff,
  nuke_library_svg,
  nuke_library_video,
  nuke_library_chafa,
  nuke_library_redis,
} nuke_library;

/* Opens a library, so that its functions can be called. `names` are the names of its files, separated by spaces: a function is
   looked up in all of them and in the libraries that they need.

   Returns NULL on success, else the reason, which the caller frees. Calling a function of a library that was not opened ends the
   process. Call this once for each library, on any thread. */
char *nuke_library_open(nuke_library library, const char *names);
