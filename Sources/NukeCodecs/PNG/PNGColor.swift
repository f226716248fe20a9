internal import CNukeCodecs
import Foundation
import NukeImaging

/// The chunks that say what the samples of a PNG mean (PNG specification, 11.3.3).
///
/// Of several, `iCCP` goes before `sRGB`, and both before `gAMA` and `cHRM`, as the specification asks.
struct PNGColor {
  private(set) var saysSRGB = false
  private var icc: Data?
  private var gamma: Double?
  private var chromaticities: Chromaticities?

  /// The largest profile that is inflated, in bytes; those of cameras and printers stay far below.
  static let profileLimit = 4 << 20

  /// Takes one chunk. The first of a kind counts, since there may be only one.
  mutating func read(_ chunk: PNGChunks.Chunk) {
    let bytes = chunk.data
    switch chunk.type {
    case "iCCP" where icc == nil: icc = Self.inflatedProfile(bytes)
    case "sRGB" where bytes.count == 1: saysSRGB = true
    case "gAMA" where bytes.count == 4 && gamma == nil: gamma = Self.fractions(bytes)[0]
    case "cHRM" where bytes.count == 32 && chromaticities == nil:
      let xy = Self.fractions(bytes)
      chromaticities = Chromaticities(
        white: .init(xy[0], xy[1]), red: .init(xy[2], xy[3]), green: .init(xy[4], xy[5]), blue: .init(xy[6], xy[7]))
    default: break
    }
  }

  /// What the chunks come to; `nil` if they say nothing, or nothing but sRGB.
  func profile(isGray: Bool) -> ColorProfile? {
    // A profile for another number of channels than the image has is not meant for it.
    if let icc, let profile = ColorProfile(iccData: icc), profile.model == (isGray ? .gray : .rgb) { return profile }
    guard !saysSRGB, gamma != nil || chromaticities != nil else { return nil }
    // Primaries without a curve come with sRGB's.
    return ColorProfile(gamma: gamma ?? 1 / 2.2, chromaticities: isGray ? nil : chromaticities)
  }

  /// Numbers of four bytes, in units of 1/100000.
  private static func fractions(_ bytes: Data) -> [Double] {
    bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { Double(bytes.bigEndian32(at: $0)) / 100_000 }
    }
  }

  /// The profile of an `iCCP` chunk: a name, a zero, a zero for zlib, and the stream.
  ///
  /// The profile states its own size first, and no more than that is ever inflated.
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

  /// The first `limit` bytes that come out of a zlib stream, or `nil` if there are fewer.
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
