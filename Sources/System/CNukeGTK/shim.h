#pragma once
#include "../CNukeGLib/shim.h"
// Only functions of GTK 4.6 are used. Newer ones cause warnings.
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_6
#define GDK_VERSION_MAX_ALLOWED GDK_VERSION_4_6
#include <gtk/gtk.h>

// libdispatch's door for other main loops: exported, and in no public header.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *_Nullable message);

// Types that are macros with casts.
static inline GType nuke_gtk_object_type(void) { return G_TYPE_OBJECT; }
static inline GType nuke_gtk_boolean_type(void) { return G_TYPE_BOOLEAN; }

// Tints everything that is drawn until the next pop: one color, with the alpha of each pixel. Written in C, because Swift
// imports graphene's matrices, which are vectors, differently on each architecture.
static inline void nuke_gtk_snapshot_push_tint(GtkSnapshot *snapshot, float red, float green, float blue, float alpha) {
  const float rows[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, alpha};
  graphene_matrix_t matrix;
  graphene_vec4_t offset;
  graphene_matrix_init_from_float(&matrix, rows);
  graphene_vec4_init(&offset, red, green, blue, 0);
  gtk_snapshot_push_color_matrix(snapshot, &matrix, &offset);
}
