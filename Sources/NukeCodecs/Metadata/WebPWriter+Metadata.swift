import Foundation
import NukeImaging

extension ImageMetadata {
  /// Creates the metadata from the chunks of a WebP.
  init(webP data: Data, hasColorProfile: Bool) {
    let chunks = Self.webPChunks(data)
    func content(_ name: String) -> Data? {
      chunks.first { $0.name == name }.flatMap { $0.content.count <= Self.blockLimit ? $0.content : nil }
    }
    self.init(exif: content("EXIF"), xmp: content("XMP "), hasColorProfile: hasColorProfile)
  }

  /// Returns the complete chunks.
  private static func webPChunks(_ data: Data) -> [(name: String, content: Data)] {
    data.withUnsafeBytes { bytes in
      var chunks: [(String, Data)] = []
      var offset = 12
      while offset + 8 <= bytes.count, chunks.count < 100_000 {
        let length = bytes.littleEndian32(at: offset + 4)
        guard length <= bytes.count - offset - 8 else { break }
        let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
        chunks.append((name, data.slice(offset + 8..<offset + 8 + length)))
        offset += 8 + length + length % 2
      }
      return chunks
    }
  }

  /// Returns `webP`, a still or animated file from libwebp, in the extended format with metadata chunks (RFC 9649, 2.7).
  func embedded(inWebP webP: Data, width: Int, height: Int, hasAlpha: Bool) -> Data {
    guard !isEmpty else { return webP }
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var body = Data("WEBP".utf8)
    func append(_ name: String, _ content: Data) {
      body += Array(name.utf8) + bytes(content.count, 4)
      body += content
      if content.count % 2 == 1 { body.append(0) }
    }
    let images = Self.webPChunks(webP).filter { ["ALPH", "VP8 ", "VP8L", "ANIM", "ANMF"].contains($0.name) }
    let isAnimated = images.contains { $0.name == "ANIM" }
    let flags =
      (hasColorProfile ? 0x20 : 0) | (hasAlpha ? 0x10 : 0) | (exif == nil ? 0 : 0x08) | (xmp == nil ? 0 : 0x04)
      | (isAnimated ? 0x02 : 0)
    append("VP8X", Data(bytes(flags, 4) + bytes(width - 1, 3) + bytes(height - 1, 3)))
    if hasColorProfile { append("ICCP", ColorProfile.sRGBData) }
    for image in images { append(image.name, image.content) }
    if let exif { append("EXIF", exif) }
    if let xmp { append("XMP ", xmp) }
    return Data(joining: [Data("RIFF".utf8), Data(bytes(body.count, 4)), body])
  }
}
