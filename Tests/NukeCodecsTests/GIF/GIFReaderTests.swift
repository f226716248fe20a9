import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading GIF")
struct GIFReaderTests {
  private func reader(_ fixture: FrameFixture) throws -> GIFReader {
    try GIFReader(data: try fixture.data(), limits: CodecLimits())
  }

  @Test("The first frame is the image, pixel by pixel", arguments: FrameFixture.gif)
  func decode(_ fixture: FrameFixture) throws {
    let image = try reader(fixture).decode(DecodeOptions())
    #expect([image.pixelWidth, image.pixelHeight] == fixture.size)
    #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) == 0)
    #expect(opacityIsExact(image))
  }

  @Test("Every frame is the whole canvas as it is shown, pixel by pixel", arguments: FrameFixture.gif)
  func animation(_ fixture: FrameFixture) throws {
    guard let animation = try reader(fixture).animation() else {
      #expect(fixture.frames == 1)
      return
    }
    #expect([animation.pixelWidth, animation.pixelHeight] == fixture.size)
    #expect(animation.frameCount == fixture.frames)
    let expected = try fixture.premultiplied()
    let frames = try frames(of: animation)
    #expect(frames.count == fixture.frames)
    for (frame, expected) in zip(frames, expected) {
      #expect(largestDifference(frame.image.pixelBytes, expected) == 0, "frame \(frame.index)")
      #expect(opacityIsExact(frame.image), "frame \(frame.index)")
    }
  }

  @Test("The header says what is in the file, and does so from all of its bytes alone", arguments: FrameFixture.gif)
  func header(_ fixture: FrameFixture) throws {
    let data = try fixture.data()
    for header in [try GIFReader(data: data, limits: CodecLimits()).header, try GIFReader.header(ofPrefix: data)] {
      let header = try #require(header)
      #expect(header.format == .gif)
      #expect([header.storedWidth, header.storedHeight] == fixture.size)
      #expect(header.colorModel == .indexed)
      #expect(header.bitsPerComponent == 8)
      #expect(header.isProgressive == fixture.interlaced)
      #expect(header.loopCount == fixture.loops)
      // A file without its trailer may have gone on.
      if header.frameCount != nil || fixture.name != "trailer-missing" {
        #expect(header.frameCount == fixture.frames)
        let duration = fixture.frames == 1 ? 0 : Double(fixture.delays.reduce(0, +)) / 100
        #expect(abs(try #require(header.duration) - duration) < 1e-6)
      }
    }
  }

  @Test("Delays are as written, but a tenth of a second where they are below two hundredths")
  func delays() throws {
    let animation = try #require(try reader(.gif("delays")).animation())
    #expect(animation.delays == [0.1, 0.1, 0.02, 0.03, 1, 655.35])
    #expect(try frames(of: animation).map(\.delay) == animation.delays)
  }

  @Test("A count of repeats is one less than the times it is played; 0 is for ever; none is once")
  func loops() throws {
    for (name, loops) in [
      ("forever", 0), ("two", 2), ("four", 4), ("most", 65536), ("animexts", 5), ("none", 1), ("other-application", 1),
    ] {
      #expect(try reader(.gif("loop-\(name)")).animation()?.loopCount == loops, "loop-\(name)")
    }
  }

  @Test("The header of a growing prefix is `nil` until the first frame begins, and never changes after that")
  func prefixes() throws {
    for fixture in FrameFixture.gif {
      let data = try fixture.data()
      let complete = try #require(try GIFReader.header(ofPrefix: data))
      var known = false
      for count in 0..<data.count {
        guard let header = try GIFReader.header(ofPrefix: data.prefix(count)) else {
          #expect(!known, "\(fixture.name) at \(count)")
          continue
        }
        known = true
        #expect(header.storedWidth == complete.storedWidth && header.storedHeight == complete.storedHeight)
        #expect(header.isProgressive == complete.isProgressive)
        #expect(header.frameCount == nil || header.frameCount == complete.frameCount)
        #expect((header.frameCount == nil) == (header.duration == nil))
      }
      #expect(known, "\(fixture.name)")
    }
  }

  @Test("A slice of other data is read like data of its own")
  func slice() throws {
    let fixture = try FrameFixture.gif("disposal-mixed")
    let slice = (Data([1, 2, 3, 4, 5]) + (try fixture.data()) + Data([6])).dropFirst(5).dropLast()
    let reader = try GIFReader(data: slice, limits: CodecLimits())
    let image = try reader.decode(DecodeOptions())
    #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) == 0)
    #expect(try #require(try GIFReader.header(ofPrefix: slice)).frameCount == fixture.frames)
  }

  @Test("Decoding stops when nobody wants the image any more")
  func cancel() throws {
    let reader = try reader(.gif("noise"))
    #expect(throws: CodecError.cancelled(.gif)) { try reader.decode(DecodeOptions(isCancelled: { true })) }
  }

  @Test("The format is found by its content")
  func registered() throws {
    let data = try FrameFixture.gif("stripes").data()
    #expect(try ImageReaders.reader(for: data).header.format == .gif)
    #expect(try ImageReaders.header(ofPrefix: data)?.format == .gif)
  }
}
