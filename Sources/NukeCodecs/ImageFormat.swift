public import Foundation

/// The formats that this build reads and writes.
public enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, webp, gif

  /// The format whose signature `data` begins with; nil for anything else. Names and media types are never believed.
  public init?(sniffing data: Data) {
    func starts(with bytes: [UInt8], at offset: Int = 0) -> Bool {
      data.count >= offset + bytes.count && data.dropFirst(offset).starts(with: bytes)
    }
    if starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if starts(with: Array("RIFF".utf8)), starts(with: Array("WEBP".utf8), at: 8) {
      self = .webp
    } else if starts(with: Array("GIF87a".utf8)) || starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else {
      return nil
    }
  }

  /// The name people know it by, such as "JPEG".
  public var displayName: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .webp: "WebP"
    case .gif: "GIF"
    }
  }

  /// The media type, such as "image/jpeg".
  public var mediaType: String { "image/\(rawValue)" }

  /// The usual end of a file's name, without the dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
