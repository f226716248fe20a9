import Foundation
import Nuke
import NukeCodecs
import Testing

@testable import NukeTerminal

@MainActor @Suite struct TerminalPlaybackTests {
  private let fake = FakeClock()

  private func animated(_ delays: [TimeInterval], loopCount: Int, limit: Int = 1 << 20) throws -> AnimatedImage {
    let frames = delays.indices.map { Bitmap.plain(2, 2, UInt8($0), 0, 0) }
    let animation = try #require(Animation(frames: frames, delays: delays, loopCount: loopCount))
    return AnimatedImage(animation, store: FrameStore(limit: limit))
  }

  private func play(
    _ image: AnimatedImage, passLimit: Int? = nil, most: Int = 100, cost: TimeInterval = 0
  ) async -> (shown: [Int], times: [TimeInterval], isShown: Bool) {
    var shown: [Int] = []
    var times: [TimeInterval] = []
    let playback = TerminalPlayback(image: image, passLimit: passLimit, clock: fake.clock())
    let isShown = await playback.run { frame in
      #expect(frame.image.bytes[0] == UInt8(frame.index))
      shown.append(frame.index)
      times.append(((fake.now - 1000) * 1000).rounded() / 1000)
      fake.pass(cost)
      return shown.count < most
    }
    return (shown, times, isShown)
  }

  @Test("Each frame is shown for its delay, for the number of loops, and the last frame stays")
  func delays() async throws {
    let (shown, times, isShown) = await play(try animated([0.1, 0.25, 0.5], loopCount: 2))
    #expect(isShown)
    #expect(shown == [0, 1, 2, 0, 1, 2])
    #expect(times == [0, 0.1, 0.35, 0.85, 0.95, 1.2])
    #expect(fake.waits == [0.1, 0.25, 0.5, 0.1, 0.25])
  }

  @Test("A short video plays, each frame at its time", .enabled(if: ImageFormat.mp4.isReadable))
  func video() async throws {
    // The upper left quadrant has a gray of 20 times the number of the frame, at 10 frames per second.
    let clip = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../NukeCodecsTests/Fixtures/Video/h264.mp4")
    let container = try ImageDecoders.Default().decode(try Data(contentsOf: clip))
    let image = try #require(AnimatedImage(container))
    var shown: [Int] = []
    let isShown = await TerminalPlayback(image: image, passLimit: 1, clock: fake.clock()).run { frame in
      shown.append((Int(frame.image.bytes[(8 * 64 + 8) * 4]) + 10) / 20)
      return true
    }
    #expect(isShown)
    #expect(shown == Array(0..<12))
    #expect(fake.waits.map { ($0 * 1000).rounded() } == Array(repeating: 100, count: 11))
  }

  @Test("An endless animation plays until it is stopped")
  func forever() async throws {
    let (shown, _, _) = await play(try animated([0.1, 0.1], loopCount: 0), most: 7)
    #expect(shown == [0, 1, 0, 1, 0, 1, 0])
  }

  @Test("A limit of loops can only reduce their number")
  func passLimit() async throws {
    #expect(await play(try animated([0.1, 0.1], loopCount: 0), passLimit: 1).shown == [0, 1])
    #expect(await play(try animated([0.1, 0.1], loopCount: 0), passLimit: 3).shown == [0, 1, 0, 1, 0, 1])
    #expect(await play(try animated([0.1, 0.1], loopCount: 2), passLimit: 9).shown == [0, 1, 0, 1])
  }

  @Test("Drawing time is part of the delay of a frame")
  func drawingTime() async throws {
    let (_, times, _) = await play(try animated([0.1, 0.1, 0.1], loopCount: 1), cost: 0.04)
    #expect(times == [0, 0.1, 0.2])
  }

  @Test("Frames without a delay have a hundredth of a second")
  func noDelay() async throws {
    let (shown, times, _) = await play(try animated([0, 0, 0, 0], loopCount: 0), most: 10)
    #expect(shown.count == 10)
    for (time, next) in zip(times, times.dropFirst()) { #expect(next - time >= 0.0099) }
  }

  @Test("An animation that exceeds the memory limit is not played")
  func noRoom() async throws {
    let (shown, _, isShown) = await play(try animated([0.1, 0.1], loopCount: 0, limit: 10))
    #expect(shown.isEmpty)
    #expect(!isShown)
  }

  @Test("All frames are shown even if only two fit into memory")
  func window() async throws {
    // Two canvases and two frames of 16 bytes.
    let (shown, _, _) = await play(try animated([0.1, 0.1, 0.1, 0.1, 0.1], loopCount: 2, limit: 64))
    #expect(shown == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
  }

  @Test("After a damaged frame, the next loop starts")
  func damaged() async throws {
    let frames = (0..<4).map { number in
      Bitmap.make(20, 20) { x, y in [UInt8((x * 12 + number * 50) & 255), UInt8(y * 12), 99, 255] }
    }
    let animation = try #require(Animation(frames: frames, delays: [0.1, 0.1, 0.1, 0.1]))
    let whole = try GIFWriter().encode(animation)
    let data = whole.prefix(whole.count * 3 / 5)
    let first = Bitmap.plain(20, 20, 0, 0, 0)
    let container = ImageContainer(image: first, type: .gif, data: data)
    let image = try #require(AnimatedImage(container))
    var shown: [Int] = []
    let playback = TerminalPlayback(image: image, passLimit: 2, clock: fake.clock())
    _ = await playback.run { frame in
      shown.append(frame.index)
      return shown.count < 50
    }
    let playable = image.playableFrameCount
    try #require(playable > 0 && playable < 4)
    #expect(shown.count <= 2 * playable)
    #expect(shown.prefix(playable) == Array(0..<playable)[...])
  }
}
