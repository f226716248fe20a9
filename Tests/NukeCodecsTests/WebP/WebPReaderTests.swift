import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading WebP")
struct WebPReaderTests {
  private func reader(_ fixture: FrameFixture) throws -> WebPReader {
    try WebPReader(data: try fixture.data(), limits: CodecLimits())
  }

  @Test("The image, or its first frame, is what libwebp's own programs decode", arguments: FrameFixture.webp)
  func decode(_ fixture: FrameFixture) throws {
    let reader = try reader(fixture)
    let image = try reader.decode(DecodeOptions())
    let size = reader.pixelSize(scaleDenominator: 1)
    #expect(fixture.uprightSize == [image.pixelWidth, image.pixelHeight])
    #expect(fixture.uprightSize == [size.width, size.height])
    #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) <= fixture.tolerance ?? 0)
    #expect(opacityIsExact(image))
    if fixture.frames == 1 { #expect(image.isOpaque == fixture.opaque) }
  }

  @Test("Every frame is the whole canvas as it is shown", arguments: FrameFixture.webp)
  func animation(_ fixture: FrameFixture) throws {
    guard let animation = try reader(fixture).animation() else {
      #expect(fixture.frames == 1)
      return
    }
    #expect(fixture.uprightSize == [animation.pixelWidth, animation.pixelHeight])
    #expect(animation.frameCount == fixture.frames)
    #expect(animation.loopCount == fixture.loops)
    #expect(animation.delays == fixture.delays.map { Double($0) / 1000 })
    let expected = try fixture.premultiplied()
    let frames = try frames(of: animation)
    #expect(frames.count == fixture.frames)
    for (frame, expected) in zip(frames, expected) {
      let difference = largestDifference(frame.image.pixelBytes, expected)
      #expect(difference <= fixture.tolerance ?? 0, "frame \(frame.index)")
      #expect(opacityIsExact(frame.image), "frame \(frame.index)")
      #expect(fixture.uprightSize == [frame.image.pixelWidth, frame.image.pixelHeight])
    }
  }

  @Test("The header says what is in the file, and does so from all of its bytes alone", arguments: FrameFixture.webp)
  func header(_ fixture: FrameFixture) throws {
    let data = try fixture.data()
    for header in [try WebPReader(data: data, limits: CodecLimits()).header, try WebPReader.header(ofPrefix: data)] {
      let header = try #require(header)
      #expect(header.format == .webp)
      #expect(fixture.size.sorted() == [header.storedWidth, header.storedHeight].sorted())
      #expect(fixture.uprightSize == [header.pixelWidth, header.pixelHeight])
      #expect(header.orientation.rawValue == fixture.orientation)
      #expect(header.colorModel == .rgb)
      #expect(header.bitsPerComponent == 8)
      #expect(header.hasAlpha == fixture.alpha)
      #expect(header.profileName == fixture.profile)
      #expect(header.frameCount == fixture.frames)
      #expect(header.loopCount == fixture.loops || fixture.frames == 1)
      #expect(abs(try #require(header.duration) - Double(fixture.delays.reduce(0, +)) / 1000) < 1e-6)
      #expect(!header.isProgressive)
    }
  }

  @Test("What a camera wrote is read, with and without the name of the block before it")
  func exif() throws {
    for number in [3, 6] {
      let header = try reader(.webp("orientation-\(number)")).header
      #expect(header.exif?.make == "Seed")
      #expect(header.exif?.orientation?.rawValue == number)
    }
    #expect(try reader(.webp("lossy")).header.exif == nil)
  }

  @Test("The header of a growing prefix is `nil` until all of it is known, and never changes after that")
  func prefixes() throws {
    for fixture in FrameFixture.webp {
      let data = try fixture.data()
      let complete = try #require(try WebPReader.header(ofPrefix: data))
      var known: Int?
      for count in 0..<data.count {
        guard let header = try WebPReader.header(ofPrefix: data.prefix(count)) else {
          #expect(known == nil, "\(fixture.name) at \(count)")
          continue
        }
        known = known ?? count
        #expect(header.storedWidth == complete.storedWidth && header.storedHeight == complete.storedHeight)
        #expect(header.orientation == complete.orientation && header.profileName == complete.profileName)
        #expect(header.hasAlpha == complete.hasAlpha)
        #expect(header.loopCount == complete.loopCount)
        let frameCount = header.frameCount
        #expect(frameCount == nil || frameCount == complete.frameCount)
        if frameCount == nil { #expect(header.duration == nil) }
      }
      if fixture.name.hasPrefix("lossy") || fixture.name.hasPrefix("lossless") {
        #expect(try #require(known) <= 70, "\(fixture.name)")
      }
      if fixture.frames > 1, fixture.profile == nil, fixture.orientation == 1 {
        #expect(try #require(known) <= 70, "\(fixture.name)")
      }
    }
  }

  @Test("A slice of other data is read like data of its own")
  func slice() throws {
    for fixture in [try FrameFixture.webp("animated-corner"), try .webp("profile-alpha"), try .webp("orientation-6")] {
      let slice = (Data([1, 2, 3, 4, 5]) + (try fixture.data()) + Data([6])).dropFirst(5).dropLast()
      let image = try WebPReader(data: slice, limits: CodecLimits()).decode(DecodeOptions())
      #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) <= fixture.tolerance ?? 0)
      #expect(try #require(try WebPReader.header(ofPrefix: slice)).frameCount == fixture.frames)
    }
  }

  @Test("Decoding stops when nobody wants the image any more")
  func cancel() throws {
    for name in ["lossy", "animated-lossy"] {
      let reader = try reader(.webp(name))
      #expect(throws: CodecError.cancelled(.webp)) { try reader.decode(DecodeOptions(isCancelled: { true })) }
    }
  }

  @Test("The format is found by its content")
  func registered() throws {
    let data = try FrameFixture.webp("lossy").data()
    #expect(try ImageReaders.reader(for: data).header.format == .webp)
    #expect(try ImageReaders.header(ofPrefix: data)?.format == .webp)
  }
}
