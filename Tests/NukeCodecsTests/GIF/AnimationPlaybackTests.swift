import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Playing GIF and WebP")
struct AnimationPlaybackTests {
  private static let moving = (FrameFixture.gif + FrameFixture.webp).filter { $0.frames > 1 }

  private func reader(_ fixture: FrameFixture) throws -> any ImageReader {
    try ImageReaders.reader(for: try fixture.data())
  }

  @Test("A second pass has the same frames, also after an incomplete first one", arguments: moving)
  func rewind(_ fixture: FrameFixture) throws {
    let frames = try #require(try reader(fixture).animation()).frames()
    _ = try frames.next()
    _ = try frames.next()
    var passes: [[[UInt8]]] = []
    for _ in 0..<2 {
      try frames.rewind()
      var pass: [[UInt8]] = []
      while let frame = try frames.next() { pass.append(frame.image.pixelBytes) }
      passes.append(pass)
    }
    #expect(passes[0].count == fixture.frames)
    #expect(zip(passes[0], passes[1]).allSatisfy { $0 == $1 })
  }

  @Test("A frame does not change while later ones are drawn", arguments: moving)
  func immutable(_ fixture: FrameFixture) throws {
    let frames = try #require(try reader(fixture).animation()).frames()
    var held: [(Bitmap, [UInt8])] = []
    while let frame = try frames.next() { held.append((frame.image, frame.image.pixelBytes)) }
    #expect(held.allSatisfy { $0.0.pixelBytes == $0.1 })
  }

  @Test("The first frame equals the still image", arguments: moving)
  func first(_ fixture: FrameFixture) throws {
    let reader = try reader(fixture)
    let frame = try #require(try reader.animation()?.frames().next())
    #expect(largestDifference(frame.image.pixelBytes, try reader.decode(DecodeOptions()).pixelBytes) == 0)
  }

  @Test("Several threads can use one reader at the same time")
  func threads() async throws {
    for fixture in [try FrameFixture.gif("animated-gifsicle"), try .webp("animated-soft")] {
      let reader = try reader(fixture)
      let expected = try frames(of: try #require(try reader.animation())).map(\.image.pixelBytes)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let animation = try #require(try reader.animation())
            return try frames(of: animation).map(\.image.pixelBytes) == expected
          }
        }
        for try await isSame in group { #expect(isSame) }
      }
    }
  }
}
