#if HEIC
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Reading HEIC")
  struct HEICReaderTests {
    private static let fixtures = DeepFixture.all(.heic)

    private func reader(_ name: String) throws -> HEICReader {
      try HEICReader(data: try DeepFixture.named(name, .heic).data(), limits: CodecLimits())
    }

    @Test("The image is what libheif's own program decodes", arguments: fixtures)
    func decode(_ fixture: DeepFixture) throws {
      let reader = try HEICReader(data: try fixture.data(), limits: CodecLimits())
      let image = try reader.decode(DecodeOptions())
      #expect(fixture.uprightSize == [image.pixelWidth, image.pixelHeight])
      let difference = largestDifference(image.pixelBytes, try fixture.premultiplied()[0])
      #expect(difference <= fixture.tolerance)
      #expect(opacityIsExact(image))
      #expect(image.isOpaque == fixture.opaque)
      #expect(try reader.animation() == nil)
      #expect(reader.embeddedThumbnail == nil)
    }

    @Test("The header says what is in the file, and does so from all of its bytes alone", arguments: fixtures)
    func header(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      for header in [
        try HEICReader(data: data, limits: CodecLimits()).header, try #require(try HEICReader.header(ofPrefix: data)),
      ] {
        #expect(header.format == .heic)
        fixture.check(header)
        #expect(header.frameCount == 1 && header.loopCount == 1 && header.duration == 0)
        #expect(header.exif?.make == fixture.make)
        #expect(!header.isProgressive)
      }
    }

    @Test("The header is known before the pixels have come, and never changes", arguments: fixtures)
    func prefixes(_ fixture: DeepFixture) throws {
      let data = try fixture.data()
      var known: Int?
      for count in 0..<data.count {
        guard let header = try HEICReader.header(ofPrefix: data.prefix(count)) else {
          #expect(known == nil, "at \(count)")
          continue
        }
        known = known ?? count
        fixture.check(header)
      }
      let pixels = try #require(data.range(of: Data("mdat".utf8))).lowerBound
      #expect(try #require(known) <= pixels + 4)
    }

    @Test("An orientation in EXIF is told and not applied: what counts is the image's own properties")
    func exif() throws {
      let header = try reader("exif").header
      #expect(header.exif?.orientation == .right)
      #expect(header.orientation == .up)
    }

    @Test("Another orientation can be asked for, of the pixels as they are stored", arguments: Orientation.allCases)
    func turned(_ orientation: Orientation) throws {
      let stored = try #require(try reader("rgb").decode(DecodeOptions()).buffer)
      let image = try reader("orientation-6").decode(DecodeOptions(orientation: orientation))
      let expected = try #require(orientation.apply(to: stored))
      #expect(largestDifference(image.pixelBytes, Array(expected.bytes)) == 0)
    }

    @Test("A slice of other data is read like data of its own")
    func slice() throws {
      let fixture = try DeepFixture.named("alpha", .heic)
      let slice = (Data([1, 2, 3, 4, 5]) + (try fixture.data()) + Data([6])).dropFirst(5).dropLast()
      let image = try HEICReader(data: slice, limits: CodecLimits()).decode(DecodeOptions())
      #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) <= fixture.tolerance)
    }

    @Test("Decoding stops when nobody wants the image any more, before it or behind it")
    func cancel() throws {
      let reader = try reader("rgb")
      for answer in 1...2 {
        let calls = Lock(0)
        let options = DecodeOptions(isCancelled: {
          calls.withLock { calls in
            calls += 1
            return calls == answer
          }
        })
        #expect(throws: CodecError.cancelled(.heic)) { try reader.decode(options) }
      }
    }

    @Test("The format is found by its content")
    func registered() throws {
      let data = try DeepFixture.named("rgb", .heic).data()
      #expect(try ImageReaders.reader(for: data).header.format == .heic)
      #expect(try ImageReaders.header(ofPrefix: data)?.format == .heic)
      #expect(ImageFormat.heic.isReadable && !ImageFormat.heic.isWritable)
    }
  }
#endif
