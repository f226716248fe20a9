#if JPEGXL
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Reading JPEG XL")
  struct JXLReaderTests {
    private static let fixtures = DeepFixture.all(.jxl)

    private func reader(_ name: String) throws -> JXLReader {
      try JXLReader(data: try DeepFixture.named(name, .jxl).data(), limits: CodecLimits())
    }

    @Test("The image, or its first frame, is what libjxl's own program decodes", arguments: fixtures)
    func decode(_ fixture: DeepFixture) throws {
      let reader = try JXLReader(data: try fixture.data(), limits: CodecLimits())
      let image = try reader.decode(DecodeOptions())
      #expect(fixture.uprightSize == [image.pixelWidth, image.pixelHeight])
      let difference = largestDifference(image.pixelBytes, try fixture.premultiplied()[0])
      #expect(difference <= fixture.tolerance)
      #expect(opacityIsExact(image))
      #expect(image.isOpaque == fixture.opaque)
    }

    @Test("Every frame is given, in order and after rewinding", arguments: fixtures)
    func animation(_ fixture: DeepFixture) throws {
      try fixture.check(try JXLReader(data: try fixture.data(), limits: CodecLimits()).animation())
    }

    @Test("The header says what is in the file, and does so from all of its bytes alone", arguments: fixtures)
    func header(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      for header in [
        try JXLReader(data: data, limits: CodecLimits()).header, try #require(try JXLReader.header(ofPrefix: data)),
      ] {
        #expect(header.format == .jxl)
        fixture.check(header)
        #expect(header.frameCount == fixture.frames)
        #expect(header.loopCount == fixture.loops ?? 1)
        #expect(abs(try #require(header.duration) - Double(fixture.delays.reduce(0, +)) / 1000) < 1e-6)
      }
    }

    @Test("The header of a growing prefix is `nil` until it is known, soon, and never changes", arguments: fixtures)
    func prefixes(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      var known: Int?
      for count in stride(from: 0, to: data.count, by: 11) {
        guard let header = try JXLReader.header(ofPrefix: data.prefix(count)) else {
          #expect(known == nil, "at \(count)")
          continue
        }
        known = known ?? count
        fixture.check(header)
        #expect(header.frameCount == nil || header.frameCount == fixture.frames)
        #expect((header.frameCount == nil) == (header.duration == nil))
      }
      // A profile stands before the pixels, and so does what is needed to make a JPEG of it again.
      if fixture.profile != "Wide", fixture.make == nil { #expect(try #require(known) <= 100) }
    }

    @Test("What a camera wrote is read, and the image turned once", arguments: 2...8)
    func exif(_ orientation: Int) throws {
      let header = try reader("orientation-\(orientation)").header
      #expect(header.exif?.make == "Seed")
      #expect(header.orientation.rawValue == orientation)
      #expect(try reader("lossless").header.exif == nil)
    }

    @Test("Another orientation can be asked for", arguments: Orientation.allCases)
    func turned(_ orientation: Orientation) throws {
      let reader = try reader("orientation-6")
      let stored = try #require(try reader.decode(DecodeOptions(orientation: .up)).buffer)
      let image = try reader.decode(DecodeOptions(orientation: orientation))
      let expected = try #require(orientation.apply(to: stored))
      #expect(largestDifference(image.pixelBytes, Array(expected.bytes)) == 0)
    }

    @Test("A slice of other data is read like data of its own")
    func slice() throws {
      for name in ["alpha", "animated", "container"] {
        let fixture = try DeepFixture.named(name, .jxl)
        let slice = (Data([1, 2, 3, 4, 5]) + (try fixture.data()) + Data([6])).dropFirst(5).dropLast()
        let reader = try JXLReader(data: slice, limits: CodecLimits())
        #expect(largestDifference(try reader.decode(DecodeOptions()).pixelBytes, try fixture.premultiplied()[0]) == 0)
        try fixture.check(try reader.animation())
      }
    }

    @Test("Decoding stops between two parts of the file, and what is decoded in parts is the same")
    func cancel() throws {
      // Noise, so that there are several parts.
      var random = SplitMix64(state: 5)
      let noise = try #require(
        Bitmap(pixelWidth: 400, pixelHeight: 400, isOpaque: true) { bytes in
          for index in bytes.indices { bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: random.next()) }
        })
      let data = try JXLWriter(isLossless: true, effort: 1).encode(noise)
      let reader = try JXLReader(data: data, limits: CodecLimits())
      let calls = Lock(0)
      let count: @Sendable () -> Int = {
        calls.withLock { calls in
          calls += 1
          return calls
        }
      }
      let image = try reader.decode(DecodeOptions(isCancelled: { count() < 0 }))
      #expect(largestDifference(image.pixelBytes, noise.pixelBytes) == 0)
      let all = calls.withLock { $0 }
      #expect(all > 4)
      for answer in [1, 3, all] {
        calls.withLock { $0 = 0 }
        #expect(throws: CodecError.cancelled(.jxl)) {
          try reader.decode(DecodeOptions(isCancelled: { count() == answer }))
        }
        #expect(calls.withLock { $0 } == answer)
      }
    }

    @Test("The format is found by its content")
    func registered() throws {
      for name in ["lossless", "container"] {
        let data = try DeepFixture.named(name, .jxl).data()
        #expect(try ImageReaders.reader(for: data).header.format == .jxl)
        #expect(try ImageReaders.header(ofPrefix: data)?.format == .jxl)
      }
      #expect(ImageFormat.jxl.isReadable)
    }
  }
#endif
