public import Foundation

/// The formats of images and videos that the package knows. The image of a video is one of its frames.
///
/// The package traits of a build determine which of them it can read and write: see ``readable`` and ``writable``.
public enum ImageFormat: String, Sendable, CaseIterable, Codable {
  case jpeg, png, webp, gif, bmp, ico, tiff, avif, heic, jxl, svg
  case mp4, mov, webm

  /// Detects the format from the signature of `data`; `nil` for anything else. File names and media types are ignored.
  ///
  /// Formats that this build cannot read are detected too. 16 bytes are sufficient, except for AVIF, HEIC, MP4
  /// and MOV, whose brands may follow later, WebM, whose document type does, and SVG, which is text. SVG may be
  /// compressed by gzip; other gzip data has no format.
  public init?(sniffing data: Data) {
    guard let format = Self.signature(of: Self.head(of: data)) else { return nil }
    self = format
  }

  private static let sniffedByteCount = 1024
  /// In text, a license may precede the first element.
  private static let sniffedTextByteCount = 16_384

  private static func head(of data: Data) -> [UInt8] {
    let head = [UInt8](data.prefix(sniffedByteCount))
    guard data.count > sniffedByteCount, signature(of: head) == nil, isSVG(head) == nil else { return head }
    return [UInt8](data.prefix(sniffedTextByteCount))
  }

  /// Returns `true` if the format of a file with this beginning is not known yet: its first element, or a part of its
  /// file type box, follows.
  static func isUndecided(_ prefix: Data) -> Bool {
    let head = head(of: prefix)
    if head.dropFirst(4).starts(with: "ftyp".utf8) {
      return head.count < min(head.prefix(4).reduce(0) { $0 << 8 | Int($1) }, sniffedByteCount)
    }
    if let header = EBMLHeader(head), header.documentType == nil {
      return head.count < min(header.end, sniffedByteCount)
    }
    return head.count < sniffedTextByteCount && signature(of: head) == nil && isSVG(head) == nil
  }

  /// Throws if the data does not begin with the signature of this format.
  func checkSignature(_ data: Data) throws(CodecError) {
    guard ImageFormat(sniffing: data) != self else { return }
    let isBoxed = [.avif, .heic, .mp4, .mov].contains(self)
    throw .malformed(
      self, reason: isBoxed ? "the file type box lists no brand of \(displayName)" : "the signature is missing",
      offset: 0)
  }

  private static func signature(of head: [UInt8]) -> ImageFormat? {
    func starts(_ bytes: [UInt8], at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: bytes) }
    func starts(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }

    if starts([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if starts("RIFF"), starts("WEBP", at: 8) { return .webp }
    if starts("GIF87a") || starts("GIF89a") { return .gif }
    // The number 42 follows the signature, or 43 in files of more than 4 GB.
    if starts("II*\0") || starts("MM\0*") || starts("II+\0") || starts("MM\0+") { return .tiff }
    // The four bytes after the file size are reserved and zero.
    if starts("BM"), starts([0, 0, 0, 0], at: 6) { return .bmp }
    // Icons, and cursors. The number of images follows; its high byte is always 0.
    if starts([0, 0, 1, 0]) || starts([0, 0, 2, 0]), head.count > 5, head[4] > 0, head[5] == 0 { return .ico }
    if starts([0xFF, 0x0A]) || starts([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) { return .jxl }
    if EBMLHeader(head)?.documentType == "webm" { return .webm }
    return boxed(head) ?? (isSVG(head) == true ? .svg : nil)
  }

  /// Returns the format of an ISO base media file.
  private static func boxed(_ head: [UInt8]) -> ImageFormat? {
    let brands = fileTypeBrands(head)
    // "mif1" alone means only that it is a HEIF image, so all brands are searched for AVIF first.
    if brands.contains("avif") || brands.contains("avis") { return .avif }
    switch brands.first {
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1": return .heic
    case "qt  ": return .mov
    case let major?: return videoBrands.contains(major) ? .mp4 : nil
    case nil: return nil
    }
  }

  /// The major brands of files that contain MPEG-4 video: of the standards, of Apple, of mobile phones, and of cameras.
  private static let videoBrands: Set = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "mp71", "avc1", "dash",
    "mmp4", "M4V ", "M4VH", "M4VP", "3gp4", "3gp5", "3gp6", "3gp7", "3g2a", "f4v ", "MSNV", "XAVC",
  ]

  /// Returns the major brand of an ISO base media file, followed by the compatible ones; an empty array for anything
  /// else.
  package static func fileTypeBrands(_ head: [UInt8]) -> [String] {
    guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return [] }
    let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(max(length, 12), head.count)
    var brands = [String(decoding: head[8..<12], as: UTF8.self)]
    // The minor version is between them.
    for start in stride(from: 16, to: end - 3, by: 4) {
      brands.append(String(decoding: head[start..<start + 4], as: UTF8.self))
    }
    return brands
  }

  /// Returns `true` if the first element of text, which may be compressed, is `svg`; `nil` if it may follow later.
  private static func isSVG(_ head: [UInt8]) -> Bool? {
    guard SVGCompression.isCompressed(head) else { return isSVG(text: head) }
    let (text, isCut) = SVGCompression.beginning(of: head, limit: sniffedTextByteCount)
    return isSVG(text: text) ?? (isCut ? nil : false)
  }

  /// The byte order marks of UTF-8 and UTF-16.
  private static let textMarks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

  private static func isSVG(text: [UInt8]) -> Bool? {
    // The rest of a mark may follow.
    if textMarks.contains(where: { $0.starts(with: text) }) { return nil }
    var text = (UTF16Text.utf8(text) ?? text)[...]
    if text.starts(with: textMarks[0]) { text = text.dropFirst(3) }
    text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard text.first == nil || text.first == UInt8(ascii: "<") else { return false }
    // A page may contain an SVG image: the first element decides.
    let document = String(decoding: text, as: UTF8.self).lowercased()
    var rest = document[...]
    while let tag = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: tag)...]
      if rest.hasPrefix("!--") {
        guard let end = rest.range(of: "-->") else { return nil }
        rest = rest[end.upperBound...]
      } else if rest.hasPrefix("!doctype svg") {
        return true
      } else if !rest.hasPrefix("?"), !rest.hasPrefix("!") {
        let name = rest.prefix { $0.isLetter || $0 == ":" }
        return name == "svg" || name.hasSuffix(":svg") ? true : name.endIndex == rest.endIndex ? nil : false
      }
    }
    return nil
  }

  /// A Boolean value that indicates whether it is a format of videos. Their image is a frame: see ``PosterFrame``.
  public var isVideo: Bool { [.mp4, .mov, .webm].contains(self) }

  /// The common name, such as "JPEG".
  public var displayName: String {
    switch self {
    case .webp: "WebP"
    case .webm: "WebM"
    case .jxl: "JPEG XL"
    default: rawValue.uppercased()
    }
  }

  /// The media type, such as "image/jpeg".
  public var mediaType: String {
    switch self {
    case .ico: "image/vnd.microsoft.icon"
    case .svg: "image/svg+xml"
    case .mov: "video/quicktime"
    case .mp4, .webm: "video/\(rawValue)"
    default: "image/\(rawValue)"
    }
  }

  /// The usual file extension, without the dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
