#if GTK
  import Foundation
  import NukeGTK

  /// The images as a list model. The values of each row are computed once.
  @MainActor final class ImageModel {
    /// A `GtkStringList` of names. Functions that take ownership need a reference.
    let list: OpaquePointer
    let urls: [URL]
    private let names: [String]
    /// The texts to search.
    private let keys: [String]

    private static let key = g_quark_from_static_string("nuke-gallery-image")

    init(_ urls: [URL]) {
      self.urls = urls
      names = urls.map(\.lastPathComponent)
      keys = urls.map { ImageSearch.key(of: $0) }
      let made: OpaquePointer = gtk_string_list_new(nil)
      list = made
      for (index, name) in names.enumerated() {
        gtk_string_list_append(made, name)
        guard let object = g_list_model_get_item(made, guint(index)) else { continue }
        // Objects without a number return 0.
        g_object_set_qdata(
          object.assumingMemoryBound(to: GObject.self), Self.key, UnsafeMutableRawPointer(bitPattern: index + 1))
        g_object_unref(object)
      }
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(list)) }

    private func index(of object: UnsafeMutableRawPointer) -> Int? {
      g_object_get_qdata(object.assumingMemoryBound(to: GObject.self), Self.key).map { Int(bitPattern: $0) - 1 }
    }

    func url(of object: UnsafeMutableRawPointer) -> URL? { index(of: object).map { urls[$0] } }
    func name(of object: UnsafeMutableRawPointer) -> String? { index(of: object).map { names[$0] } }
    func matches(_ search: ImageSearch, _ object: UnsafeMutableRawPointer) -> Bool {
      index(of: object).map { search.matches(keys[$0]) } ?? false
    }
  }
#endif
