internal import CNukeCodecs
import Foundation
import NukeImaging

/// The chunks that define the color space of a PNG (PNG specification, third edition, 11.3.2).
///
/// `cICP` has precedence over `iCCP`, then come `sRGB`, and last `gAMA` and `cHRM` (4.3). Chunks with unsupported
/// values are ignored. `cLLI`, or else `mDCV`, states the peak luminance of a PQ image.
struct PNGColor {
  private(set) var saysSRGB = false
  private var codePoints: CodePoints?
  /// `true` if `cICP` states narrow-range samples, with room below black and above white (ITU-T H.273, 8.3).
  private var statesNarrowRange = false
  private var lightLevel: Double?
  private var masteringPeak: Double?
  private var icc: Data?
  private var hasReadProfile = false
  private var gamma: Double?
  private var chromaticities: Chromaticities?

  /// The maximum size of an inflated profile, in bytes. Profiles of cameras and printers are far smaller.
  static let profileLimit = 4 << 20

  /// Reads one chunk. The first valid one of each kind counts, because only one is allowed.
  mutating func read(_ chunk: PNGChunks.Chunk) {
    let bytes = chunk.data
    switch chunk.type {
    case "cICP" where bytes.count == 4 && codePoints == nil:
      let fields = [UInt8](bytes)
      // The samples are RGB, so the matrix must be the identity.
      guard fields[2] == 0, fields[3] <= 1 else { return }
      codePoints = CodePoints(primaries: Int(fields[0]), transfer: Int(fields[1]))
      statesNarrowRange = fields[3] == 0
    case "cLLI" where bytes.count == 8 && lightLevel == nil: lightLevel = Self.light(bytes.prefix(4))
    case "mDCV" where bytes.count == 24 && masteringPeak == nil:
      masteringPeak = Self.light(bytes.dropFirst(16).prefix(4))
    case "iCCP" where !hasReadProfile:
      // Also if it is damaged: to inflate each of many takes long.
      hasReadProfile = true
      icc = Self.inflatedProfile(bytes)
    case "sRGB" where bytes.count == 1: saysSRGB = true
    case "gAMA" where bytes.count == 4 && gamma == nil: gamma = Self.fractions(bytes)[0]
    case "cHRM" where bytes.count == 32 && chromaticities == nil:
      let xy = Self.fractions(bytes)
      chromaticities = Chromaticities(
        white: .init(xy[0], xy[1]), red: .init(xy[2], xy[3]), green: .init(xy[4], xy[5]), blue: .init(xy[6], xy[7]))
    default: break
    }
  }

  /// The profile of `cICP`; `nil` if there is none or its values are not supported.
  private var codePointProfile: ColorProfile? {
    codePoints.flatMap { ColorProfile.codePoints($0, peak: lightLevel ?? masteringPeak) }
  }

  /// `true` if black and white are not stored as 0 and the maximum sample value.
  var isNarrowRange: Bool { statesNarrowRange && codePointProfile != nil }

  /// The profile that the chunks define; `nil` for none or sRGB.
  func profile(_ model: ImageHeader.ColorModel) -> ColorProfile? {
    if let profile = codePointProfile { return profile }
    if let icc, let profile = ColorProfile(iccData: icc), profile.fits(model) { return profile }
    guard !saysSRGB, gamma != nil || chromaticities != nil else { return nil }
    // Primaries without a transfer curve are combined with the curve of sRGB.
    return ColorProfile(gamma: gamma ?? 1 / 2.2, chromaticities: model == .gray ? nil : chromaticities)
  }

  /// A luminance in candelas per square meter, stored in units of 1/10000; `nil` for 0, which means unknown.
  private static func light(_ bytes: Data) -> Double? {
    let value = bytes.withUnsafeBytes { $0.bigEndian32(at: 0) }
    return value == 0 ? nil : Double(value) / 10_000
  }

  /// Four-byte numbers in units of 1/100000.
  private static func fractions(_ bytes: Data) -> [Double] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { Double(bytes.bigEndian32(at: $0)) / 100_000 }
    }
  }

  /// The inflated profile of an `iCCP` chunk, which consists of a name, a zero byte, a zero byte for zlib, and the
  /// stream.
  ///
  /// The profile starts with its own size, and at most that many bytes are inflated.
  private static func inflatedProfile(_ chunk: Data) -> Data? {
    guard let zero = chunk.prefix(80).firstIndex(of: 0), zero > chunk.startIndex, zero + 2 < chunk.endIndex,
      chunk[zero + 1] == 0
    else { return nil }
    let stream = chunk[(zero + 2)...]
    guard let size = inflated(stream, limit: 4).map({ $0.withUnsafeBytes { Int($0.bigEndian32(at: 0)) } }),
      (132...profileLimit).contains(size)
    else { return nil }
    return inflated(stream, limit: size)
  }

  /// The first `limit` bytes of the inflated zlib stream, or `nil` if there are fewer.
  private static func inflated(_ stream: Data, limit: Int) -> Data? {
    var output = Data(count: limit)
    let count = output.withUnsafeMutableBytes { output in
      stream.withUnsafeBytes { stream in
        nuke_png_inflate(
          stream.assumingMemoryBound(to: UInt8.self).baseAddress, stream.count,
          output.assumingMemoryBound(to: UInt8.self).baseAddress, limit)
      }
    }
    return count == limit ? output : nil
  }
}
