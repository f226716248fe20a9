import Foundation
import NukeGTK

let photos = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
guard !photos.isEmpty else {
  print("usage: ImageGrid PHOTO…")
  exit(64)
}

/// Returns the request for a position. The photos are repeated, each time in other colors.
@MainActor func request(at position: Int) -> ImageRequest {
  let angle = Double(position).truncatingRemainder(dividingBy: 2 * .pi)
  let colors = ImageProcessors.CoreImageFilter(
    name: "CIHueAdjust", parameters: ["inputAngle": angle], identifier: "hue \(position)")
  return ImageRequest(url: photos[position % photos.count], processors: [colors])
}

gtk_init()

// One item for each image. The factory creates the rows, and loads the images of those that are visible.
let items = gtk_string_list_new(nil)
for position in 0..<5_000 { gtk_string_list_append(items, "Image \(position)") }
let factory = ListImageFactory { item in request(at: item.position) }
factory.pictureSize = CGSize(width: 160, height: 120)
factory.resizesToPictureSize = true

// The grid takes ownership of the selection and of one reference to the factory.
g_object_ref(UnsafeMutableRawPointer(factory.pointer))
let grid = gtk_grid_view_new(gtk_single_selection_new(items), factory.pointer)
let scrolled = gtk_scrolled_window_new()
gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)

let window = UnsafeMutablePointer<GtkWindow>(OpaquePointer(gtk_window_new()))
gtk_window_set_title(window, "5,000 images")
gtk_window_set_default_size(window, 900, 640)
gtk_window_set_child(window, scrolled)
gtk_window_present(window)
while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
