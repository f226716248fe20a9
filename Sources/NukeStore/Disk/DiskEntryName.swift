import NukeBase

/// The name of an entry's file: forty hexadecimal digits, unless the program's filename generator returns another name.
package struct DiskEntryName: Hashable, Sendable {
  /// The SHA-1 that the digits represent, or that of a custom name.
  private let digest: Digest.SHA1
  /// A name that is not forty lowercase hexadecimal digits.
  private let custom: String?

  /// Creates the default name of a key: its SHA-1.
  package init(hashing key: String) {
    digest = Self.digest(of: key)
    custom = nil
  }

  /// Creates the name of a partial body.
  init(partOf key: String) {
    let name = DiskEntryName(hashing: key).text + Self.partSuffix
    digest = Self.digest(of: name)
    custom = name
  }

  private static let partSuffix = ".part"

  /// `true` for the name of a partial body, which is never delivered as a whole one.
  var isPart: Bool {
    guard let custom, custom.utf8.count == 45, custom.hasSuffix(Self.partSuffix) else { return false }
    return Self.digest(digits: String(custom.dropLast(5))) != nil
  }

  /// Creates a given name; `nil` if it is not a valid file name, or conflicts with other files of the store.
  init?(_ name: String) {
    if let digest = Self.digest(digits: name) {
      self.digest = digest
      custom = nil
      return
    }
    // Names with a leading dot are reserved for metadata. The dot counts towards the limit of 255 bytes.
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= 254, bytes.first != UInt8(ascii: "."),
      !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0)
    else { return nil }
    digest = Self.digest(of: name)
    custom = name
  }

  package static func == (lhs: DiskEntryName, rhs: DiskEntryName) -> Bool {
    lhs.digest == rhs.digest && lhs.custom == rhs.custom
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest.0) }

  package var text: String { custom ?? String(path.dropFirst(3)) }

  /// The path of the body's file, relative to the store's folder: one of 256 folders, then the name.
  var path: String { path(marked: false) }

  /// The path of the metadata's file, next to the body's.
  var metadataPath: String { path(marked: true) }

  /// The folder that contains both files.
  var folder: String { String(path.prefix(2)) }

  private func path(marked: Bool) -> String {
    let dot = marked ? 1 : 0
    return String(unsafeUninitializedCapacity: 4 + (custom?.utf8.count ?? 40)) { buffer in
      Self.write(UInt8(truncatingIfNeeded: digest.0 >> 56), to: buffer, at: 0)
      buffer[2] = UInt8(ascii: "/")
      if marked { buffer[3] = UInt8(ascii: ".") }
      if let custom {
        for (index, byte) in custom.utf8.enumerated() { buffer[3 + dot + index] = byte }
        return 3 + dot + custom.utf8.count
      }
      for index in 0..<8 {
        Self.write(UInt8(truncatingIfNeeded: digest.0 >> (56 - 8 * index)), to: buffer, at: 3 + dot + 2 * index)
        Self.write(UInt8(truncatingIfNeeded: digest.1 >> (56 - 8 * index)), to: buffer, at: 19 + dot + 2 * index)
      }
      for index in 0..<4 {
        Self.write(UInt8(truncatingIfNeeded: digest.2 >> (24 - 8 * index)), to: buffer, at: 35 + dot + 2 * index)
      }
      return 43 + dot
    }
  }

  @inline(__always)
  private static func write(_ byte: UInt8, to buffer: UnsafeMutableBufferPointer<UInt8>, at index: Int) {
    buffer[index] = digit(byte >> 4)
    buffer[index + 1] = digit(byte & 15)
  }

  @inline(__always)
  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }

  private static func digest(of text: String) -> Digest.SHA1 {
    var text = text
    return text.withUTF8 { Digest.sha1(of: UnsafeRawBufferPointer($0)) }
  }

  private static func digest(digits name: String) -> Digest.SHA1? {
    guard name.utf8.count == 40 else { return nil }
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    for (index, byte) in name.utf8.enumerated() {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      switch index {
      case ..<16: words.0 = words.0 << 4 | UInt64(value)
      case ..<32: words.1 = words.1 << 4 | UInt64(value)
      default: words.2 = words.2 << 4 | UInt64(value)
      }
    }
    return (words.0, words.1, UInt32(words.2))
  }
}
