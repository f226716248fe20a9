#if AVIF
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Reading AVIF")
  struct AVIFReaderTests {
    private static let fixtures = DeepFixture.all(.avif)

    private func reader(_ name: String) throws -> AVIFReader {
      try AVIFReader(data: try DeepFixture.named(name, .avif).data(), limits: CodecLimits())
    }

    @Test("The image, or its first frame, is what libavif's own program decodes", arguments: fixtures)
    func decode(_ fixture: DeepFixture) throws {
      let reader = try AVIFReader(data: try fixture.data(), limits: CodecLimits())
      let image = try reader.decode(DecodeOptions())
      #expect(fixture.uprightSize == [image.pixelWidth, image.pixelHeight])
      let difference = largestDifference(image.pixelBytes, try fixture.premultiplied()[0])
      #expect(difference <= fixture.tolerance)
      #expect(opacityIsExact(image))
      #expect(image.isOpaque == fixture.opaque)
    }

    @Test("Every frame of a sequence is given, in order and after rewinding", arguments: fixtures)
    func animation(_ fixture: DeepFixture) throws {
      try fixture.check(try AVIFReader(data: try fixture.data(), limits: CodecLimits()).animation())
    }

    @Test("The header says what is in the file, and does so from all of its bytes alone", arguments: fixtures)
    func header(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      for header in [
        try AVIFReader(data: data, limits: CodecLimits()).header, try #require(try AVIFReader.header(ofPrefix: data)),
      ] {
        #expect(header.format == .avif)
        fixture.check(header)
        #expect(header.frameCount == fixture.frames)
        #expect(header.loopCount == (fixture.frames > 1 ? 0 : 1))
        #expect(abs(try #require(header.duration) - Double(fixture.delays.reduce(0, +)) / 1000) < 1e-6)
        #expect(header.exif?.make == fixture.make)
        #expect(!header.isProgressive)
      }
    }

    @Test("A still image's header is known before its pixels have come, and never changes", arguments: fixtures)
    func prefixes(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      var known: Int?
      for count in 0..<data.count {
        guard let header = try AVIFReader.header(ofPrefix: data.prefix(count)) else {
          #expect(known == nil, "at \(count)")
          continue
        }
        known = known ?? count
        fixture.check(header)
        #expect(header.frameCount == fixture.frames)
      }
      let pixels = try #require(data.range(of: Data("mdat".utf8))).lowerBound
      if fixture.frames == 1 { #expect(try #require(known) <= pixels + 4) }
    }

    @Test("An orientation in EXIF is told and not applied: what counts is the image's own properties")
    func exif() throws {
      let header = try reader("exif").header
      #expect(header.exif?.orientation == .right)
      #expect(header.orientation == .up)
    }

    @Test("Another orientation can be asked for", arguments: Orientation.allCases)
    func turned(_ orientation: Orientation) throws {
      let reader = try reader("orientation-6")
      let stored = try reader.decode(DecodeOptions(orientation: .up))
      let image = try reader.decode(DecodeOptions(orientation: orientation))
      let pixels = try #require(stored.buffer)
      let expected = try #require(orientation.apply(to: pixels))
      #expect(largestDifference(image.pixelBytes, Array(expected.bytes)) == 0)
    }

    @Test("A grid is put together of its cells")
    func grid() throws {
      let file = DeepFixture.folder(.avif).appendingPathComponent("grid.avif")
      let reader = try AVIFReader(data: try Data(contentsOf: file), limits: CodecLimits())
      #expect(reader.header.storedWidth == 128 && reader.header.storedHeight == 128)
      let pixels = try reader.decode(DecodeOptions()).pixelBytes
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]
      let isRight = (0..<128 * 128).allSatisfy { place in
        let cell = place / 128 / 64 * 2 + place % 128 / 64
        return pixels[place * 4..<place * 4 + 4].elementsEqual(colors[cell])
      }
      #expect(isRight)
    }

    @Test("A slice of other data is read like data of its own")
    func slice() throws {
      for name in ["alpha", "sequence"] {
        let fixture = try DeepFixture.named(name, .avif)
        let slice = (Data([1, 2, 3, 4, 5]) + (try fixture.data()) + Data([6])).dropFirst(5).dropLast()
        let reader = try AVIFReader(data: slice, limits: CodecLimits())
        #expect(largestDifference(try reader.decode(DecodeOptions()).pixelBytes, try fixture.premultiplied()[0]) == 0)
        try fixture.check(try reader.animation())
      }
    }

    @Test("Decoding stops when nobody wants the image any more, before it or behind a frame")
    func cancel() throws {
      let reader = try reader("rgb420")
      for answer in 1...2 {
        let calls = Lock(0)
        #expect(throws: CodecError.cancelled(.avif)) {
          try reader.decode(
            DecodeOptions(isCancelled: {
              calls.withLock { calls in
                calls += 1
                return calls == answer
              }
            }))
        }
      }
    }

    @Test("What decoding takes beside its pixels is told: planes, and 16 bits where colors are converted")
    func workingBytes() throws {
      #expect(try reader("rgb420").workingByteCount == 27 * 19 * 3 / 2)
      #expect(try reader("ten-bits-420").workingByteCount == 27 * 19 * 3 / 2 * 2)
      #expect(try reader("pq-12").workingByteCount == 27 * 19 * 3 / 2 * 2 + 27 * 19 * 8)
    }

    @Test("The format is found by its content")
    func registered() throws {
      let data = try DeepFixture.named("rgb420", .avif).data()
      #expect(try ImageReaders.reader(for: data).header.format == .avif)
      #expect(try ImageReaders.header(ofPrefix: data)?.format == .avif)
      #expect(ImageFormat.avif.isReadable)
    }
  }
#endif
