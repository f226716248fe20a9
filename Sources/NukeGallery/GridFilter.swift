#if GTK
  import Foundation
  import NukeGTK

  /// Filters the images of a list by a search. Without words, it is no filter, and no image is looked at.
  @MainActor final class GridFilter {
    /// A `GtkCustomFilter`, which retains this object while it has words.
    private(set) var pointer: OpaquePointer?
    private let images: ImageModel
    private var search = ImageSearch()

    init(_ images: ImageModel) {
      self.images = images
      pointer = gtk_custom_filter_new(nil, nil, nil)
    }

    private static let finds: GtkCustomFilterFunc = { item, filter in
      guard let item, let filter else { return 0 }
      let found = MainActor.assumeIsolated { [filter = UInt(bitPattern: filter), item = UInt(bitPattern: item)] in
        guard let filter = UnsafeMutableRawPointer(bitPattern: filter),
          let item = UnsafeMutableRawPointer(bitPattern: item)
        else { return false }
        return Unmanaged<GridFilter>.fromOpaque(filter).takeUnretainedValue().finds(item)
      }
      return found ? 1 : 0
    }

    private func finds(_ item: UnsafeMutableRawPointer) -> Bool { images.matches(search, item) }

    /// Filters again, because values of images have changed.
    func refresh() {
      guard !search.isEmpty, let pointer else { return }
      gtk_filter_changed(UnsafeMutablePointer<GtkFilter>(pointer), GTK_FILTER_CHANGE_DIFFERENT)
    }

    func search(for text: String) {
      let search = ImageSearch(text)
      guard search != self.search, let pointer else { return }
      self.search = search
      if search.isEmpty {
        gtk_custom_filter_set_filter_func(pointer, nil, nil, nil)
      } else {
        // This also has the list filter again.
        gtk_custom_filter_set_filter_func(
          pointer, Self.finds, Unmanaged.passRetained(self).toOpaque(), { releaseRetained($0) })
      }
    }
  }
#endif
