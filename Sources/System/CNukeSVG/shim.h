#pragma once
#include "../CNukeGLib/shim.h"
#include "../../CNukeLibraries/functions.h"
NUKE_OPENED_LATER(NUKE_SVG_FUNCTIONS)
#include <cairo.h>
#include <librsvg/rsvg.h>

static inline const char *nuke_svg_files(void) { return "librsvg-2.so.2"; }

// Functions of libraries that librsvg needs. They have names of their own, because GTK's views call the originals.
extern __typeof__(cairo_create) nuke_svg_cairo_create;
extern __typeof__(cairo_destroy) nuke_svg_cairo_destroy;
extern __typeof__(cairo_image_surface_create_for_data) nuke_svg_cairo_image_surface_create_for_data;
extern __typeof__(cairo_scale) nuke_svg_cairo_scale;
extern __typeof__(cairo_surface_destroy) nuke_svg_cairo_surface_destroy;
extern __typeof__(cairo_surface_flush) nuke_svg_cairo_surface_flush;
extern __typeof__(cairo_surface_status) nuke_svg_cairo_surface_status;
extern __typeof__(g_clear_error) nuke_svg_g_clear_error;
extern __typeof__(g_object_unref) nuke_svg_g_object_unref;
