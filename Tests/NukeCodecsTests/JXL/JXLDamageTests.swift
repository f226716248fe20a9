#if JPEGXL
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Damaged and hostile JPEG XL")
  struct JXLDamageTests: DamageSuite {
    typealias Reader = JXLReader

    @Test("A truncated still image is reported")
    func truncated() throws {
      for name in ["lossy", "lossless", "container"] {
        let data = try DeepFixture.named(name, .jxl).data()
        for count in stride(from: 0, to: data.count - 1, by: 7) {
          #expect(error(data.prefix(count)) == .truncated(.jxl, byteCount: count), "\(name) at \(count)")
        }
      }
    }

    @Test("Frames before a truncated one are delivered, and the truncated one throws each time")
    func laterFrames() throws {
      let fixture = try DeepFixture.named("animated", .jxl)
      let data = try fixture.data().dropLast(8)
      let frames = try #require(try JXLReader(data: data, limits: CodecLimits()).animation()).frames()
      for index in 0..<3 {
        let image = try #require(try frames.next()).image
        #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[index]) == 0)
      }
      for _ in 0..<2 { #expect(throws: CodecError.truncated(.jxl, byteCount: data.count)) { try frames.next() } }
      try frames.rewind()
      #expect(largestDifference(try #require(try frames.next()).image.pixelBytes, try fixture.premultiplied()[0]) == 0)
    }

    @Test("A size above the limits is rejected before memory is allocated")
    func sizes() throws {
      let data = try DeepFixture.named("lossless", .jxl).data()
      #expect(
        error(data, limits: CodecLimits(maximumPixelCount: 500))
          == .tooLarge(.jxl, width: 27, height: 19, limit: .pixelCount(500)))
      #expect(
        error(data, limits: CodecLimits(maximumSide: 26)) == .tooLarge(.jxl, width: 27, height: 19, limit: .side(26)))
      // A bare codestream of 2^30 x 2^30 pixels (ISO/IEC 18181-1, D.2): the longest form of both sides, no ratio.
      var bits: [Bool] = []
      func put(_ value: Int, _ count: Int) { for bit in 0..<count { bits.append(value >> bit & 1 == 1) } }
      put(0, 1)
      put(3, 2)
      put(1 << 30 - 1, 30)
      put(0, 3)
      put(3, 2)
      put(1 << 30 - 1, 30)
      // All else as by default.
      put(1, 1)
      put(1, 1)
      var hostile = Data([0xFF, 0x0A])
      for start in stride(from: 0, to: bits.count, by: 8) {
        hostile.append(
          bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) { $0 | ($1.1 ? 1 << $1.0 : 0) })
      }
      hostile.append(Data(count: 64))
      switch error(hostile) {
      case .tooLarge(.jxl, 1 << 30, 1 << 30, _): break
      case let other: Issue.record("\(String(describing: other))")
      }
    }
  }
#endif
