#if Video
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Reading videos")
  struct VideoReaderTests {
    private func reader(_ name: String, limits: CodecLimits = CodecLimits()) throws -> VideoReader {
      try VideoReader(data: try VideoFixture.data(name), limits: limits)
    }

    @Test("The first frame is upright and in sRGB", arguments: VideoFixture.all)
    func firstFrame(_ fixture: VideoFixture) throws {
      let reader = try ImageReaders.reader(for: try fixture.data())
      fixture.check(try reader.decode(DecodeOptions()), isFrame: 0)
      let header = reader.header
      #expect(header.pixelWidth == fixture.width && header.pixelHeight == fixture.height)
      #expect(header.orientation.rawValue == fixture.orientation)
      #expect(header.profileName ?? "sRGB" == fixture.profile ?? "sRGB")
      #expect(header.format.fileExtension == (fixture.name as NSString).pathExtension)
    }

    @Test("A frame is found by its time", arguments: VideoFixture.all)
    func times(_ fixture: VideoFixture) throws {
      let reader = try VideoReader(data: try fixture.data(), limits: CodecLimits())
      for index in fixture.quadrants.indices {
        let middle = (Double(index) + 0.5) * fixture.delay
        fixture.check(try reader.decode(DecodeOptions(posterFrame: .time(middle))), isFrame: index)
      }
      for (time, index) in [(-1, 0), (.nan, 0), (.infinity, 0), (0, 0), (1e6, fixture.quadrants.count - 1)] {
        fixture.check(try reader.decode(DecodeOptions(posterFrame: .time(time))), isFrame: index)
      }
    }

    @Test("A short video is an animation that loops forever", arguments: VideoFixture.all)
    func animations(_ fixture: VideoFixture) throws {
      let reader = try VideoReader(data: try fixture.data(), limits: CodecLimits())
      let animation = try #require(try reader.animation())
      #expect(animation.loopCount == 0)
      try #require(animation.frameCount == fixture.quadrants.count)
      #expect(animation.delays.allSatisfy { abs($0 - fixture.delay) < 0.002 })
      let frames = try animation.frames()
      // Twice, to see that nothing is left over.
      for _ in 0..<2 {
        for index in 0..<animation.frameCount {
          fixture.check(try #require(try frames.next()).image, isFrame: index)
        }
        #expect(try frames.next() == nil)
        try frames.rewind()
      }
      for _ in 1..<animation.frameCount { #expect(try frames.skip()) }
      fixture.check(try #require(try frames.next()).image, isFrame: animation.frameCount - 1)
      #expect(try !frames.skip())
    }

    @Test("The most representative frame belongs to the longest scene", arguments: ["scenes.mp4", "scenes-keyed.mp4"])
    func representative(_ name: String) throws {
      let reader = try reader(name)
      for count in [7, 14, 100, 1000] {
        let image = try reader.decode(DecodeOptions(posterFrame: .representative(of: count)))
        #expect(image.quadrantColors.allSatisfy { abs(($0 >> 16) - 180) < 8 && abs(($0 & 255) - 40) < 8 })
      }
      for count in [-1, 0, 1] {
        let image = try reader.decode(DecodeOptions(posterFrame: .representative(of: count)))
        #expect(image.quadrantColors.allSatisfy { $0 & 255 < 8 })
      }
    }

    @Test("A video of more than a minute has posters and is no animation")
    func long() throws {
      let reader = try reader("long.mp4")
      #expect(reader.header.duration == 62)
      #expect(try reader.animation() == nil)
      #expect(try reader.decode(DecodeOptions(posterFrame: .time(61))).pixelWidth == 64)
    }

    @Test("A video of one frame, or of more frames than the limits allow, is no animation")
    func stills() throws {
      #expect(try reader("one-frame.mp4").animation() == nil)
      #expect(try reader("h264.mp4", limits: CodecLimits(maximumFrameCount: 11)).animation() == nil)
      #expect(try reader("h264.mp4", limits: CodecLimits(maximumFrameCount: 12)).animation() != nil)
    }

    @Test("The orientation can be ignored")
    func asStored() throws {
      let image = try reader("turned-90.mov").decode(DecodeOptions(orientation: .up))
      try VideoFixture.named("h264.mp4").check(image, isFrame: 0)
    }

    @Test("The header is read from the first bytes if they contain it")
    func prefixes() throws {
      for name in ["faststart.mp4", "fragments.mp4", "odd.webm"] {
        let data = try VideoFixture.data(name)
        let counts = (0...data.count).filter { (try? VideoReader.header(ofPrefix: data.prefix($0))) != nil }
        let first = try #require(counts.first)
        #expect(first < data.count)
        let header = try VideoReader.header(ofPrefix: data.prefix(first))
        #expect(header?.pixelWidth == (name == "odd.webm" ? 65 : 64))
      }
      let late = try VideoFixture.data("h264.mp4")
      #expect(try VideoReader.header(ofPrefix: late.dropLast()) == nil)
      #expect(try VideoReader.header(ofPrefix: late)?.frameCount == 12)
    }

    @Test("The reader is chosen by the document type of a WebM", arguments: [8, 20, 1000])
    func documentType(_ count: Int) throws {
      let data = try VideoFixture.data("odd.webm")
      #expect(ImageFormat(sniffing: data) == .webm)
      #expect(try ImageReaders.header(ofPrefix: data.prefix(count)) == nil || count > 100)
      let other = Data(data.map { $0 == UInt8(ascii: "w") ? UInt8(ascii: "v") : $0 })
      #expect(throws: CodecError.unrecognizedFormat(looksLike: "a Matroska video")) {
        try ImageReaders.reader(for: other)
      }
    }
  }
#endif
