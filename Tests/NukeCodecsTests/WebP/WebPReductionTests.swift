import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Decoding WebP at a reduced size")
struct WebPReductionTests {
  /// Waves of many lengths, in color: sides that no square divides.
  private func photo(width: Int, height: Int) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height) { bytes in
        for y in 0..<height {
          for x in 0..<width {
            let (u, v) = (Double(x) / 9, Double(y) / 7)
            let colors = [sin(u) * cos(v / 3), sin(v + u / 5), cos(u / 2 - v)].map { UInt8(128 + 90 * $0) }
            bytes.storeBytes(of: colors[0], toByteOffset: (y * width + x) * 4, as: UInt8.self)
            bytes.storeBytes(of: colors[1], toByteOffset: (y * width + x) * 4 + 1, as: UInt8.self)
            bytes.storeBytes(of: colors[2], toByteOffset: (y * width + x) * 4 + 2, as: UInt8.self)
            bytes.storeBytes(of: 255, toByteOffset: (y * width + x) * 4 + 3, as: UInt8.self)
          }
        }
      })
  }

  /// Averages of squares of the pixels, by definition.
  private func averages(_ image: Bitmap, _ denominator: Int) -> [UInt8] {
    let (width, height, pixels) = (image.pixelWidth, image.pixelHeight, image.pixelBytes)
    var result: [UInt8] = []
    for top in stride(from: 0, to: height, by: denominator) {
      for left in stride(from: 0, to: width, by: denominator) {
        let (bottom, right) = (min(top + denominator, height), min(left + denominator, width))
        for channel in 0..<4 {
          var sum = 0
          for y in top..<bottom {
            for x in left..<right { sum += Int(pixels[(y * width + x) * 4 + channel]) }
          }
          let count = (bottom - top) * (right - left)
          result.append(UInt8((sum + count / 2) / count))
        }
      }
    }
    return result
  }

  private func decibels(_ one: [UInt8], _ other: [UInt8]) -> Double {
    let squares = zip(one, other).map { (Double($0) - Double($1)) * (Double($0) - Double($1)) }
    return 10 * log10(255 * 255 / max(squares.reduce(0, +) / Double(squares.count), 1e-9))
  }

  @Test(
    "Pixels are averages of those that libwebp gives for the whole image", arguments: [2, 4, 8],
    [(160, 120), (157, 115), (3, 1)])
  func averaged(denominator: Int, size: (Int, Int)) throws {
    let data = try WebPWriter(quality: 0.9).encode(photo(width: size.0, height: size.1))
    let reader = try WebPReader(data: data, limits: CodecLimits())
    #expect(reader.scaleDenominators == [1, 2, 4, 8])
    let image = try reader.decode(DecodeOptions(scaleDenominator: denominator))
    let expected = reader.pixelSize(scaleDenominator: denominator)
    #expect(image.pixelWidth == expected.width && image.pixelHeight == expected.height)
    #expect(image.isOpaque)
    // Colors outside of sRGB are clipped before the average there and after it here, and chroma is not interpolated.
    let whole = averages(try reader.decode(DecodeOptions()), denominator)
    #expect(decibels(image.pixelBytes, whole) > 42, "\(decibels(image.pixelBytes, whole)) dB")
  }

  @Test("Orientation and profile are applied to a reduced image", arguments: FrameFixture.webp)
  func fixtures(_ fixture: FrameFixture) throws {
    let reader = try WebPReader(data: fixture.data(), limits: CodecLimits())
    let whole = try reader.decode(DecodeOptions())
    for denominator in reader.scaleDenominators.dropFirst() {
      let image = try reader.decode(DecodeOptions(scaleDenominator: denominator))
      let expected = reader.pixelSize(scaleDenominator: denominator)
      #expect(image.pixelWidth == expected.width && image.pixelHeight == expected.height)
      // Squares begin at the corner of what is stored.
      if whole.pixelWidth % denominator == 0, whole.pixelHeight % denominator == 0 {
        #expect(decibels(image.pixelBytes, averages(whole, denominator)) > 30)
      }
    }
  }

  @Test("Images that are lossless, moving or transparent are decoded whole")
  func others() throws {
    let lossless = try WebPWriter(isLossless: true).encode(photo(width: 20, height: 20))
    let reader = try WebPReader(data: lossless, limits: CodecLimits())
    #expect(reader.scaleDenominators == [1])
    // libwebp keeps the pixels that it copies.
    #expect(reader.workingByteCount == 20 * 20 * 4)
    #expect(throws: CodecError.unsupported(.webp, feature: "a reduction to 1/2")) {
      try reader.decode(DecodeOptions(scaleDenominator: 2))
    }
    for fixture in FrameFixture.webp where fixture.frames > 1 || fixture.alpha == true {
      #expect(try WebPReader(data: fixture.data(), limits: CodecLimits()).scaleDenominators == [1])
    }
  }

  @Test("A reduced image stops being decoded too, and a cut one is truncated")
  func stops() throws {
    let noise = try WebPWriter(quality: 1, effort: 0).encode(randomImage(width: 700, height: 500, isOpaque: true))
    let counter = CallCounter()
    let reader = try WebPReader(data: noise, limits: CodecLimits())
    #expect(throws: CodecError.cancelled(.webp)) {
      try reader.decode(DecodeOptions(scaleDenominator: 4, isCancelled: { counter.next() == 3 }))
    }
    let cut = noise.prefix(noise.count / 2)
    #expect(throws: CodecError.truncated(.webp, byteCount: cut.count)) {
      try WebPReader(data: cut, limits: CodecLimits()).decode(DecodeOptions(scaleDenominator: 4))
    }
  }
}
