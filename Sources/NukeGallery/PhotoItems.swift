#if GTK
  import NukeGTK

  /// The items of a ``PhotoListModel`` that lists have: those of rows, and the selected one. A photo has at most one.
  @MainActor final class PhotoItems {
    private var items: [PhotoStore.ID: UnsafeMutableRawPointer] = [:]

    private static let key = g_quark_from_static_string("nuke-gallery-photo")

    /// The value that an item retains.
    @MainActor private final class Value {
      let id: PhotoStore.ID
      private let item: UnsafeMutableRawPointer
      private let items: PhotoItems

      init(_ id: PhotoStore.ID, of item: UnsafeMutableRawPointer, in items: PhotoItems) {
        (self.id, self.item, self.items) = (id, item, items)
      }

      // A photo that has changed has another item by now.
      isolated deinit {
        if items.items[id] == item { items.items[id] = nil }
      }
    }

    /// Returns `true` if a list has the item of a photo.
    func contains(_ id: PhotoStore.ID) -> Bool { items[id] != nil }

    /// Returns the item of a photo, which the caller owns.
    func item(_ id: PhotoStore.ID) -> UnsafeMutableRawPointer? {
      if let item = items[id] { return g_object_ref(item) }
      guard let object = g_object_new_with_properties(nuke_gtk_object_type(), 0, nil, nil) else { return nil }
      let item = UnsafeMutableRawPointer(object)
      g_object_set_qdata_full(object, Self.key, Unmanaged.passRetained(Value(id, of: item, in: self)).toOpaque()) {
        releaseRetained($0)
      }
      items[id] = item
      return item
    }

    /// Has the next item of a photo be another object, so that lists bind it again.
    func forget(_ id: PhotoStore.ID) { items[id] = nil }

    /// The photo of an item.
    static func id(of item: UnsafeMutableRawPointer) -> PhotoStore.ID? {
      g_object_get_qdata(item.assumingMemoryBound(to: GObject.self), key)
        .map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue().id }
    }
  }
#endif
