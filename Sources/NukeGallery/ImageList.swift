#if GTK
  import Foundation
  import Glibc
  import Nuke

  /// The images of a gallery: at URLs, in text files, and the folders whose images ``FolderScan`` finds.
  struct ImageList {
    enum Failure: Error, CustomStringConvertible {
      case missing(path: String)
      case unreadableFolder(path: String, reason: String)
      case unreadable(path: String)
      case tooLong(path: String)

      var description: String {
        switch self {
        case .missing(let path): "\(path) does not exist"
        case .unreadableFolder(let path, let reason): "the folder \(path) cannot be read: \(reason)"
        case .unreadable(let path):
          "\(path) is not a folder, an image, or a text file with one URL or path of an image per line"
        case .tooLong(let path):
          "\(path) is not an image, and has more than the \(ImageList.lengthLimit.megabytes) that a list of images may have"
        }
      }
    }

    /// A line of a text file that is not an image.
    struct BadLine: Equatable, CustomStringConvertible {
      let path: String
      /// The number of the line, starting with 1.
      let number: Int
      let text: String

      var description: String { "\(path):\(number) is not an image: \(text.prefix(60))" }
    }

    /// The images that are named, in order, without duplicates.
    private(set) var urls: [URL] = []
    /// The absolute paths of the folders to list, without a slash at their end. The root is empty.
    private(set) var folders: [[UInt8]] = []
    /// `true` if the images are a single file, which is shown at once. `folders` has its folder, which is listed without
    /// subfolders.
    private(set) var opensFile = false
    /// The lines that were ignored.
    private(set) var badLines: [BadLine] = []
    private var known: Set<URL> = []

    private static let extensions = Set(
      [
        "avif", "bmp", "gif", "heic", "heif", "ico", "jpeg", "jpg", "jxl", "png", "svg", "svgz", "tif", "tiff", "webp",
      ].map { packed($0.utf8) })

    /// Returns the bytes of a short text as a number, with lowercase letters.
    private static func packed(_ text: some Collection<UInt8>) -> UInt64 {
      text.reduce(0) { $0 << 8 | UInt64((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($1) ? $1 + 32 : $1) }
    }

    /// Returns `true` if a file's name has the extension of an image.
    static func isImage(_ name: some BidirectionalCollection<UInt8>) -> Bool {
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return false }
      let end = name[name.index(after: dot)...]
      return (1...8).contains(end.count) && extensions.contains(packed(end))
    }

    /// - Parameters:
    ///   - places: folders; images; text files with one URL or path per line; URLs.
    ///   - opensFile: `true` to add the folder of a file that is the only place.
    init(_ places: [String], opensFile: Bool = false) throws(Failure) {
      for place in places { try add(place) }
      if opensFile, places.count == 1, Self.isImage(places[0].utf8) { openFile() }
    }

    /// Creates a list of images at URLs.
    init(urls: [URL]) {
      for url in urls { append(url) }
    }

    /// Adds the folder of the image, unless that would not list the image.
    private mutating func openFile() {
      guard folders.isEmpty, let path = paths.first else { return }
      opensFile = true
      if FolderScan.finds(path) { folders = [PhotoStore.folder(ofPath: path)] }
    }

    private mutating func add(_ place: String) throws(Failure) {
      let url = Self.address(place)
      if let url, !url.isFileURL { return append(url) }
      let file = url ?? URL(fileURLWithPath: place)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
        throw .missing(path: place)
      }
      if isFolder.boolValue { return try addFolder(file) }
      if Self.isImage(file) { return append(file) }
      let list = try Self.text(of: file, place)
      let before = (known.count, badLines.count)
      for (index, line) in list.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
        let entry = line.trimmingCharacters(in: .whitespaces)
        if entry.isEmpty || entry.hasPrefix("#") { continue }
        if let url = Self.image(entry, listedIn: file) {
          append(url)
        } else {
          badLines.append(BadLine(path: place, number: index + 1, text: entry))
        }
      }
      // The file is not a list.
      if known.count == before.0, badLines.count > before.1 { throw .unreadable(path: place) }
    }

    /// The maximum length of a text file in bytes.
    static let lengthLimit = 64 << 20

    /// Reads a text file, which may be a pipe. The length of a video or a device is not that of a list.
    private static func text(of file: URL, _ place: String) throws(Failure) -> String {
      guard let handle = try? FileHandle(forReadingFrom: file) else { throw .unreadable(path: place) }
      var data = Data()
      while let part = try? handle.read(upToCount: 1 << 20), !part.isEmpty {
        data.append(part)
        guard data.count <= lengthLimit else { throw .tooLong(path: place) }
      }
      guard let text = String(data: data, encoding: .utf8) else { throw .unreadable(path: place) }
      return text
    }

    private static func image(_ entry: String, listedIn list: URL) -> URL? {
      if let url = address(entry) { return url }
      let file = URL(fileURLWithPath: entry, relativeTo: list).absoluteURL
      return entry.contains("://") || !isImage(file) ? nil : file
    }

    private static func isImage(_ file: URL) -> Bool { isImage(file.lastPathComponent.utf8) }

    /// Folders may have very many images, so they are only checked here.
    private mutating func addFolder(_ folder: URL) throws(Failure) {
      guard let stream = opendir(folder.path) else {
        throw .unreadableFolder(path: folder.path, reason: String(cString: strerror(errno)))
      }
      closedir(stream)
      folders.append(folder.path == "/" ? [] : Array(folder.path.utf8))
    }

    private mutating func append(_ url: URL) {
      if known.insert(url).inserted { urls.append(url) }
    }

    private static func address(_ text: String) -> URL? {
      guard let url = URL(escaping: text), let scheme = url.scheme?.lowercased() else { return nil }
      switch scheme {
      case "http", "https": return url.host().map(\.isEmpty) == false ? url : nil
      case "file": return url
      default: return nil
      }
    }

    /// The paths of the named images that are files.
    var paths: Set<[UInt8]> { Set(urls.lazy.filter(\.isFileURL).map { PhotoStore.path(of: $0) }) }
  }
#endif
