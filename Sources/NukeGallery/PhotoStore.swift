#if GTK
  import Foundation

  /// The locations and times of many photos in a few flat arrays: about 50 bytes for each, without a `URL` or an object.
  ///
  /// Paths are bytes, because names of files need not be UTF-8.
  struct PhotoStore: Sendable {
    /// The number of a photo in its store. It never changes.
    typealias ID = Int32

    /// The photos of URLs have no folder.
    private static let noFolder: Int32 = -1

    private var folders: [[UInt8]] = []
    /// The folder of each photo.
    private var places: [Int32] = []
    /// The names of files, or whole URLs, one after the other.
    private var bytes: [UInt8] = []
    /// The end of each name in `bytes`.
    private var ends: [UInt32] = []
    /// The modification time of each photo, in nanoseconds since 1970.
    private var times: [Int64] = []

    /// The time of photos whose modification time is unknown.
    private static let noTime = Int64.min

    /// The number of photos. Their IDs are `0..<count`.
    var count: Int { ends.count }

    /// The number of bytes that names take, which limits the number of photos.
    private var isFull: Bool { bytes.count > Int(UInt32.max) - 65_536 || ends.count == Int(ID.max) }

    // MARK: Adding

    /// Adds a folder, and returns its number for `append`.
    ///
    /// - Parameter path: an absolute path without a slash at its end. The root is empty.
    mutating func appendFolder(_ path: [UInt8]) -> Int32 {
      folders.append(path)
      return Int32(folders.count - 1)
    }

    /// Adds the photo with a name in a folder. Returns `nil` if there are too many.
    @discardableResult
    mutating func append(_ name: some Collection<UInt8>, in folder: Int32, modified: Int64) -> ID? {
      guard !isFull else { return nil }
      bytes.append(contentsOf: name)
      ends.append(UInt32(bytes.count))
      places.append(folder)
      times.append(modified)
      return ID(ends.count - 1)
    }

    /// Adds the photo at a URL. Returns `nil` if there are too many, or if the URL is far too long.
    ///
    /// - Parameter modified: the modification time in nanoseconds since 1970; `nil` if it is unknown.
    @discardableResult
    mutating func append(_ url: URL, modified: Int64? = nil) -> ID? {
      let text = url.absoluteString.utf8
      return text.count > 65_536 ? nil : append(text, in: Self.noFolder, modified: modified ?? Self.noTime)
    }

    /// Adds the photo at an absolute path with its folder, as ``FolderScan`` does. Its modification time is unknown.
    /// Returns `nil` if there are too many.
    mutating func append(_ path: [UInt8]) -> ID? {
      let folder = Self.folder(ofPath: path)
      return append(path.dropFirst(folder.count + 1), in: appendFolder(folder), modified: Self.noTime)
    }

    /// Adds all photos of another store. Returns their IDs, in the order of that store.
    mutating func append(_ other: PhotoStore) -> Range<ID> {
      let first = ID(count)
      guard bytes.count + other.bytes.count <= Int(UInt32.max), count + other.count <= Int(ID.max) else {
        return first..<first
      }
      let (folder, start) = (Int32(folders.count), UInt32(bytes.count))
      folders += other.folders
      places += other.places.lazy.map { $0 == Self.noFolder ? $0 : $0 + folder }
      bytes += other.bytes
      ends += other.ends.lazy.map { $0 + start }
      times += other.times
      return first..<ID(count)
    }

    // MARK: Values of a photo

    private func range(_ id: ID) -> Range<Int> {
      let place = Int(id)
      return (place == 0 ? 0 : Int(ends[place - 1]))..<Int(ends[place])
    }

    /// The name of a file, or a whole URL.
    private func name(_ id: ID) -> ArraySlice<UInt8> { bytes[range(id)] }

    /// The folder of a photo that `folder(_:)` knows; `nil` for a URL.
    func folderNumber(of id: ID) -> Int? { places[Int(id)] == Self.noFolder ? nil : Int(places[Int(id)]) }

    /// The number of folders. One that was added by several batches counts as several.
    var folderCount: Int { folders.count }

    /// The path of a folder.
    func folder(_ number: Int) -> [UInt8] { folders[number] }

    /// Calls a closure with the bytes of a file's name, or of a whole URL.
    func withName<Result>(of id: ID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
      bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(id)])) }
    }

    /// The modification time in nanoseconds since 1970; `nil` if it is unknown.
    func modified(_ id: ID) -> Int64? { times[Int(id)] == Self.noTime ? nil : times[Int(id)] }

    /// Sets the modification time of a photo that had none.
    mutating func setModified(_ time: Int64, of id: ID) { times[Int(id)] = time }

    func url(_ id: ID) -> URL? {
      let name = name(id)
      guard let folder = folderNumber(of: id) else { return URL(string: String(decoding: name, as: UTF8.self)) }
      return Self.url(ofPath: folders[folder] + [UInt8(ascii: "/")] + name)
    }

    /// Returns the URL of an absolute path, with the bytes that a path cannot have in a URL escaped.
    static func url(ofPath path: some Collection<UInt8>) -> URL? {
      let hexadecimal = Array("0123456789ABCDEF".utf8)
      var text = Array("file://".utf8)
      text.reserveCapacity(text.count + path.count + 16)
      for byte in path {
        if Self.isPlain(byte) {
          text.append(byte)
        } else {
          text += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
        }
      }
      return URL(string: String(decoding: text, as: UTF8.self))
    }

    /// The unreserved characters of RFC 3986, and those that a path may have unescaped, as `URL(fileURLWithPath:)` has
    /// them.
    private static func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "/")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
        UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: ":"),
        UInt8(ascii: "@"):
        true
      default: false
      }
    }

    /// The name to show: that of the file, or the last part of the URL.
    func displayName(_ id: ID) -> String {
      folderNumber(of: id) == nil ? url(id)?.displayName ?? "" : Self.displayName(name(id))
    }

    /// Returns the text to show for a name, which may contain any byte but a slash. Characters that would break the line,
    /// or change the direction of the text around them, are replaced, as are bytes that are not UTF-8.
    static func displayName(_ name: some Collection<UInt8>) -> String {
      let text = String(decoding: name, as: UTF8.self)
      guard text.unicodeScalars.contains(where: isMisleading) else { return text }
      return String(String.UnicodeScalarView(text.unicodeScalars.map { isMisleading($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isMisleading(_ character: Unicode.Scalar) -> Bool {
      switch character.value {
      // Controls, separators of lines and paragraphs, and the overrides and isolates of UAX #9.
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }

    /// Returns the first of some photos that is at a URL.
    func first(_ url: URL, in photos: [ID]) -> ID? {
      // The same file can be written in several ways, so paths are compared, and names first.
      let path = url.isFileURL ? Self.path(of: url) : []
      let text = Array(url.absoluteString.utf8)
      let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
      let (folder, name) = (path.prefix(slash), path.dropFirst(slash + 1))
      return photos.first { id in
        guard let number = folderNumber(of: id) else { return self.name(id).elementsEqual(text) }
        return self.name(id) == name && folders[number] == Array(folder)
      }
    }

    /// The path of a file URL. It need not be UTF-8, unlike `URL.path`.
    static func path(of url: URL) -> [UInt8] {
      var path: [UInt8] = []
      var rest = url.path(percentEncoded: true).utf8[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let digits = String(rest.prefix(2)), let decoded = UInt8(digits, radix: 16) {
          path.append(decoded)
          rest = rest.dropFirst(2)
        } else {
          path.append(byte)
        }
      }
      return path
    }

    /// The path of the folder of a file. The root is empty.
    static func folder(ofPath path: [UInt8]) -> [UInt8] { Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]) }

    // MARK: Order

    /// Returns `true` if a photo comes before another: it is newer, or as old, with a smaller path.
    func precedes(_ first: ID, _ second: ID) -> Bool {
      let (time, other) = (times[Int(first)], times[Int(second)])
      if time != other { return time > other }
      let (folder, otherFolder) = (places[Int(first)], places[Int(second)])
      if folder != otherFolder, folder != Self.noFolder, otherFolder != Self.noFolder,
        folders[Int(folder)] != folders[Int(otherFolder)]
      {
        return folders[Int(folder)].lexicographicallyPrecedes(folders[Int(otherFolder)])
      }
      return name(first).lexicographicallyPrecedes(name(second))
    }
  }
#endif
