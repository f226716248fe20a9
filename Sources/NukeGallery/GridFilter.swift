#if GTK
  import Foundation
  import NukeGTK

  /// Keeps those of a list's addresses that a search finds.
  @MainActor final class GridFilter {
    /// A `GtkCustomFilter`, which keeps this object.
    private(set) var pointer: OpaquePointer?
    /// What is searched of each address.
    private let keys: [String: String]
    private var search = PictureSearch()

    init(_ urls: [URL]) {
      keys = Dictionary(urls.map { ($0.absoluteString, PictureSearch.key(of: $0)) }) { first, _ in first }
      let made = gtk_custom_filter_new(
        { item, filter in
          guard let item, let filter, let text = gtk_string_object_get_string(OpaquePointer(item)) else { return 0 }
          let address = String(cString: text)
          let found = MainActor.assumeIsolated { [filter = UInt(bitPattern: filter)] in
            UnsafeMutableRawPointer(bitPattern: filter)
              .map { Unmanaged<GridFilter>.fromOpaque($0).takeUnretainedValue().finds(address) } ?? false
          }
          return found ? 1 : 0
        }, Unmanaged.passRetained(self).toOpaque(),
        { filter in
          if let filter { Unmanaged<AnyObject>.fromOpaque(filter).release() }
        })
      pointer = made
    }

    private func finds(_ address: String) -> Bool { keys[address].map(search.matches) ?? false }

    func search(for text: String) {
      let search = PictureSearch(text)
      guard search != self.search, let pointer else { return }
      self.search = search
      gtk_filter_changed(UnsafeMutablePointer<GtkFilter>(pointer), GTK_FILTER_CHANGE_DIFFERENT)
    }
  }
#endif
