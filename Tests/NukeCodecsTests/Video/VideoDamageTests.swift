#if Video
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Damaged and hostile videos")
  struct VideoDamageTests {
    private func error(_ name: String, limits: CodecLimits = CodecLimits()) throws -> CodecError? {
      VideoReader.error(try VideoFixture.data(name), limits: limits)
    }

    @Test("A file without a video is rejected, also if it has cover art", arguments: ["sound.mp4", "cover.mp4"])
    func sound(_ name: String) throws {
      #expect(try error(name) == .unsupported(.mp4, feature: "a file without a video stream"))
    }

    @Test("A codec that is not allowed is rejected by name")
    func codec() throws {
      #expect(try error("jpeg.mov") == .unsupported(.mov, feature: "video in the codec mjpeg"))
      #expect(try error("mpeg4.mp4") == .unsupported(.mp4, feature: "video in the codec mpeg4"))
    }

    @Test("A size above the limits is rejected")
    func sizes() throws {
      #expect(
        try error("h264.mp4", limits: CodecLimits(maximumPixelCount: 3000))
          == .tooLarge(.mp4, width: 64, height: 48, limit: .pixelCount(3000)))
      // Of the size that is shown.
      #expect(
        try error("wide.mp4", limits: CodecLimits(maximumSide: 100))
          == .tooLarge(.mp4, width: 128, height: 48, limit: .side(100)))
    }

    @Test("Decoding stops after ten seconds")
    func timeLimit() throws {
      let calls = CallCounter()
      let reader = try VideoReader(data: try VideoFixture.data("h264.mp4"), limits: CodecLimits()) {
        TimeInterval(calls.next()) * 2
      }
      #expect(throws: CodecError.unsupported(.mp4, feature: "an image that takes more than 10 s to decode")) {
        try reader.decode(DecodeOptions(posterFrame: .time(1)))
      }
    }

    @Test("Decoding can be canceled at any time")
    func cancellation() throws {
      let reader = try VideoReader(data: try VideoFixture.data("h264.mp4"), limits: CodecLimits())
      for last in 0..<8 {
        let calls = CallCounter()
        #expect(throws: CodecError.cancelled(.mp4)) {
          try reader.decode(DecodeOptions(posterFrame: .time(1), isCancelled: { calls.next() > last }))
        }
      }
    }

    @Test(
      "Tracks that state more samples than the file has bytes are rejected", arguments: ["h264.mp4", "fragments.mp4"])
    func samples(_ name: String) throws {
      for (box, offset) in [("stsz", 8), ("trun", 4)] {
        var data = try VideoFixture.data(name)
        guard let place = data.range(of: Data(box.utf8)) else { continue }
        // All samples have the same size.
        if box == "stsz" { data.replaceSubrange(place.upperBound + 4..<place.upperBound + 8, with: [0, 0, 0, 1]) }
        let count = place.upperBound + offset
        data.replaceSubrange(count..<count + 4, with: [0xFF, 0xFF, 0xFF, 0])
        expectMalformed(VideoReader.error(data), .mp4, "samples")
      }
    }

    @Test(
      "Times near the largest number do not overflow",
      arguments: [PosterFrame.first, .time(5), .time(1e300), .representative(of: 10)])
    func times(_ frame: PosterFrame) throws {
      var data = try VideoFixture.data("h264.mp4")
      func set(_ box: String, _ offset: Int, _ number: UInt32) throws {
        let place = try #require(data.range(of: Data(box.utf8))).upperBound + offset
        data.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: number.bigEndian, Array.init))
      }
      // One tick a second and 2³¹ ticks a second; the movie begins with nothing for 2³² seconds.
      try set("mvhd", 12, 1)
      try set("mdhd", 12, .max >> 1)
      try set("elst", 8, .max)
      try set("elst", 12, .max)
      for duration: UInt32 in [0, .max >> 1] {
        try set("mvhd", 16, .max >> 1)
        try set("mdhd", 16, duration)
        let image = try VideoReader(data: data, limits: CodecLimits()).decode(DecodeOptions(posterFrame: frame))
        #expect(image.pixelWidth == 64)
      }
    }

    @Test("A file whose frames are cut off is truncated")
    func truncation() throws {
      let data = try VideoFixture.data("faststart.mp4")
      let media = try #require(data.range(of: Data("mdat".utf8))).upperBound
      let part = data.prefix(media + 200)
      #expect(VideoReader.error(part) == .truncated(.mp4, byteCount: part.count))
      #expect(VideoReader.error(data.prefix(300)) == .truncated(.mp4, byteCount: 300))
      #expect(VideoReader.error(Data()) == .truncated(.mp4, byteCount: 0))
    }

    @Test("Other files are rejected by the reader")
    func otherFiles() {
      expectMalformed(VideoReader.error(Data("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic".utf8)), .mp4, "signature")
    }
  }
#endif
