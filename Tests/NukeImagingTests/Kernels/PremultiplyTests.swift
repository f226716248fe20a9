import NukeImaging
import Testing

@Suite("Premultiplying")
struct PremultiplyTests {
  /// Every pair of a gray and an alpha, one a pixel.
  private static let everyPair = (0..<256).flatMap { alpha in
    (0..<256).flatMap { color in [UInt8(color), UInt8(255 - color), UInt8(color), UInt8(alpha)] }
  }

  @Test("Every color under every alpha is rounded to nearest")
  func premultipliesExactly() {
    for kernels in availableKernels {
      var result = Self.everyPair
      kernels.premultiply(Self.everyPair, to: &result, count: 65536)
      let expected = stride(from: 0, to: Self.everyPair.count, by: 4).flatMap { i in
        let alpha = Self.everyPair[i + 3]
        return Self.everyPair[i..<i + 3].map { UInt8((Double($0) * Double(alpha) / 255).rounded()) } + [alpha]
      }
      #expect(result == expected, "\(kernels.variant)")
    }
  }

  @Test("Dividing every color by every alpha is rounded to nearest and clamped")
  func unpremultipliesExactly() {
    for kernels in availableKernels {
      var result = Self.everyPair
      kernels.unpremultiply(Self.everyPair, to: &result, count: 65536)
      let expected = stride(from: 0, to: Self.everyPair.count, by: 4).flatMap { i -> [UInt8] in
        let alpha = Self.everyPair[i + 3]
        guard alpha > 0 else { return [0, 0, 0, 0] }
        return Self.everyPair[i..<i + 3].map { UInt8(min((Double($0) * 255 / Double(alpha)).rounded(), 255)) } + [alpha]
      }
      #expect(result == expected, "\(kernels.variant)")
    }
  }

  @Test("Unpremultiplied colors premultiply to the same value again")
  func roundTrips() {
    for kernels in availableKernels {
      var once = Self.everyPair
      kernels.premultiply(&once, count: 65536)
      var straight = once
      kernels.unpremultiply(once, to: &straight, count: 65536)
      kernels.premultiply(&straight, count: 65536)
      #expect(straight == once, "\(kernels.variant)")
    }
  }

  @Test("A single pixel that is not opaque is detected anywhere")
  func noticesTransparency() {
    for kernels in availableKernels {
      for count in 1...70 {
        var pixels = [UInt8](repeating: 255, count: count * 4)
        #expect(kernels.premultiply(&pixels, count: count))
        #expect(kernels.isOpaque(pixels, count: count))
        for position in 0..<count {
          pixels = [UInt8](repeating: 255, count: count * 4)
          pixels[position * 4 + 3] = 254
          #expect(!kernels.isOpaque(pixels, count: count))
          #expect(!kernels.premultiply(&pixels, count: count))
        }
      }
    }
  }

  @Test("Every length and offset gives the same bytes, also in place, and no bytes outside change")
  func variantsAgree() throws {
    let scalar = try #require(PixelKernels(.scalar))
    var random = SeededGenerator(seed: 1)
    for kernels in availableKernels {
      for count in 0...67 {
        let offset = Int.random(in: 0..<16, using: &random)
        let source = random.bytes(offset + count * 4 + 16)
        var expected = source
        var result = source
        func run(_ kernels: PixelKernels, _ bytes: inout [UInt8], divide: Bool) {
          bytes.withUnsafeMutableBufferPointer {
            let base = $0.baseAddress! + offset
            if divide {
              kernels.unpremultiply(base, to: base, count: count)
            } else {
              kernels.premultiply(base, count: count)
            }
          }
        }
        for divide in [true, false] {
          run(scalar, &expected, divide: divide)
          run(kernels, &result, divide: divide)
          #expect(result == expected, "\(kernels.variant) \(count)")
        }
        #expect(result.suffix(16) == source.suffix(16))
        #expect(result.prefix(offset) == source.prefix(offset))
      }
    }
  }
}
