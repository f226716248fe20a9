import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Playing animations")
struct AnimationPlaybackTests {
  private static let moving = (FrameFixture.gif + FrameFixture.webp).filter { $0.frames > 1 }

  private func reader(_ fixture: FrameFixture) throws -> any ImageReader {
    try ImageReaders.reader(for: try fixture.data())
  }

  static let files =
    moving.map { "\($0.format.displayName)/\($0.url.lastPathComponent)" }
    + APNGFixture.all.filter { $0.frames > 1 }.map { "APNG/\($0.name).png" }

  @Test("A second pass has the same frames, also after an incomplete first one", arguments: files)
  func rewind(_ file: String) throws {
    let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file(file)))
    let animation = try #require(try reader.animation())
    let expected = try frames(of: animation).map(\.image.pixelBytes)
    let frames = try animation.frames()
    _ = try frames.next()
    _ = try frames.next()
    for _ in 0..<2 {
      try frames.rewind()
      for bytes in expected { #expect(try frames.next()?.image.pixelBytes == bytes) }
      #expect(try frames.next() == nil)
    }
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
