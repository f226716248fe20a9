// GLib's headers, which the headers of GTK, librsvg and libchafa include. In one module, because its inline functions differ
// between modules otherwise, which is an error for a program that uses two of them.
#pragma once
// Only functions of GLib 2.72 are used. Newer ones cause warnings.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_72
#define GLIB_VERSION_MAX_ALLOWED GLIB_VERSION_2_72
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib.h>
