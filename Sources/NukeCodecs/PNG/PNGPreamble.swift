import Foundation
import NukeImaging

/// The chunks of a PNG except the image data.
struct PNGPreamble {
  private(set) var header: ImageHeader
  /// The color profile of the samples; `nil` for sRGB, stated or assumed.
  private(set) var profile: ColorProfile?
  /// The conversion from 16 bits a channel; `nil` if 8 bits are enough.
  private(set) var deepColors: PNGDeepColors?
  /// The control chunk of the animation; `nil` for a still image.
  private(set) var animation: PNGAnimation.Control?

  /// The maximum number of bytes before the image data in which a profile or an orientation is searched for.
  static let prefixLimit = 4 << 20

  private var color = PNGColor()
  private var announcementCount = 0
  private let colorType: ColorType

  private enum ColorType: UInt8 {
    case gray = 0
    case rgb = 2
    case indexed = 3
    case grayAlpha = 4
    case rgbAlpha = 6

    var depths: Set<UInt8> {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .indexed: [1, 2, 4, 8]
      case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
      }
    }

    var model: ImageHeader.ColorModel {
      switch self {
      case .gray, .grayAlpha: .gray
      case .rgb, .rgbAlpha: .rgb
      case .indexed: .indexed
      }
    }
  }

  /// Reads all chunks of a complete file, including those after the image data, which can contain EXIF.
  init(file: Data) throws(CodecError) {
    var chunks = PNGChunks(file)
    guard let header = try Self.readHeader(&chunks) else { throw .truncated(.png, byteCount: file.count) }
    (self.header, colorType) = header
    guard try readAncillary(&chunks) else { throw .truncated(.png, byteCount: file.count) }
    // The image is already available, so an error only ends the search.
    search: while let step = try? chunks.next() {
      switch step {
      case .imageData: continue
      case .chunk(let chunk) where chunk.type == "eXIf": read(chunk)
      case .chunk: continue
      case .end: break search
      }
    }
    finish()
  }

  /// Reads the chunks before the image data; `nil` if more bytes are needed.
  init?(prefix: Data) throws(CodecError) {
    var chunks = PNGChunks(prefix)
    guard let header = try Self.readHeader(&chunks) else { return nil }
    (self.header, colorType) = header
    guard try readAncillary(&chunks) || chunks.position > Self.prefixLimit || prefix.count > Self.prefixLimit else {
      return nil
    }
    finish()
  }

  /// Reads the first chunk (11.2.1); `nil` if it is incomplete.
  private static func readHeader(_ chunks: inout PNGChunks) throws(CodecError) -> (ImageHeader, ColorType)? {
    let chunk: PNGChunks.Chunk
    switch try chunks.next() {
    case .end: return nil
    case .imageData(let offset): throw .malformed(.png, reason: "image data before the header", offset: offset)
    case .chunk(let first): chunk = first
    }
    guard chunk.type != "CgBI" else {
      throw .unsupported(.png, feature: "the variant that Xcode creates for iOS (CgBI)")
    }
    guard chunk.type == "IHDR", chunk.range.count == 13 else {
      throw .malformed(.png, reason: "it does not begin with a header", offset: chunk.offset)
    }
    guard chunk.isIntact else { throw .malformed(.png, reason: "IHDR: CRC error", offset: chunk.offset) }
    let fields = [UInt8](chunk.data)
    let (width, height) = fields.withUnsafeBytes { ($0.bigEndian32(at: 0), $0.bigEndian32(at: 4)) }
    guard width > 0, height > 0, max(width, height) <= Int32.max else {
      throw .malformed(.png, reason: "the header states a size of \(width)x\(height)", offset: nil)
    }
    let (depth, interlace) = (fields[8], fields[12])
    guard let colorType = ColorType(rawValue: fields[9]), colorType.depths.contains(depth) else {
      throw .malformed(.png, reason: "invalid color type \(fields[9]) with \(depth) bits", offset: chunk.offset)
    }
    guard fields[10] == 0, fields[11] == 0, interlace <= 1 else {
      throw .malformed(.png, reason: "an unknown compression, filter or interlace method", offset: chunk.offset)
    }
    var header = ImageHeader(format: .png, storedWidth: Int(width), storedHeight: Int(height))
    header.colorModel = colorType.model
    header.bitsPerComponent = Int(depth)
    header.hasAlpha = colorType == .grayAlpha || colorType == .rgbAlpha
    header.isProgressive = interlace == 1
    return (header, colorType)
  }

  /// Reads the chunks up to the image data. Returns `false` if the data ends before the first `IDAT` chunk.
  private mutating func readAncillary(_ chunks: inout PNGChunks) throws(CodecError) -> Bool {
    while true {
      switch try chunks.next() {
      case .end: return false
      case .imageData: return true
      case .chunk(let chunk) where chunk.type == "IEND":
        throw .malformed(.png, reason: "no image data", offset: chunk.offset)
      case .chunk(let chunk): read(chunk)
      }
    }
  }

  /// Reads an ancillary chunk. Damaged ones are ignored.
  private mutating func read(_ chunk: PNGChunks.Chunk) {
    switch chunk.type {
    case "tRNS":
      // The chunk is ignored for images with an alpha channel.
      guard chunk.isIntact else { return }
      header.hasAlpha = true
    case "acTL":
      // Only one is allowed.
      animation = announcementCount == 0 ? PNGAnimation.Control(chunk) : nil
      announcementCount += 1
    case "eXIf":
      guard header.exif == nil, chunk.range.count <= 1 << 20, chunk.isIntact else { return }
      header.exif = EXIF(tiff: chunk.data)
    case "sRGB", "gAMA", "cHRM", "iCCP", "cICP", "mDCV", "cLLI":
      guard chunk.isIntact else { return }
      color.read(chunk)
    default:
      return
    }
  }

  private mutating func finish() {
    header.duration = 0
    // Whether the animation is valid is known only with the whole file.
    if animation != nil { (header.frameCount, header.duration) = (nil, nil) }
    header.orientation = header.exif?.orientation ?? .up
    let profile = color.profile(header.colorModel)
    header.profileName = profile?.name ?? (color.saysSRGB ? "sRGB" : nil)
    self.profile = profile?.isSRGB == true ? nil : profile
    if let profile, color.isNarrowRange || header.bitsPerComponent == 16 && self.profile != nil {
      let storedBits = header.colorModel == .indexed ? 8 : header.bitsPerComponent
      deepColors = PNGDeepColors(profile: profile, narrowBits: color.isNarrowRange ? storedBits : nil)
    }
  }
}
