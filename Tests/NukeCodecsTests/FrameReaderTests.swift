import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading GIF and WebP")
struct FrameReaderTests {
  private static let fixtures = FrameFixture.gif + FrameFixture.webp

  private func reader(_ fixture: FrameFixture) throws -> any ImageReader {
    try ImageReaders.reader(for: try fixture.data())
  }

  @Test("The first frame has the pixels of giflib's and libwebp's own programs", arguments: fixtures)
  func decode(_ fixture: FrameFixture) throws {
    let reader = try reader(fixture)
    let image = try reader.decode(DecodeOptions())
    let size = reader.pixelSize(scaleDenominator: 1)
    #expect(fixture.uprightSize == [image.pixelWidth, image.pixelHeight])
    #expect(fixture.uprightSize == [size.width, size.height])
    #expect(largestDifference(image.pixelBytes, try fixture.premultiplied()[0]) <= fixture.tolerance ?? 0)
    #expect(opacityIsExact(image))
    if fixture.frames == 1, let opaque = fixture.opaque { #expect(image.isOpaque == opaque) }
  }

  @Test("Every frame is the whole canvas as displayed, with its delay", arguments: fixtures)
  func animation(_ fixture: FrameFixture) throws {
    guard let animation = try reader(fixture).animation() else {
      #expect(fixture.frames == 1)
      return
    }
    #expect(fixture.uprightSize == [animation.pixelWidth, animation.pixelHeight])
    #expect(animation.frameCount == fixture.frames)
    #expect(animation.loopCount == fixture.loops)
    #expect(animation.delays == fixture.delays.map { Double($0) / fixture.unitsPerSecond })
    let expected = try fixture.premultiplied()
    let frames = try frames(of: animation)
    #expect(frames.map(\.delay) == animation.delays)
    for (frame, expected) in zip(frames, expected) {
      let difference = largestDifference(frame.image.pixelBytes, expected)
      #expect(difference <= fixture.tolerance ?? 0, "frame \(frame.index)")
      #expect(opacityIsExact(frame.image), "frame \(frame.index)")
      #expect(fixture.uprightSize == [frame.image.pixelWidth, frame.image.pixelHeight])
    }
  }

  @Test("The header describes the file, and needs a complete prefix", arguments: fixtures)
  func header(_ fixture: FrameFixture) throws {
    let data = try fixture.data()
    let prefix = try #require(try ImageReaders.header(ofPrefix: data))
    for header in [try reader(fixture).header, prefix] {
      #expect(header.format == fixture.format)
      #expect(fixture.uprightSize == [header.pixelWidth, header.pixelHeight])
      #expect(header.orientation.rawValue == fixture.orientation ?? 1)
      #expect(header.colorModel == (fixture.format == .gif ? .indexed : .rgb))
      #expect(header.bitsPerComponent == 8)
      #expect(header.isProgressive == fixture.interlaced ?? false)
      if let alpha = fixture.alpha { #expect(header.hasAlpha == alpha) }
      #expect(header.profileName == fixture.profile)
      #expect(header.loopCount == fixture.loops || fixture.format == .webp && fixture.frames == 1)
      // A file without its trailer may have gone on.
      if header.frameCount == nil, fixture.name == "trailer-missing" { continue }
      #expect(header.frameCount == fixture.frames)
      let duration = fixture.frames == 1 ? 0 : Double(fixture.delays.reduce(0, +)) / fixture.unitsPerSecond
      #expect(abs(try #require(header.duration) - duration) < 1e-6)
    }
  }

  @Test("Delays of a GIF below 20 ms become 100 ms, and others are unchanged")
  func delays() throws {
    let animation = try #require(try reader(.gif("delays")).animation())
    #expect(animation.delays == [0.1, 0.1, 0.02, 0.03, 1, 655.35])
  }

  @Test("The loop count of a GIF is one less than its number of plays; 0 means infinite, none means once")
  func loops() throws {
    for (name, loops) in [
      ("forever", 0), ("two", 2), ("four", 4), ("most", 65536), ("animexts", 5), ("none", 1), ("other-application", 1),
    ] {
      #expect(try reader(.gif("loop-\(name)")).animation()?.loopCount == loops, "loop-\(name)")
    }
  }

  @Test("Camera metadata in a WebP is read, with and without the prefix of the block")
  func exif() throws {
    for number in [3, 6] {
      let header = try reader(.webp("orientation-\(number)")).header
      #expect(header.exif?.make == "Seed")
      #expect(header.exif?.orientation?.rawValue == number)
    }
    #expect(try reader(.webp("lossy")).header.exif == nil)
  }

  @Test(
    "The header of a growing prefix is `nil` until it is known, and does not change afterwards", arguments: fixtures)
  func prefixes(_ fixture: FrameFixture) throws {
    func header(_ data: Data) throws -> ImageHeader? {
      try fixture.format == .gif ? GIFReader.header(ofPrefix: data) : WebPReader.header(ofPrefix: data)
    }
    let data = try fixture.data()
    let complete = try #require(try header(data))
    var known: Int?
    for count in 0..<data.count {
      guard let header = try header(data.prefix(count)) else {
        #expect(known == nil, "at \(count)")
        continue
      }
      known = known ?? count
      #expect(header.storedWidth == complete.storedWidth && header.storedHeight == complete.storedHeight)
      #expect(header.orientation == complete.orientation && header.profileName == complete.profileName)
      #expect(header.isProgressive == complete.isProgressive)
      #expect(header.frameCount == nil || header.frameCount == complete.frameCount)
      #expect((header.frameCount == nil) == (header.duration == nil))
      guard fixture.format == .webp else { continue }
      #expect(header.hasAlpha == complete.hasAlpha)
      #expect(header.loopCount == complete.loopCount)
    }
    let isPlain = fixture.name.hasPrefix("lossy") || fixture.name.hasPrefix("lossless")
    let isPlainAnimation = fixture.frames > 1 && fixture.profile == nil && fixture.orientation == 1
    #expect(try #require(known) <= (isPlain || isPlainAnimation ? 70 : data.count))
  }

  @Test("Frames before a truncated one are delivered, and the truncated one throws each time")
  func laterFrames() throws {
    for (fixture, counts) in [
      (try FrameFixture.gif("animated-imagemagick"), [1, 2, 3, 4, 5]),
      (try .webp("animated-replace-keep"), [1, 2, 3, 4]),
    ] {
      let (data, expected) = (try fixture.data(), try fixture.premultiplied())
      var seen: Set<Int> = []
      // Every place the file can be cut at.
      for count in stride(from: 60, to: data.count, by: 3) {
        guard
          let reader = try? ImageReaders.reader(for: data.prefix(count)),
          let frames = try reader.animation()?.frames()
        else { continue }
        var delivered = 0
        do {
          while let frame = try frames.next() {
            #expect(largestDifference(frame.image.pixelBytes, expected[delivered]) == 0)
            delivered += 1
          }
        } catch {
          #expect(error as? CodecError == .truncated(fixture.format, byteCount: count))
          #expect(throws: CodecError.self) { try frames.next() }
          seen.insert(delivered)
        }
      }
      #expect(seen.isSuperset(of: counts))
    }
  }
}
