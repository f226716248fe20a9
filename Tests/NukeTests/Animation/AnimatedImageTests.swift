import Foundation
import Nuke
import NukeTesting
import Testing

extension HoldingWorkers {
  @Suite("An animated image", .timeLimit(.minutes(1)))
  struct AnimatedImageTests {
    /// Room for anything these tests play.
    let store = FrameStore(limit: 1 << 20)
    let gate = Gate()
    let told = CallLog()

    private func image(
      _ fake: FakeAnimation, in store: FrameStore? = nil,
      onFailure: (@Sendable (AnimatedImage.Error) -> Void)? = nil
    ) -> AnimatedImage {
      AnimatedImage(fake.animation, store: store ?? self.store, onFailure: onFailure)
    }

    /// A source of memory pressure that the test speaks through.
    private final class Reporter: Sendable {
      private let body = Lock<(@Sendable (MemoryPressure.Level) -> Void)?>(nil)
      func keep(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) { body.withLock { $0 = report } }
      func report(_ level: MemoryPressure.Level) { body.withLock { $0 }?(level) }
    }

    /// What `body` throws; `nil` if it returns.
    private func failure(of body: () async throws -> Animation.Frame) async -> String? {
      do {
        _ = try await body()
        return nil
      } catch {
        return "\(error)"
      }
    }

    @Test("The size and the number of frames are known before anything is decoded")
    func facts() {
      let fake = FakeAnimation(frames: 3, delay: 0.25, loopCount: 4)
      let image = image(fake)
      #expect(image.frameCount == 3)
      #expect(image.playableFrameCount == 3)
      #expect(image.duration == 0.75)
      #expect(image.loopCount == 4)
      #expect(image.delay(of: 2) == 0.25)
      #expect(image.failure == nil)
      #expect(fake.log.entries == [])
      #expect(store.bookedByteCount == 0)
    }

    @Test("A requested frame is decoded on a worker, and the next one in advance")
    func demand() async throws {
      let fake = FakeAnimation(frames: 4)
      let image = image(fake)
      #expect(image.frame(at: 0) == nil)
      await fake.log.entries(count: 3)
      #expect(fake.log.entries == ["open", "read 0", "read 1"])
      #expect(try await image.loadFrame(at: 1).gray == 1)
      #expect(image.frame(at: 0)?.gray == 0)
      #expect(image.frame(at: 1)?.delay == 0.1)
    }

    @Test("If there is room for all frames, each is decoded once")
    func all() async throws {
      let fake = FakeAnimation(frames: 3)
      let image = image(fake)
      for _ in 0..<3 {
        for index in 0..<3 { #expect(try await image.loadFrame(at: index).gray == index) }
      }
      #expect(fake.log.entries == ["open", "read 0", "read 1", "read 2"])
      #expect(store.bookedByteCount == fake.wholeByteCount)
      #expect(store.keptByteCount == 3 * FakeAnimation.frameByteCount)
    }

    @Test("If there is no room for all frames, two are kept, and each loop is decoded again")
    func window() async throws {
      let fake = FakeAnimation(frames: 9)
      let store = FrameStore(limit: fake.wholeByteCount - 1)
      let image = image(fake, in: store)
      for _ in 0..<2 {
        for index in 0..<9 {
          #expect(try await image.loadFrame(at: index).gray == index)
          #expect(store.keptByteCount <= 2 * FakeAnimation.frameByteCount)
        }
      }
      await fake.log.entries(count: 22)
      let pass = (0..<9).map { "read \($0)" }
      let expected: [[String]] = [["open"], pass, ["rewind"], pass, ["rewind", "read 0"]]
      #expect(fake.log.entries == expected.flatMap { $0 })
      #expect(store.bookedByteCount == FakeAnimation.windowByteCount)
    }

    @Test("A new animation takes memory from an existing one within the shared budget")
    func twoAnimations() async throws {
      let (a, b) = (FakeAnimation(frames: 10), FakeAnimation(frames: 10))
      let store = FrameStore(limit: a.wholeByteCount + FakeAnimation.windowByteCount)
      let first = image(a, in: store)
      for index in 0..<10 { _ = try await first.loadFrame(at: index) }
      #expect(store.keptByteCount == 10 * FakeAnimation.frameByteCount)
      let second = image(b, in: store)
      for index in 0..<10 {
        #expect(try await second.loadFrame(at: index).gray == index)
        #expect(try await first.loadFrame(at: index).gray == index)
        #expect(store.bookedByteCount <= store.limit)
        #expect(store.keptByteCount <= 12 * FakeAnimation.frameByteCount)
      }
      for index in 0..<10 { _ = try await second.loadFrame(at: index) }
      #expect(b.log.entries.filter { $0.hasPrefix("read") }.count == 10)
      #expect(a.log.entries.filter { $0 == "read 5" }.count == 2)
    }

    @Test("A released animation returns its memory, and another one uses it")
    func release() async throws {
      let (a, b) = (FakeAnimation(frames: 10), FakeAnimation(frames: 10))
      let store = FrameStore(limit: a.wholeByteCount + FakeAnimation.windowByteCount)
      let first = image(a, in: store)
      _ = try await first.loadFrame(at: 0)
      var second: AnimatedImage? = image(b, in: store)
      _ = try await second?.loadFrame(at: 0)
      #expect(store.bookedByteCount == store.limit)
      second = nil
      #expect(store.count == 1)
      #expect(store.bookedByteCount == a.wholeByteCount)
      for _ in 0..<2 {
        for index in 0..<10 { _ = try await first.loadFrame(at: index) }
      }
      #expect(a.log.entries.filter { $0 == "read 5" }.count == 1)
    }

    @Test("An animation and its frame are released while the frame is being decoded")
    func releaseWhileDecoding() async throws {
      let fake = FakeAnimation(frames: 3, gate: gate)
      var image: AnimatedImage? = image(fake)
      image?.loadFrame(at: 0) { told.append("\($0.error.map { "\($0)" } ?? "a frame")") }
      await gate.arrivals(count: 1)
      image = nil
      #expect(told.entries == ["the request for the frame was canceled"])
      #expect(store.count == 0)
      gate.open()
      // Behind the decode that was under way nothing is left to do.
      let behind = self.image(FakeAnimation(frames: 1))
      _ = try await behind.loadFrame(at: 0)
      #expect(fake.log.entries == ["open", "read 0"])
      #expect(store.keptByteCount <= FakeAnimation.frameByteCount)
    }

    @Test("The frames before a damaged one are played, and the failure is reported once", arguments: [true, false])
    func damage(hasRoom: Bool) async throws {
      let fake = FakeAnimation(frames: 5, damaged: 2)
      let store = FrameStore(limit: hasRoom ? 1 << 20 : FakeAnimation.windowByteCount)
      let image = image(fake, in: store) { told.append("\($0)") }
      for _ in 0..<2 {
        #expect(try await image.loadFrame(at: 0).gray == 0)
        #expect(try await image.loadFrame(at: 1).gray == 1)
        #expect(await failure { try await image.loadFrame(at: 2) } == "frame 2: Damage(frame: 2)")
        #expect(await failure { try await image.loadFrame(at: 4) } == "frame 2: Damage(frame: 2)")
      }
      await told.entries(count: 1)
      #expect(told.entries == ["frame 2: Damage(frame: 2)"])
      #expect(fake.log.entries.filter { $0.hasSuffix(" 2") }.count == 1)
      #expect(image.playableFrameCount == 2)
      guard case .frameFailed(index: 2, error: let error)? = image.failure else { throw Unexpected("no failure") }
      #expect(error as? FakeAnimation.Damage == .init(frame: 2))
      var player = AnimatedImage.Player(image)
      _ = try await image.loadFrame(at: 0)
      #expect(player.advance(to: 0)?.gray == 0)
      _ = try await image.loadFrame(at: 1)
      #expect(player.advance(to: 0.1)?.gray == 1)
      _ = try await image.loadFrame(at: 0)
      #expect(player.advance(to: 0.2)?.gray == 0)
    }

    @Test("Iterating delivers each frame once per loop, and throws once at a damaged frame")
    func sequence() async throws {
      var grays: [Int] = []
      for try await frame in image(FakeAnimation(frames: 4)).frames { grays.append(frame.gray) }
      #expect(grays == [0, 1, 2, 3])

      var frames = image(FakeAnimation(frames: 4, damaged: 1)).frames.makeAsyncIterator()
      #expect(try await frames.next()?.gray == 0)
      await #expect(throws: AnimatedImage.Error.self) { try await frames.next() }
      #expect(try await frames.next() == nil)
    }

    @Test("A canceled request decodes nothing")
    func cancellation() async throws {
      let fake = FakeAnimation(frames: 9, gate: gate)
      let image = image(fake)
      let wait = image.loadFrame(at: 5) { told.append("\($0.error.map { "\($0)" } ?? "a frame")") }
      await gate.arrivals(count: 1)
      wait.cancel()
      wait.cancel()
      #expect(told.entries == ["the request for the frame was canceled"])
      gate.open()
      #expect(try await image.loadFrame(at: 1).gray == 1)
      await fake.log.entries(count: 4)
      #expect(fake.log.entries == ["open", "skip 0", "read 1", "read 2"])
      #expect(told.entries == ["the request for the frame was canceled"])
    }

    @Test("Canceling a task ends its wait, before and during it")
    func taskCancellation() async throws {
      let fake = FakeAnimation(frames: 2, gate: gate)
      let image = image(fake)
      let waiting = Task { await failure { try await image.loadFrame(at: 0) } }
      await gate.arrivals(count: 1)
      waiting.cancel()
      #expect(await waiting.value == "the request for the frame was canceled")
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure { try await image.loadFrame(at: 1) }
      }
      #expect(await late.value == "the request for the frame was canceled")
      gate.open()
    }

    @Test("A decoded frame is delivered immediately")
    func callback() async throws {
      let image = image(FakeAnimation(frames: 2))
      _ = try await image.loadFrame(at: 0)
      image.loadFrame(at: 0) { told.append("\((try? $0.get())?.gray ?? -1)") }
      #expect(told.entries == ["0"])
    }

    @Test("Stopping releases frames and reader, and a request starts again")
    func stop() async throws {
      let fake = FakeAnimation(frames: 9, gate: gate)
      let image = image(fake)
      image.loadFrame(at: 3) { told.append("\($0.error.map { "\($0)" } ?? "a frame")") }
      await gate.arrivals(count: 1)
      image.stop()
      #expect(told.entries == ["the request for the frame was canceled"])
      gate.open()
      #expect(store.bookedByteCount == 0)
      #expect(store.keptByteCount == 0)
      #expect(try await image.loadFrame(at: 3).gray == 3)
      #expect(store.bookedByteCount == fake.wholeByteCount)
    }

    @Test("Under memory pressure the current and the next frame are kept, and playback continues")
    func pressure() async throws {
      let report = Reporter()
      let watch = MemoryPressure(source: { report.keep($0) })
      let store = FrameStore(limit: 1 << 20, pressure: watch)
      let fake = FakeAnimation(frames: 9)
      let image = image(fake, in: store)
      for index in 0..<9 { _ = try await image.loadFrame(at: index) }
      _ = image.frame(at: 4)
      report.report(.moderate)
      #expect(store.keptByteCount == 2 * FakeAnimation.frameByteCount)
      #expect(store.bookedByteCount == FakeAnimation.windowByteCount)
      #expect(image.frame(at: 4)?.gray == 4)
      #expect(image.frame(at: 5)?.gray == 5)
      #expect(try await image.loadFrame(at: 8).gray == 8)
    }

    @Test("An animation without room is not played until there is room")
    func noRoom() async throws {
      let fake = FakeAnimation(frames: 2)
      let store = FrameStore(limit: FakeAnimation.windowByteCount - 1)
      let image = image(fake, in: store)
      let error = await failure { try await image.loadFrame(at: 0) }
      #expect(error == "playing it needs 64 bytes, more than is available of the 63 bytes for all animations")
      #expect(image.frame(at: 0) == nil)
      #expect(fake.log.entries == [])
      store.limit = FakeAnimation.windowByteCount
      #expect(try await image.loadFrame(at: 0).gray == 0)
    }

    @Test("The reader is released once all frames are decoded")
    func readerIsReleased() async throws {
      // With one slot another one's second frame comes behind the release.
      let store = FrameStore(limit: 1 << 20, queue: TaskQueue(maxConcurrentOperationCount: 1))
      let fake = FakeAnimation(frames: 2)
      let image = image(fake, in: store)
      for index in 0..<2 { _ = try await image.loadFrame(at: index) }
      let behind = self.image(FakeAnimation(frames: 3), in: store)
      for index in 0..<3 { _ = try await behind.loadFrame(at: index) }
      #expect(fake.readerCount == 0)
      #expect(image.frame(at: 1)?.gray == 1)
    }

    @Test("The player shows each frame in order, late frames late, and stops at the end")
    func player() async throws {
      let fake = FakeAnimation(frames: 3, delay: 1, loopCount: 1)
      let image = image(fake)
      var player = AnimatedImage.Player(image)
      #expect(player.advance(to: 0) == nil)
      #expect(player.nextChange == nil)
      _ = try await image.loadFrame(at: 0)
      #expect(player.advance(to: 5)?.gray == 0)
      #expect(player.nextChange == 6)
      #expect(player.advance(to: 5.5) == nil)
      _ = try await image.loadFrame(at: 1)
      #expect(player.advance(to: 6)?.gray == 1)
      _ = try await image.loadFrame(at: 2)
      #expect(!player.isFinished)
      #expect(player.advance(to: 7.25)?.gray == 2)
      #expect(player.isFinished)
      #expect(player.nextChange == nil)
      #expect(player.advance(to: 99) == nil)
    }

    @Test("Concurrent requests, cancellations and releases are safe")
    func stress() async throws {
      let fakes = (0..<6).map { FakeAnimation(frames: 4 + $0, damaged: $0 == 3 ? 2 : nil) }
      let store = FrameStore(limit: 400)
      await withTaskGroup(of: Void.self) { group in
        for fake in fakes {
          let shared = image(fake, in: store)
          for seed in 0..<3 {
            group.addTask {
              var random = SeededGenerator(seed: UInt64(seed))
              for round in 0..<150 {
                let image = round % 10 == 0 ? AnimatedImage(fake.animation, store: store) : shared
                let index = Int.random(in: 0..<fake.animation.frameCount, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: _ = image.frame(at: index)
                case 1: image.loadFrame(at: index) { _ in }.cancel()
                case 2: image.loadFrame(at: index) { frame in if let frame = try? frame.get() { _ = frame.gray } }
                case 3: if round % 30 == 0 { image.stop() }
                case 4: if round % 50 == 0 { store.releaseFrames() }
                default:
                  if let frame = try? await image.loadFrame(at: index), frame.gray != index {
                    fake.log.append("a wrong frame")
                  }
                }
              }
            }
          }
        }
      }
      #expect(store.count == 0)
      #expect(store.bookedByteCount == 0)
      #expect(store.keptByteCount == 0)
      for fake in fakes {
        let entries = fake.log.entries
        #expect(!entries.contains("on a wrong thread"))
        #expect(!entries.contains("by two at once"))
        #expect(!entries.contains("a wrong frame"))
      }
    }
  }
}
