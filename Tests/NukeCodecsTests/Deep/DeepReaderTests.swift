#if AVIF || HEIC || JPEGXL
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  /// What holds for AVIF, HEIC and JPEG XL alike.
  @Suite("Reading formats of more than 8 bits")
  struct DeepReaderTests {
    static let formats: [ImageFormat] = [.avif, .heic, .jxl].filter(\.isReadable)
    private static let fixtures = formats.flatMap(DeepFixture.all)

    private func reader(_ data: Data) throws -> any ImageReader { try ImageReaders.reader(for: data) }

    private func reader(_ name: String, _ format: ImageFormat) throws -> any ImageReader {
      try reader(DeepFixture.named(name, format).data())
    }

    @Test("The image, or its first frame, is what the libraries' own programs decode", arguments: fixtures)
    func decode(_ fixture: DeepFixture) throws {
      let reader = try reader(fixture.data())
      let image = try reader.decode(DecodeOptions())
      #expect(fixture.uprightSize == [image.pixelWidth, image.pixelHeight])
      #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) <= fixture.allowedDifference)
      #expect(opacityIsExact(image))
      #expect(image.isOpaque == fixture.opaque)
      #expect((reader.embeddedThumbnail != nil) == (fixture.thumbnail == true))
    }

    @Test("Every frame of a sequence is given, in order and after rewinding", arguments: fixtures)
    func animation(_ fixture: DeepFixture) throws {
      try fixture.check(try reader(fixture.data()).animation())
    }

    @Test("The header describes the file, and is read only when all of its bytes are there", arguments: fixtures)
    func header(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      let prefix = try #require(try ImageReaders.header(ofPrefix: data))
      for header in [try reader(data).header, prefix] {
        #expect(header.format == fixture.format)
        fixture.check(header)
        #expect(header.frameCount == fixture.frames)
        #expect(header.loopCount == (fixture.frames > 1 ? fixture.loops ?? 0 : 1))
        #expect(abs(try #require(header.duration) - Double(fixture.delays.reduce(0, +)) / 1000) < 1e-6)
        #expect(!header.isProgressive)
        // That of JPEG XL stands behind the pixels, and is not waited for.
        if fixture.format != .jxl { #expect(header.exif?.make == fixture.make) }
      }
    }

    @Test("A header is known before the pixels have come, and never changes", arguments: fixtures)
    func prefixes(_ fixture: DeepFixture) throws {
      let (data, isJXL) = (try fixture.data(), fixture.format == .jxl)
      var known: Int?
      // Below 16 bytes the format is not known.
      for count in stride(from: 0, to: data.count, by: isJXL ? 11 : 1) {
        guard let header = try ImageReaders.header(ofPrefix: data.prefix(count)) else {
          #expect(known == nil, "at \(count)")
          continue
        }
        known = known ?? count
        fixture.check(header)
        #expect(header.frameCount == fixture.frames || isJXL && header.frameCount == nil)
        #expect((header.frameCount == nil) == (header.duration == nil))
      }
      if isJXL {
        // A profile stands before the pixels, and so does what is needed to make a JPEG of it again.
        if fixture.profile != "Wide", fixture.make == nil { #expect(try #require(known) <= 100) }
      } else if fixture.frames == 1 {
        #expect(try #require(known) <= #require(data.range(of: Data("mdat".utf8))).lowerBound + 4)
      }
    }

    @Test("Another orientation can be asked for, of the pixels as they are stored", arguments: formats)
    func turned(_ format: ImageFormat) throws {
      let reader = try reader("orientation-6", format)
      let stored = try #require(try reader.decode(DecodeOptions(orientation: .up)).buffer)
      for orientation in Orientation.allCases {
        let image = try reader.decode(DecodeOptions(orientation: orientation))
        let expected = try #require(orientation.apply(to: stored))
        #expect(largestDifference(image.pixelBytes, Array(expected.bytes)) == 0)
      }
      guard format == .heic else { return }
      let upright = try self.reader("rgb", format).decode(DecodeOptions())
      #expect(largestDifference(upright.pixelBytes, Array(stored.bytes)) == 0)
    }

    @Test("An orientation in EXIF is told and not applied: what counts is the image's own properties")
    func exif() throws {
      for format in Self.formats where format != .jxl {
        let header = try reader("exif", format).header
        #expect(header.exif?.orientation == .right)
        #expect(header.orientation == .up)
      }
    }

    @Test("Decoding stops on cancellation, before the first frame and after each one")
    func cancel() throws {
      for (format, name) in [(ImageFormat.avif, "rgb420"), (.heic, "rgb")] where format.isReadable {
        for answer in 1...2 {
          let calls = CallCounter()
          #expect(throws: CodecError.cancelled(format)) {
            try reader(name, format).decode(DecodeOptions(isCancelled: { calls.next() == answer }))
          }
        }
      }
    }

    #if AVIF
      @Test("A grid of AVIF is put together of its cells")
      func grid() throws {
        let reader = try self.reader(Data(contentsOf: Fixtures.file("AVIF/grid.avif")))
        #expect(reader.header.storedWidth == 128 && reader.header.storedHeight == 128)
        let pixels = try reader.decode(DecodeOptions()).pixelBytes
        let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]
        let isRight = (0..<128 * 128).allSatisfy { place in
          let cell = place / 128 / 64 * 2 + place % 128 / 64
          return pixels[place * 4..<place * 4 + 4].elementsEqual(colors[cell])
        }
        #expect(isRight)
      }

      @Test("What decoding an AVIF takes is told: planes, and 16 bits where colors are converted")
      func workingBytes() throws {
        #expect(try reader("rgb420", .avif).workingByteCount == 27 * 19 * 3 / 2)
        #expect(try reader("ten-bits-420", .avif).workingByteCount == 27 * 19 * 3 / 2 * 2)
        #expect(try reader("pq-12", .avif).workingByteCount == 27 * 19 * 3 / 2 * 2 + 27 * 19 * 8)
      }
    #endif

    #if JPEGXL
      @Test("What a camera wrote in a JPEG XL is read, and the image turned once", arguments: 2...8)
      func camera(_ orientation: Int) throws {
        let header = try reader("orientation-\(orientation)", .jxl).header
        #expect(header.exif?.make == "Seed")
        #expect(header.orientation.rawValue == orientation)
        #expect(try reader("lossless", .jxl).header.exif == nil)
      }

      @Test("Decoding stops between two parts of a JPEG XL, and what is decoded in parts is the same")
      func parts() throws {
        // Noise, so that there are several parts.
        let noise = try randomImage(width: 400, height: 400, isOpaque: true)
        let reader = try reader(JXLWriter(isLossless: true, effort: 1).encode(noise))
        let calls = CallCounter()
        let image = try reader.decode(DecodeOptions(isCancelled: { calls.next() < 0 }))
        #expect(largestDifference(image.pixelBytes, noise.pixelBytes) == 0)
        #expect(calls.count > 4)
        for answer in [1, 3, calls.count] {
          let calls = CallCounter()
          #expect(throws: CodecError.cancelled(.jxl)) {
            try reader.decode(DecodeOptions(isCancelled: { calls.next() == answer }))
          }
          #expect(calls.count == answer)
        }
      }
    #endif
  }
#endif
