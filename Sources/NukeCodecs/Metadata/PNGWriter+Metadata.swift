import Foundation

extension ImageMetadata {
  private static let xmpKeyword = Array("XML:com.adobe.xmp\0".utf8)

  /// What stands in the chunks of a PNG, before or behind its pixels.
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

  /// XMP in a text chunk, which has to be stored as it is (XMP part 3, 1.1.5).
  private static func xmp(_ chunk: Data) -> Data? {
    // Behind the keyword: not compressed, no language, no other name.
    let head = xmpKeyword + [0, 0, 0, 0]
    return chunk.starts(with: head) ? Data(chunk.dropFirst(head.count)) : nil
  }

  /// The chunks of the metadata, which stand before the pixels. Colors are tagged sRGB anyway.
  func pngChunks() -> Data {
    var chunks = Data()
    if let exif { chunks += PNGChunks.encoded("eXIf", exif) }
    if let xmp { chunks += PNGChunks.encoded("iTXt", Data(Self.xmpKeyword + [0, 0, 0, 0]) + xmp) }
    return chunks
  }
}
