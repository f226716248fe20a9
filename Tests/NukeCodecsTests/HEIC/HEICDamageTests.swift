#if HEIC
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Damaged and hostile HEIC")
  struct HEICDamageTests {
    private func error(_ data: Data, limits: CodecLimits = CodecLimits()) -> CodecError? {
      do throws(CodecError) {
        _ = try HEICReader(data: data, limits: limits).decode(DecodeOptions())
        return nil
      } catch {
        return error
      }
    }

    private func harness() throws -> DamageHarness {
      let names = [
        "alpha-premultiplied", "cut-turned", "exif", "hlg", "lossless", "orientation-5", "profile", "thumbnail",
      ]
      let fixtures = try names.map { DamageHarness.Fixture(name: $0, data: try DeepFixture.named($0, .heic).data()) }
      return DamageHarness(fixtures: fixtures)
    }

    @Test("Fixtures cut off at every 23rd byte give an image or an error")
    func truncations() throws {
      let report = try harness().truncated(every: 23)
      #expect(report.failures == [])
      #expect(report.attempts > 300)
      #expect(report.errors["truncated", default: 0] > 250)
    }

    @Test("1,000 files with one byte changed give an image or an error")
    func corruptions() throws {
      let report = try harness().corrupted(1000)
      #expect(report.failures == [])
      #expect(report.attempts == 1000)
      #expect(report.images > 0)
      #expect(report.errors["malformed", default: 0] > 50)
    }

    /// The fixture with another size in its boxes.
    private func resized(_ name: String, _ width: UInt32, _ height: UInt32) throws -> Data {
      var data = try DeepFixture.named(name, .heic).data()
      var start = data.startIndex
      while let box = data.range(of: Data("ispe".utf8), in: start..<data.endIndex) {
        let sides = [width, height].flatMap { side in (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - $0 * 8)) } }
        data.replaceSubrange(box.upperBound + 4..<box.upperBound + 12, with: sides)
        start = box.upperBound
      }
      return data
    }

    @Test("A size past the limits is refused before memory is taken")
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
      switch error(try resized("rgb", 0, 7)) {
      case .malformed(.heic, _, _): break
      case let other: Issue.record("no width gave \(String(describing: other))")
      }
    }

    @Test("An image that is not as large as its boxes say gives that size or an error")
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
      "A prefix that speaks of megabytes to come is read without them", arguments: [0x10_0000, 0x100_0000, 0x7FFF_FFFF])
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

    @Test("Boxes of another kind of file are refused, and nothing is truncated")
    func otherFiles() {
      let film = Data("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41".utf8)
      #expect(error(film) == .malformed(.heic, reason: "the file type box names no brand of HEIC", offset: 0))
      #expect(throws: CodecError.self) { try HEICReader.header(ofPrefix: film) }
      #expect(error(Data()) == .truncated(.heic, byteCount: 0))
    }
  }
#endif
