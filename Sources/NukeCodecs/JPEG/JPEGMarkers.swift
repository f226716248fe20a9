import Foundation

/// The markers before the first scan of a JPEG (ITU-T T.81, annex B).
struct JPEGMarkers {
  /// The frame header (SOFn).
  struct Frame {
    struct Component {
      var horizontalSampling: Int
      var verticalSampling: Int
    }

    var width: Int
    var height: Int
    var isProgressive: Bool
    var isArithmetic: Bool
    var components: [Component]

    /// The number of bytes of all coefficients, two each. Decoding an image with several scans needs them all at once.
    var coefficientByteCount: Int {
      let across = components.map(\.horizontalSampling).max() ?? 1
      let down = components.map(\.verticalSampling).max() ?? 1
      let unitsAcross = (width + 8 * across - 1) / (8 * across)
      let unitsDown = (height + 8 * down - 1) / (8 * down)
      let blocks = components.reduce(0) { $0 + $1.horizontalSampling * $1.verticalSampling } * unitsAcross * unitsDown
      return blocks * 64 * 2
    }
  }

  static let xmpNamespace = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  let frame: Frame
  /// The range of the TIFF block in the first EXIF segment.
  let exif: Range<Int>?
  /// The range of the first XMP packet (XMP part 3, 1.1.3).
  let xmp: Range<Int>?
  /// The ranges of the chunks of the ICC profile, in order; empty if there is none or if one is missing.
  let profileChunks: [Range<Int>]
  /// The offset after the marker of the first scan.
  let firstScan: Int

  /// Parses the markers up to the first scan. Returns `nil` if `bytes` end before the first scan.
  init?(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    var walk = Walk(bytes: bytes)
    do throws(Walk.Stop) {
      try walk.toFirstScan()
    } catch {
      switch error {
      case .needsMore: return nil
      case .error(let error): throw error
      }
    }
    guard let frame = walk.frame else {
      throw .malformed(.jpeg, reason: "a scan without a frame header", offset: walk.offset)
    }
    self.frame = frame
    exif = walk.exif
    xmp = walk.xmp
    profileChunks = walk.orderedProfileChunks
    firstScan = walk.offset
  }

  /// Returns the range of the TIFF block in the first EXIF segment, once it is complete.
  static func exif(inPrefix bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    var walk = Walk(bytes: bytes)
    try? walk.toFirstScan()
    return walk.exif
  }
}

/// The state of a parser that visits one marker after the other.
private struct Walk {
  enum Stop: Error {
    case needsMore
    case error(CodecError)
  }

  let bytes: UnsafeRawBufferPointer
  var offset = 0
  var frame: JPEGMarkers.Frame?
  var exif: Range<Int>?
  var xmp: Range<Int>?
  private var profileChunks: [Int: Range<Int>] = [:]
  private var profileChunkCount = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private func byte(_ position: Int) throws(Stop) -> Int {
    guard position < bytes.count else { throw .needsMore }
    return Int(bytes[position])
  }

  private func uint16(_ position: Int) throws(Stop) -> Int {
    try byte(position) << 8 | byte(position + 1)
  }

  private func malformed(_ reason: String) -> Stop { .error(.malformed(.jpeg, reason: reason, offset: offset)) }

  mutating func toFirstScan() throws(Stop) {
    guard try uint16(0) == 0xFFD8 else { throw malformed("no start of image") }
    offset = 2
    while true {
      // Bytes that belong to no segment are skipped, and any number of 0xFF may precede a marker.
      while try byte(offset) != 0xFF { offset += 1 }
      while try byte(offset) == 0xFF { offset += 1 }
      let marker = try byte(offset)
      offset += 1
      switch marker {
      case 0x00, 0x01, 0xD0...0xD7: continue
      case 0xD8: throw malformed("a second start of image")
      case 0xD9: throw malformed("the image ends before its first scan")
      case 0xDA: return
      default: try segment(marker)
      }
    }
  }

  private mutating func segment(_ marker: Int) throws(Stop) {
    let length = try uint16(offset)
    guard length >= 2 else { throw malformed("a segment of \(length) bytes") }
    let content = offset + 2..<offset + length
    switch marker {
    // All SOFn markers. The other values in this range are DHT, JPG and DAC.
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: try frameHeader(marker, content)
    // SOF55 (ITU-T T.87), another format with the same beginning.
    case 0xF7: throw .error(.unsupported(.jpeg, feature: "JPEG-LS"))
    case 0xE1, 0xE2:
      guard content.upperBound <= bytes.count else { throw .needsMore }
      application(marker, content)
    default: break
    }
    offset = content.upperBound
  }

  private mutating func frameHeader(_ marker: Int, _ content: Range<Int>) throws(Stop) {
    guard frame == nil else { throw malformed("two frame headers") }
    let start = content.lowerBound
    let kind =
      switch marker {
      case 0xC3, 0xC7, 0xCB, 0xCF: "the lossless form"
      case 0xC5, 0xC6, 0xCD, 0xCE: "the hierarchical form"
      default: ""
      }
    guard kind.isEmpty else { throw .error(.unsupported(.jpeg, feature: kind)) }
    let bits = try byte(start)
    guard bits == 8 else { throw .error(.unsupported(.jpeg, feature: "\(bits) bits per component")) }
    let (height, width, count) = (try uint16(start + 1), try uint16(start + 3), try byte(start + 5))
    guard content.count == 6 + count * 3 else { throw malformed("a frame header of the wrong length") }
    guard height > 0 else {
      throw .error(.unsupported(.jpeg, feature: "a height that is stated after the image (DNL)"))
    }
    guard width > 0 else {
      throw .error(.malformed(.jpeg, reason: "the header states a size of \(width)x\(height)", offset: nil))
    }
    guard [1, 3, 4].contains(count) else { throw .error(.unsupported(.jpeg, feature: "\(count) components")) }
    var components: [JPEGMarkers.Frame.Component] = []
    for index in 0..<count {
      let sampling = try byte(start + 7 + index * 3)
      guard 1...4 ~= sampling >> 4, 1...4 ~= sampling & 15 else { throw malformed("a sampling factor out of range") }
      components.append(.init(horizontalSampling: sampling >> 4, verticalSampling: sampling & 15))
    }
    frame = .init(
      width: width, height: height, isProgressive: marker == 0xC2 || marker == 0xCA, isArithmetic: marker >= 0xC9,
      components: components)
  }

  private mutating func application(_ marker: Int, _ content: Range<Int>) {
    let segment = UnsafeRawBufferPointer(rebasing: bytes[content])
    if marker == 0xE1, exif == nil, segment.starts(with: "Exif\0".utf8), segment.count > 6 {
      exif = content.lowerBound + 6..<content.upperBound
    } else if marker == 0xE1, xmp == nil, segment.starts(with: JPEGMarkers.xmpNamespace) {
      xmp = content.lowerBound + JPEGMarkers.xmpNamespace.count..<content.upperBound
    } else if marker == 0xE2, segment.starts(with: "ICC_PROFILE\0".utf8), segment.count > 14 {
      profileChunks[Int(segment[12])] = content.lowerBound + 14..<content.upperBound
      profileChunkCount = Int(segment[13])
    }
  }

  /// The ranges of the ICC profile's chunks in the order of their numbers, which start at 1. Empty if there is no
  /// profile, or if a chunk is missing.
  var orderedProfileChunks: [Range<Int>] {
    guard profileChunkCount > 0 else { return [] }
    let chunks = (1...profileChunkCount).compactMap { profileChunks[$0] }
    return chunks.count == profileChunkCount ? chunks : []
  }
}
