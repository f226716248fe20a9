#if GTK
  import Foundation

  /// The texts to search of photos. Those of names are computed when they are searched, and those of folders once.
  struct SearchKeys {
    private var folders: [[UInt8]?] = []
    private var key: [UInt8] = []

    /// Calls a closure with the folded path of a photo, without the host of a URL.
    mutating func withKey<Result>(
      of id: PhotoStore.ID, in store: PhotoStore, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
      key.removeAll(keepingCapacity: true)
      if let number = store.folderNumber(of: id) {
        key += folder(number, in: store)
        key.append(UInt8(ascii: "/"))
        store.withName(of: id) { Self.appendFolded($0, to: &key) }
      } else if let url = store.url(id) {
        key += ImageSearch.key(of: url).utf8
      }
      return key.withUnsafeBufferPointer(body)
    }

    private mutating func folder(_ number: Int, in store: PhotoStore) -> [UInt8] {
      while folders.count < store.folderCount { folders.append(nil) }
      if let known = folders[number] { return known }
      var folded: [UInt8] = []
      store.folder(number).withUnsafeBufferPointer { Self.appendFolded($0, to: &folded) }
      folders[number] = folded
      return folded
    }

    /// Most names are ASCII, which Foundation folds as well, but takes about twenty times as long.
    private static func appendFolded(_ bytes: UnsafeBufferPointer<UInt8>, to key: inout [UInt8]) {
      let start = key.count
      for byte in bytes {
        guard byte < 0x80 else {
          key.removeSubrange(start...)
          key += ImageSearch.folded(String(decoding: bytes, as: UTF8.self)).utf8
          return
        }
        key.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte)
      }
    }
  }
#endif
