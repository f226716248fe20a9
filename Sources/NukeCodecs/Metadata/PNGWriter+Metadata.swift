import Foundation

extension ImageMetadata {
  private static let xmpKeyword = Array("XML:com.adobe.xmp\0".utf8)

  /// Creates the metadata from the chunks of a PNG, before and after its pixels.
  init(png data: Data, hasColorProfile: Bool) {
    self.init(hasColorProfile: hasColorProfile)
    var chunks = PNGChunks(data)
    while let step = try? chunks.next() {
      switch step {
      case .end: return
      case .imageData: continue
      case .chunk(let chunk) where chunk.type == "eXIf":
        if exif == nil, chunk.range.count <= Self.blockLimit, chunk.isIntact { exif = chunk.data }
      case .chunk(let chunk) where chunk.type == "iTXt":
        if xmp == nil, chunk.range.count <= Self.blockLimit, chunk.isIntact { xmp = Self.xmp(chunk.data) }
      case .chunk: continue
      }
    }
  }

  /// Returns the XMP packet in a text chunk, which must be uncompressed (XMP part 3, 1.1.5).
  private static func xmp(_ chunk: Data) -> Data? {
    // After the keyword: no compression, no language, no translated keyword.
    let head = xmpKeyword + [0, 0, 0, 0]
    return chunk.starts(with: head) ? Data(chunk.dropFirst(head.count)) : nil
  }

  /// Returns the metadata as chunks, which precede the pixels. Colors are always marked as sRGB.
  func pngChunks() -> Data {
    var chunks = Data()
    if let exif { chunks += PNGChunks.encoded("eXIf", exif) }
    if let xmp { chunks += PNGChunks.encoded("iTXt", Data(Self.xmpKeyword + [0, 0, 0, 0]) + xmp) }
    return chunks
  }
}
