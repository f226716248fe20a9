#if AVIF
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Damaged and hostile AVIF")
  struct AVIFDamageTests: DamageSuite {
    typealias Reader = AVIFReader

    @Test("A truncated still image is reported")
    func truncated() throws {
      for name in ["rgb420", "alpha"] {
        let data = try DeepFixture.named(name, .avif).data()
        for count in stride(from: 40, to: data.count, by: 7) {
          #expect(error(data.prefix(count)) == .truncated(.avif, byteCount: count), "\(name) at \(count)")
        }
      }
    }

    @Test("Frames before a damaged one are delivered, and the damaged one throws each time")
    func laterFrames() throws {
      let fixture = try DeepFixture.named("sequence", .avif)
      var data = try fixture.data()
      // The last frame's data stand at the end.
      data.removeLast(8)
      let reader = try AVIFReader(data: data, limits: CodecLimits())
      let frames = try #require(try reader.animation()).frames()
      for index in 0..<3 {
        let image = try #require(try frames.next()).image
        #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[index]) == 0)
      }
      for _ in 0..<2 { #expect(throws: CodecError.truncated(.avif, byteCount: data.count)) { try frames.next() } }
      try frames.rewind()
      #expect(largestDifference(try #require(try frames.next()).image.pixelBytes, try fixture.premultiplied()[0]) == 0)
    }

    private func resized(_ name: String, _ width: UInt32, _ height: UInt32) throws -> Data {
      try DeepFixture.named(name, .avif).resized(width, height)
    }

    @Test("A size above the limits is rejected before memory is allocated")
    func sizes() throws {
      #expect(
        error(try resized("rgb420", 16_385, 1)) == .tooLarge(.avif, width: 16_385, height: 1, limit: .side(16_384)))
      #expect(
        error(try resized("alpha", 16_000, 16_000))
          == .tooLarge(.avif, width: 16_000, height: 16_000, limit: .pixelCount(100_000_000)))
      #expect(
        error(try DeepFixture.named("rgb420", .avif).data(), limits: CodecLimits(maximumPixelCount: 500))
          == .tooLarge(.avif, width: 27, height: 19, limit: .pixelCount(500)))
      for side: UInt32 in [20_000, 65_536, .max] {
        switch error(try resized("rgb420", side, side)) {
        case .tooLarge(.avif, Int(side), Int(side), _): break
        case let other: Issue.record("\(side) gave \(String(describing: other))")
        }
      }
      let hostile = try resized("rgb420", .max, .max)
      #expect(throws: CodecError.self) { try AVIFReader.header(ofPrefix: hostile) }
      expectMalformed(error(try resized("rgb420", 0, 7)), .avif)
    }

    @Test("An image whose size differs from its boxes is scaled to their size, or rejected")
    func lying() throws {
      for (width, height) in [(28, 19), (27, 20), (3000, 3000), (26, 19), (1, 1)] as [(UInt32, UInt32)] {
        do {
          let reader = try AVIFReader(data: try resized("rgb420", width, height), limits: CodecLimits())
          let image = try reader.decode(DecodeOptions())
          #expect(image.pixelWidth == Int(width) && image.pixelHeight == Int(height))
        } catch CodecError.malformed(.avif, _, _) {}
      }
    }

    @Test("The boxes of another kind of file are rejected")
    func otherFiles() {
      let film = Data("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41".utf8)
      #expect(
        error(film) == .malformed(.avif, reason: "the file type box lists no brand of AVIF", offset: 0))
      #expect(throws: CodecError.self) { try AVIFReader.header(ofPrefix: film) }
      #expect(error(Data()) == .truncated(.avif, byteCount: 0))
    }
  }
#endif
