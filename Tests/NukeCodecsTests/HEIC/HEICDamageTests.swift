#if HEIC
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Damaged and hostile HEIC")
  struct HEICDamageTests: DamageSuite {
    typealias Reader = HEICReader

    private func resized(_ name: String, _ width: UInt32, _ height: UInt32) throws -> Data {
      try DeepFixture.named(name, .heic).resized(width, height)
    }

    @Test("A size above the limits is rejected before memory is allocated")
    func sizes() throws {
      let plain = try DeepFixture.named("rgb", .heic).data()
      #expect(
        error(plain, limits: CodecLimits(maximumPixelCount: 500))
          == .tooLarge(.heic, width: 28, height: 20, limit: .pixelCount(500)))
      for (width, height) in [(16_385, 1), (16_000, 16_000), (65_536, 65_536), (.max, .max)] as [(UInt32, UInt32)] {
        switch error(try resized("rgb", width, height)) {
        case .tooLarge(.heic, Int(width), Int(height), _): break
        case let other: Issue.record("\(width)x\(height) gave \(String(describing: other))")
        }
      }
      expectMalformed(error(try resized("rgb", 0, 7)), .heic)
    }

    @Test("An image whose size differs from its boxes gets their size, or fails with an error")
    func lying() throws {
      for (width, height) in [(29, 20), (3000, 3000), (27, 20), (1, 1)] as [(UInt32, UInt32)] {
        do {
          let reader = try HEICReader(data: try resized("rgb", width, height), limits: CodecLimits())
          let image = try reader.decode(DecodeOptions())
          #expect(image.pixelWidth == Int(width) && image.pixelHeight == Int(height))
        } catch CodecError.malformed(.heic, _, _) {}
      }
    }

    @Test(
      "A prefix that announces megabytes of data is read without them", arguments: [0x10_0000, 0x100_0000, 0x7FFF_FFFF])
    func promises(_ size: UInt32) throws {
      var data = try DeepFixture.named("exif", .heic).data()
      func put(_ value: UInt32, at place: Int) {
        data.replaceSubrange(place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) })
      }
      put(0x7FFF_FFFF, at: try #require(data.range(of: Data("mdat".utf8))).lowerBound - 4)
      let locations = try #require(data.range(of: Data("iloc".utf8))).upperBound
      // Three items of 20 bytes each: the length of the extent is the last of it, and the second stands in its box.
      for item in [0, 2] { put(size, at: locations + 8 + item * 20 + 16) }
      // Or an error of libheif's own limits; but it ends.
      if let header = try? HEICReader.header(ofPrefix: data) {
        #expect(header.storedWidth == 28 && header.storedHeight == 20)
      }
      #expect(throws: CodecError.self) { try HEICReader(data: data, limits: CodecLimits()) }
    }

    @Test("A sequence without a still image is rejected by name")
    func sequence() {
      let file = Data("\0\0\0\u{18}ftyphevc\0\0\0\0hevcmsf1\0\0\0\u{10}moov\0\0\0\u{8}mvhd".utf8)
      #expect(error(file) == .unsupported(.heic, feature: "an image sequence without a still image"))
    }

    /// The fixture with other references of a grid to its only tile.
    private func referring(_ name: String, _ items: [(from: UInt8, to: UInt8)]) throws -> Data {
      var data = try DeepFixture.named(name, .heic).data()
      for item in items {
        let box = try #require(data.range(of: Data("dimg".utf8) + [0, item.from, 0, 1]))
        data.replaceSubrange(box.upperBound..<box.upperBound + 2, with: [0, item.to])
      }
      return data
    }

    @Test("Grids that contain themselves or each other are rejected")
    func cycles() throws {
      for data in [try referring("rgb", [(2, 2)]), try referring("alpha", [(2, 4), (4, 2)])] {
        let refusal = try #require(error(data))
        guard case .unsupported(.heic, _) = refusal else { throw refusal }
        #expect(throws: CodecError.self) { try HEICReader.header(ofPrefix: data) }
      }
    }

    @Test(
      "A list of references whose sizes are wrong is rejected, since libheif would read others than we check",
      arguments: [2, 10, 12, 15, 200, UInt32.max])
    func sizesOfReferences(size: UInt32) throws {
      var data = try referring("rgb", [(2, 2)])
      let type = try #require(data.range(of: Data("dimg".utf8) + [0, 2, 0, 1]))
      data.replaceSubrange(type.lowerBound - 4..<type.lowerBound, with: withUnsafeBytes(of: size.bigEndian, Array.init))
      let refusal = try #require(error(data))
      guard case .malformed(.heic, _, _) = refusal else { throw refusal }
      #expect(throws: CodecError.self) { try HEICReader.header(ofPrefix: data) }
    }

    @Test("The boxes of another kind of file are rejected, and not reported as truncated")
    func otherFiles() {
      let film = Data("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41".utf8)
      #expect(error(film) == .malformed(.heic, reason: "the file type box lists no brand of HEIC", offset: 0))
      #expect(throws: CodecError.self) { try HEICReader.header(ofPrefix: film) }
      #expect(error(Data()) == .truncated(.heic, byteCount: 0))
    }
  }
#endif
