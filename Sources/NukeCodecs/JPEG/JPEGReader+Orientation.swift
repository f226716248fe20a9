package import Foundation
package import NukeImaging

extension JPEGReader {
  /// Returns the file with another orientation in its metadata, which rotates or mirrors the image without a loss: everything
  /// from the first scan on is unchanged.
  ///
  /// If the EXIF has an orientation, only its value changes. Otherwise, an entry or a segment is added, and nothing in the
  /// EXIF block moves, because maker notes contain offsets in undocumented formats. A damaged block is never replaced.
  ///
  /// - Throws: ``CodecError`` if the EXIF is damaged, or has no room for another entry.
  package func data(orientedTo orientation: Orientation) throws(CodecError) -> Data {
    // Other programs write the orientation into XMP, too.
    let source = markers.xmp.map { replacing($0, with: XMPBlock.oriented(data.slice($0), to: orientation)) } ?? data
    let result =
      if let exif = markers.exif {
        try replacing(exif, of: source, with: EXIFOrientation.block(source.slice(exif), changedTo: orientation))
      } else {
        inserting(EXIFOrientation.block(with: orientation), into: source)
      }
    let oriented = try JPEGReader(data: result, limits: .unlimited)
    guard oriented.header.orientation == orientation else {
      throw .malformed(.jpeg, reason: "the orientation in the EXIF data cannot be changed", offset: nil)
    }
    return result
  }

  /// Returns the file with another XMP packet of the same size.
  private func replacing(_ xmp: Range<Int>, with packet: Data?) -> Data {
    guard let packet, packet.count == xmp.count else { return data }
    return Data(joining: [data.slice(0..<xmp.lowerBound), packet, data.slice(xmp.upperBound..<data.count)])
  }

  /// - Parameter exif: the range of the block, which ends with its segment.
  private func replacing(_ exif: Range<Int>, of data: Data, with block: Data) throws(CodecError) -> Data {
    // The length of the segment includes its own two bytes and the six of "Exif".
    let start = exif.lowerBound - 8
    let length = block.count + 8
    guard length <= 0xFFFF else {
      throw .encodingFailed(.jpeg, reason: "the EXIF data has no room for an orientation")
    }
    return Data(joining: [
      data.slice(0..<start), Data([UInt8(length >> 8), UInt8(length & 255)]),
      data.slice(start + 2..<exif.lowerBound), block, data.slice(exif.upperBound..<data.count),
    ])
  }

  /// Inserts an EXIF segment after the start of the image and the JFIF segments, which must be the first.
  private func inserting(_ block: Data, into data: Data) -> Data {
    var offset = 2
    while data.count >= offset + 4, data.slice(offset..<offset + 2).elementsEqual([0xFF, 0xE0]) {
      offset += 2 + data.slice(offset + 2..<offset + 4).reduce(0) { $0 << 8 | Int($1) }
    }
    let length = block.count + 8
    let segment = Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array("Exif\0\0".utf8)) + block
    return Data(joining: [data.slice(0..<offset), segment, data.slice(offset..<data.count)])
  }
}

extension Orientation {
  /// The orientation after a rotation of the upright image by 90° clockwise.
  package var rotatedClockwise: Orientation {
    switch self {
    case .up: .right
    case .right: .down
    case .down: .left
    case .left: .up
    case .upMirrored: .rightMirrored
    case .rightMirrored: .downMirrored
    case .downMirrored: .leftMirrored
    case .leftMirrored: .upMirrored
    }
  }

  /// The orientation after a rotation of the upright image by 90° counterclockwise.
  package var rotatedCounterclockwise: Orientation { rotatedClockwise.rotatedClockwise.rotatedClockwise }
}
