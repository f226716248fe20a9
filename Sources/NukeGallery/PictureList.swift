#if GTK
  import Foundation

  /// What a gallery shows: pictures in folders, at addresses, and those that lists name.
  struct PictureList {
    enum Failure: Error, CustomStringConvertible {
      case unreadable(path: String)

      var description: String {
        switch self {
        case .unreadable(let path): "\(path) is no folder, no picture and no list of addresses that can be read"
        }
      }
    }

    /// The pictures in order, each once.
    private(set) var urls: [URL] = []
    private var known: Set<URL> = []

    private static let extensions: Set<String> = [
      "avif", "bmp", "gif", "heic", "heif", "ico", "jpeg", "jpg", "jxl", "png", "svg", "tif", "tiff", "webp",
    ]

    /// - Parameter places: folders, which are searched with all that is in them; pictures; text files with an address or a
    ///   path in each line; addresses.
    init(_ places: [String]) throws(Failure) {
      for place in places { try add(place) }
    }

    private mutating func add(_ place: String) throws(Failure) {
      if let url = Self.address(place) { return append(url) }
      let file = URL(fileURLWithPath: place)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
        throw .unreadable(path: place)
      }
      if isFolder.boolValue { return addFolder(file) }
      if Self.extensions.contains(file.pathExtension.lowercased()) { return append(file) }
      guard let list = try? String(contentsOf: file, encoding: .utf8) else { throw .unreadable(path: place) }
      for line in list.split(whereSeparator: \.isNewline) {
        let entry = line.trimmingCharacters(in: .whitespaces)
        if entry.isEmpty || entry.hasPrefix("#") { continue }
        append(Self.address(entry) ?? URL(fileURLWithPath: entry, relativeTo: file).absoluteURL)
      }
    }

    private mutating func addFolder(_ folder: URL) {
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      for name in names.sorted() {
        let file = folder.appendingPathComponent(name)
        if Self.extensions.contains(file.pathExtension.lowercased()) { append(file) }
      }
    }

    private mutating func append(_ url: URL) {
      if known.insert(url).inserted { urls.append(url) }
    }

    private static func address(_ text: String) -> URL? {
      guard let url = URL(string: text), let scheme = url.scheme, ["http", "https", "file"].contains(scheme) else {
        return nil
      }
      return url
    }
  }
#endif
