import Foundation
import Nuke
import NukeTesting
import Testing

extension ManualTime {
  fileprivate func limiter(rate: Int = 80, burst: Int = 25) -> RateLimiter {
    RateLimiter(rate: rate, burst: burst, clock: clock, timer: timer)
  }
}

private final class Waiter: RateLimiter.Waiter {
  private let name: String
  private let log: CallLog
  private let wants = Lock(true)

  init(_ name: String, _ log: CallLog) {
    self.name = name
    self.log = log
  }

  var wantsToken: Bool { wants.withLock { $0 } }
  func hasToken() { log.append(name) }
  func leave() { wants.withLock { $0 = false } }
}

@Suite("A rate limiter", .timeLimit(.minutes(1)))
struct RateLimiterTests {
  private let time = ManualTime()
  private let log = CallLog()

  private func waiters(_ count: Int) -> [Waiter] { (0..<count).map { Waiter("\($0)", log) } }

  @Test("A burst passes at once, and the others at 80 a second in order")
  func rate() {
    let limiter = time.limiter()
    let taken = waiters(30).map { limiter.take($0) }
    #expect(taken.filter { $0 }.count == 25)
    #expect(taken.prefix(25).allSatisfy { $0 })
    #expect(time.log.entries == ["12.5"])
    time.pass(milliseconds: 12.4)
    #expect(log.entries == [])
    time.pass(milliseconds: 0.1)
    #expect(log.entries == ["25"])
    time.pass(milliseconds: 25)
    #expect(log.entries == ["25", "26", "27"])
    time.pass(milliseconds: 1000)
    #expect(log.entries == ["25", "26", "27", "28", "29"])
  }

  @Test("Tokens accumulate in a pause, up to a burst")
  func pause() {
    let limiter = time.limiter(burst: 3)
    for _ in 0..<3 { #expect(limiter.take(Waiter("", log))) }
    time.pass(milliseconds: 30)
    // Two and a bit have come.
    #expect(waiters(3).map { limiter.take($0) } == [true, true, false])
    time.pass(milliseconds: 60_000)
    #expect(waiters(4).map { limiter.take($0) } == [true, true, true, false])
  }

  @Test("No timer is set while there are tokens, nor after the last waiter was served")
  func timers() {
    let limiter = time.limiter(burst: 1)
    #expect(limiter.take(Waiter("a", log)))
    #expect(time.log.entries == [])
    #expect(limiter.take(Waiter("b", log)) == false)
    time.pass(milliseconds: 1000)
    #expect(log.entries == ["b"])
    #expect(time.log.entries.count == 1)
  }

  @Test("A canceled request gets no token")
  func cancellation() {
    let limiter = time.limiter(burst: 1)
    let waiters = waiters(5)
    for waiter in waiters { _ = limiter.take(waiter) }
    for waiter in waiters[1...3] { waiter.leave() }
    time.pass(milliseconds: 12.5)
    #expect(log.entries == ["4"])
  }

  @Test("Canceled requests do not delay new ones")
  func newcomer() {
    let limiter = time.limiter(burst: 2)
    let waiters = waiters(3)
    #expect(waiters.map { limiter.take($0) } == [true, true, false])
    waiters[2].leave()
    let late = Waiter("late", log)
    #expect(limiter.take(late) == false)
    time.pass(milliseconds: 12.5)
    #expect(log.entries == ["late"])
  }

  @Test("Every token is used once with many threads")
  func threads() async {
    let limiter = time.limiter(burst: 10)
    let taken = await withTaskGroup(of: Int.self) { group in
      for user in 0..<8 {
        group.addTask {
          (0..<50).filter { limiter.take(Waiter("\(user).\($0)", log)) }.count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(taken == 10)
    time.pass(milliseconds: 390 * 12.5)
    #expect(log.entries.count == 390)
    #expect(Set(log.entries).count == 390)
  }

  @Suite("The rate limiter of a pipeline", .timeLimit(.minutes(1)))
  struct OfPipeline {
    private let time = ManualTime()
    private let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 4)) }

    private func pipeline(
      burst: Int, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
      let configuration = ImagePipeline.Configuration.fake(loader: loader, imageCache: nil) {
        $0.isRateLimiterEnabled = true
        configure(&$0)
      }
      return ImagePipeline(
        configuration: configuration, decodeBudget: DecodeBudget(limit: 1 << 20),
        rateLimiter: time.limiter(burst: burst))
    }

    @Test("The rate limiter is enabled by default")
    func byDefault() {
      #expect(ImagePipeline.Configuration(dataLoader: loader).isRateLimiterEnabled)
    }

    @Test("Downloads above the burst wait for their turn")
    func waiting() async throws {
      let pipeline = pipeline(burst: 2)
      let tasks = ["a", "b", "c"].map { pipeline.imageTask(with: imageURL($0)) }
      await time.log.entries(count: 1)
      await loader.requests(count: 2)
      #expect(loader.requests.count == 2)
      time.pass(milliseconds: 12.5)
      for task in tasks { _ = try await task.image }
      #expect(loader.requests.count == 3)
    }

    @Test("A load that was canceled while waiting takes no token, and releases its slot")
    func cancellation() async throws {
      let pipeline = pipeline(burst: 1) { $0.dataLoadingQueue.maxConcurrentOperationCount = 1 }
      _ = try await pipeline.image(for: imageURL("a"))
      let waiting = pipeline.imageTask(with: imageURL("b"))
      await time.log.entries(count: 1)
      waiting.cancel()
      let next = pipeline.imageTask(with: imageURL("c"))
      #expect(await loadFailure(try await waiting.image) != nil)
      // One token comes, and no timer is set after it: there is none for this load if the other took it.
      time.pass(milliseconds: 12.5)
      _ = try await next.image
      #expect(loader.requests.map { $0.url!.lastPathComponent } == ["a", "c"])
      #expect(pipeline.load == (0, 0))
    }

    @Test("Local sources, closures and requests that skip the queue do not count")
    func exemptions() async throws {
      let pipeline = pipeline(burst: 1)
      let png = SampleImage.png(width: 2, height: 2)
      for number in 0..<3 {
        _ = try await pipeline.image(for: URL(string: "data:image/png;base64,\(png.base64EncodedString())")!)
        _ = try await pipeline.image(for: ImageRequest(id: "\(number)", data: { png }))
        _ = try await pipeline.image(
          for: ImageRequest(url: imageURL("\(number)"), options: .skipDataLoadingQueue))
      }
      _ = try await pipeline.image(for: imageURL("first"))
      #expect(time.log.entries == [])
      #expect(loader.requests.count == 4)
    }

    @Test("The rate limiter can be disabled")
    func off() async throws {
      let pipeline = pipeline(burst: 1) { $0.isRateLimiterEnabled = false }
      for number in 0..<5 { _ = try await pipeline.image(for: imageURL("\(number)")) }
      #expect(time.log.entries == [])
    }
  }
}
