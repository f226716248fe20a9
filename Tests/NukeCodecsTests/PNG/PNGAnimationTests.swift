import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Reading animated PNG")
struct PNGAnimationTests {
  private func reader(_ fixture: APNGFixture) throws -> PNGReader {
    try PNGReader(data: fixture.data(), limits: CodecLimits())
  }

  @Test("Every frame is the whole canvas, composed as specified", arguments: APNGFixture.all)
  func everyFrame(_ fixture: APNGFixture) throws {
    guard let animation = try reader(fixture).animation() else {
      #expect(fixture.frames == 1)
      return
    }
    #expect(fixture.size == [animation.pixelWidth, animation.pixelHeight])
    #expect(animation.frameCount == fixture.frames)
    #expect(animation.loopCount == fixture.loops)
    for (delay, expected) in zip(animation.delays, fixture.delays) { #expect(abs(delay * 1000 - expected) < 1e-5) }
    let expected = try fixture.premultiplied()
    let frames = try frames(of: animation)
    #expect(frames.count == expected.count)
    for (frame, expected) in zip(frames, expected) {
      let difference = largestDifference(frame.image.pixelBytes, expected)
      #expect(difference <= fixture.tolerance, "frame \(frame.index)")
      #expect(opacityIsExact(frame.image), "frame \(frame.index)")
    }
  }

  @Test("The still image is the default image, which may not be a frame", arguments: APNGFixture.all)
  func defaultImage(_ fixture: APNGFixture) throws {
    let image = try reader(fixture).decode(DecodeOptions())
    #expect(fixture.size == [image.pixelWidth, image.pixelHeight])
    #expect(largestDifference(image.pixelBytes, try fixture.stillImage()) <= fixture.tolerance)
    #expect(opacityIsExact(image))
  }

  @Test("The header contains the number of frames and the duration if the file is complete", arguments: APNGFixture.all)
  func header(_ fixture: APNGFixture) throws {
    let data = try fixture.data()
    let duration = fixture.frames > 1 ? fixture.delays.reduce(0, +) / 1000 : 0
    let prefix = try #require(try ImageReaders.header(ofPrefix: data))
    for header in [try reader(fixture).header, prefix] {
      #expect(fixture.size == [header.pixelWidth, header.pixelHeight])
      #expect(header.format == .png && header.bitsPerComponent == fixture.bits)
      #expect(header.colorModel.rawValue == fixture.model && header.hasAlpha == fixture.alpha)
      #expect(header.isProgressive == fixture.isInterlaced && header.orientation.rawValue == fixture.orientation)
      #expect(header.profileName == fixture.profile)
      // A file without its last chunk may have gone on.
      if header.frameCount == nil, fixture.name == "without-iend" { continue }
      #expect(header.frameCount == fixture.frames)
      #expect(header.loopCount == (fixture.frames > 1 ? fixture.loops : 1))
      #expect(abs(try #require(header.duration) - duration) < 1e-6)
    }
    let imageData = try #require(data.range(of: Data("IDAT".utf8))).upperBound
    let early = try #require(try ImageReaders.header(ofPrefix: data.prefix(imageData)))
    #expect(early.frameCount == nil && early.duration == nil)
  }

  @Test("A still image is not animated")
  func still() throws {
    let reader = try PNGReader(data: PNGFixture.named("rgb8").data(), limits: CodecLimits())
    #expect(reader.header.frameCount == 1 && reader.header.duration == 0)
    #expect(try reader.animation() == nil)
  }

  @Test("During its download, the default image is shown", arguments: ["rgba8", "rgba8-interlaced", "hidden"])
  func preview(_ name: String) throws {
    let fixture = try APNGFixture.named(name)
    let data = try fixture.data()
    let imageData = try #require(data.range(of: Data("IDAT".utf8)))
    let length = data[imageData.lowerBound - 4..<imageData.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    let incremental = try #require(try IncrementalReaders.reader(forPrefix: data))
    incremental.update(data.prefix(imageData.upperBound + length + 4))
    let preview = try #require(try incremental.nextPreview())
    #expect(preview.rowFraction == 1)
    #expect(largestDifference(preview.bitmap.pixelBytes, try fixture.stillImage()) == 0)
    #expect(incremental.header?.frameCount == nil)
    incremental.update(data)
    #expect(try incremental.nextPreview() == nil)
  }
}
