package import Foundation

extension Data {
  /// Returns a file of ours with another resolution: JPEG, PNG or TIFF. Files in other formats are not changed.
  package func withResolution(_ pixelsPerInch: Double, _ format: ImageFormat) -> Data {
    guard pixelsPerInch > 0, pixelsPerInch <= EXIFBlock.highestResolution else { return self }
    return switch format {
    case .jpeg: withJFIFDensity(pixelsPerInch)
    case .png: withPNGDensity(pixelsPerInch)
    case .tiff: EXIFBlock.withResolution(pixelsPerInch, self)
    default: self
    }
  }

  /// The density is in the first segment (JFIF 1.02): the unit, and the pixels in both directions.
  private func withJFIFDensity(_ pixelsPerInch: Double) -> Data {
    guard count > 18, slice(2..<4).elementsEqual([0xFF, 0xE0]), slice(6..<11).elementsEqual(Array("JFIF\0".utf8))
    else { return self }
    let density = Int(Swift.max(pixelsPerInch.rounded(), 1))
    let bytes = [UInt8(density >> 8), UInt8(density & 255)]
    var changed = Data(self)
    changed.replaceSubrange(13..<18, with: [1] + bytes + bytes)
    return changed
  }

  /// Adds a chunk after the first one (PNG 1.2, 4.2.4.2): the pixels for each meter in both directions, and the unit.
  private func withPNGDensity(_ pixelsPerInch: Double) -> Data {
    // The signature, and the header with its length, name and checksum.
    let start = 8 + 25
    guard count > start else { return self }
    let density = Swift.withUnsafeBytes(of: UInt32((pixelsPerInch / 0.0254).rounded()).bigEndian) { Data($0) }
    let chunk = PNGChunks.encoded("pHYs", density + density + Data([1]))
    return Data(joining: [slice(0..<start), chunk, slice(start..<count)])
  }
}

extension ImageMetadata {
  /// Returns the metadata with another resolution in EXIF, if it states one.
  package func withResolution(_ pixelsPerInch: Double) -> ImageMetadata {
    var changed = self
    changed.exif = exif.map { EXIFBlock.withResolution(pixelsPerInch, $0) }
    return changed
  }
}

extension EXIFBlock {
  /// The maximum resolution, in pixels per inch; that of JFIF.
  static let highestResolution = 65_535.0

  /// Returns the block with another resolution, if it states one. No bytes are moved. A damaged block is not changed.
  fileprivate static func withResolution(_ pixelsPerInch: Double, _ data: Data) -> Data {
    var data = Data(data)
    let start = data.starts(with: Array("Exif\0".utf8)) ? 6 : 0
    guard pixelsPerInch > 0, pixelsPerInch <= highestResolution, let block = TIFFBlock(data),
      let main = block.directory(at: block.firstDirectory)
    else { return data }
    func set(_ values: [Int], size: Int, at offset: Int) {
      guard block.bytes(offset..<offset + values.count * size) != nil else { return }
      for (index, value) in values.enumerated() {
        for place in 0..<size {
          let shift = 8 * (block.isLittleEndian ? place : size - 1 - place)
          data[start + offset + index * size + place] = UInt8(truncatingIfNeeded: value >> shift)
        }
      }
    }
    for tag in [EXIFTag.xResolution, .yResolution] {
      guard let entry = main.entry(tag), entry.type == 5, entry.count == 1 else { continue }
      set([Int((pixelsPerInch * 1000).rounded()), 1000], size: 4, at: entry.values)
    }
    if let entry = main.entry(.resolutionUnit), entry.type == 3, entry.count == 1 {
      set([2], size: 2, at: entry.values)
    }
    return data
  }
}
