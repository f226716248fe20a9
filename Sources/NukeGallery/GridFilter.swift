#if GTK
  import Foundation
  import NukeGTK

  /// Filters the images of a list by a search.
  @MainActor final class GridFilter {
    /// A `GtkCustomFilter`, which retains this object.
    private(set) var pointer: OpaquePointer?
    private let images: ImageModel
    private var search = ImageSearch()

    init(_ images: ImageModel) {
      self.images = images
      let made = gtk_custom_filter_new(
        { item, filter in
          guard let item, let filter else { return 0 }
          let found = MainActor.assumeIsolated { [filter = UInt(bitPattern: filter), item = UInt(bitPattern: item)] in
            guard let filter = UnsafeMutableRawPointer(bitPattern: filter),
              let item = UnsafeMutableRawPointer(bitPattern: item)
            else { return false }
            return Unmanaged<GridFilter>.fromOpaque(filter).takeUnretainedValue().finds(item)
          }
          return found ? 1 : 0
        }, Unmanaged.passRetained(self).toOpaque(), { releaseRetained($0) })
      pointer = made
    }

    private func finds(_ item: UnsafeMutableRawPointer) -> Bool { images.matches(search, item) }

    func search(for text: String) {
      let search = ImageSearch(text)
      guard search != self.search, let pointer else { return }
      self.search = search
      gtk_filter_changed(UnsafeMutablePointer<GtkFilter>(pointer), GTK_FILTER_CHANGE_DIFFERENT)
    }
  }
#endif
