#if GTK
  import Foundation
  import NukeGTK

  /// Displays the image at a URL: `swift run --traits GTK nuke-gtk-hello https://…`
  @main struct GTKHello {
    @MainActor static func main() {
      gtk_init()
      let view = LazyImageView()
      view.transition = .fadeIn(duration: 0.3)
      view.resizesToAllocation = true
      view.placeholderWidget = gtk_label_new("Loading…")
      view.failureWidget = gtk_label_new("The image could not be loaded.")
      view.url = CommandLine.arguments.dropFirst().first.flatMap { URL(string: $0) }

      let window = UnsafeMutablePointer<GtkWindow>(OpaquePointer(gtk_window_new()))
      gtk_window_set_default_size(window, 640, 480)
      gtk_window_set_child(window, view.widget)
      gtk_window_present(window)
      while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
    }
  }
#else
  @main struct GTKHello {
    static func main() { print("nuke-gtk-hello: built without GTK; say `swift run --traits GTK nuke-gtk-hello`") }
  }
#endif
