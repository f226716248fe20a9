import Dispatch
import Foundation
import NukeLegacy
import NukeTesting
import Testing

@Suite("Loading into targets", .timeLimit(.minutes(1)))
@MainActor struct ManagerTests {
  let first = Request(url: imageURL("first"))
  let second = Request(url: imageURL("second"))
  let image = SampleImage.bitmap(width: 3, height: 2)
  let loader = HeldLoader()
  let cache = Cache(costLimit: 1 << 20)
  let log = CallLog()
  let manager: Manager

  init() { manager = Manager(loader: loader, cache: cache) }

  private final class View: Target {
    let imageLoading = ImageLoadingSlot()
    let log: CallLog
    var image: Image?
    init(_ log: CallLog) { self.log = log }

    func handle(response: Response, isFromMemoryCache: Bool) {
      image = try? response.get()
      log.append("\((image?.pixelWidth).map { "\($0)" } ?? "none") \(isFromMemoryCache)")
    }
  }

  /// A target as version 4 had them, without a slot.
  private final class PlainTarget: Target {
    var image: Image?
    func handle(response: Response, isFromMemoryCache: Bool) { image = try? response.get() }
  }

  /// A view of today, that takes what comes as views do.
  private final class TodaysView: ImageDisplaying, Target {
    let base = FakeImageView()
    var imageLoading: ImageLoadingSlot { base.imageLoading }
    func display(_ presentation: ImagePresentation) { base.display(presentation) }
  }

  private final class AtRelease: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  private func mainQueueDone() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  // MARK: What comes

  @Test("An image in memory is delivered before the call returns")
  func memoryHit() {
    let view = View(log)
    cache[first] = image
    manager.loadImage(with: first, into: view)
    #expect(view.image === image)
    #expect(log.entries == ["3 true"])
    #expect(loader.calls.isEmpty)
  }

  @Test("A loaded image is delivered on the main actor, and stored in memory")
  func loaded() async {
    let view = View(log)
    manager.loadImage(with: imageURL("first"), into: view)
    #expect(log.entries.isEmpty)
    loader.calls[0].fulfill(image)
    #expect(await log.entries(count: 1) == ["3 false"])
    #expect(cache[first] === image)
    manager.loadImage(with: first, into: view)
    #expect(log.entries == ["3 false", "3 true"])
  }

  @Test("The memory cache options of the request apply")
  func memoryOptions() async {
    let view = View(log)
    cache[first] = image
    var request = first
    request.memoryCacheOptions = .init(readAllowed: false, writeAllowed: false)
    let other = SampleImage.bitmap(width: 5, height: 5)
    manager.loadImage(with: request, into: view)
    loader.calls[0].fulfill(other)
    #expect(await log.entries(count: 1) == ["5 false"])
    #expect(cache[first] === image)
  }

  @Test("An error is delivered")
  func failed() async {
    let view = View(log)
    manager.loadImage(with: first, into: view)
    loader.calls[0].reject(Failure(number: 1))
    #expect(await log.entries(count: 1) == ["none false"])
  }

  @Test("A handler can be used with any object")
  func handler() async {
    final class Anything {}
    let anything = Anything()
    let log = log
    manager.loadImage(with: first, into: anything) { response, isFromMemoryCache in
      MainActor.preconditionIsolated()
      log.append("\((try? response.get().pixelWidth) ?? 0) \(isFromMemoryCache)")
    }
    #expect(ImageLoadingSlot.isKept(at: ObjectIdentifier(anything)))
    loader.calls[0].fulfill(image)
    #expect(await log.entries(count: 1) == ["3 false"])
    withExtendedLifetime(anything) {}
  }

  @Test("Views with ImageDisplaying display the image, with a fade unless it was in memory")
  func displaying() async {
    let view = TodaysView()
    manager.loadImage(with: first, into: view)
    loader.calls[0].reject(Failure(number: 1))
    await mainQueueDone()
    #expect(view.base.presentations.isEmpty)
    manager.loadImage(with: first, into: view)
    loader.calls[1].fulfill(image)
    #expect(await view.base.presentations(count: 1).map(\.fadeDuration) == [0.25])
    manager.loadImage(with: first, into: view)
    #expect(view.base.presentations.map(\.isAnimated) == [true, false])
    #expect(view.base.image === image)
  }

  // MARK: What does not

  @Test("A new load cancels the previous one, whose result is not delivered")
  func reuse() async {
    let view = View(log)
    manager.loadImage(with: first, into: view)
    Manager(loader: loader).loadImage(with: second, into: view)
    #expect(loader.calls.map { $0.token?.isCancelling } == [true, false])
    loader.calls[0].fulfill(SampleImage.bitmap(width: 9, height: 9))
    loader.calls[1].fulfill(image)
    await log.entries(count: 1)
    await mainQueueDone()
    #expect(log.entries == ["3 false"])
  }

  @Test("A result is not delivered after another load has begun")
  func late() async {
    let view = View(log)
    cache[second] = image
    manager.loadImage(with: first, into: view)
    loader.calls[0].fulfill(SampleImage.bitmap(width: 9, height: 9))
    manager.loadImage(with: second, into: view)
    await mainQueueDone()
    #expect(log.entries == ["3 true"])
  }

  @Test("An image in memory replaces a load that starts when the old handler is released")
  func loadBeforeHit() async {
    let view = View(log)
    let third = Request(url: imageURL("third"))
    cache[second] = image
    func load(whenReleased body: @escaping @MainActor () -> Void) {
      let atRelease = AtRelease { MainActor.assumeIsolated { body() } }
      manager.loadImage(with: first, into: view) { _, _ in withExtendedLifetime(atRelease) {} }
    }
    load { [manager] in manager.loadImage(with: third, into: view) }
    manager.loadImage(with: second, into: view)
    #expect(loader.calls.map { $0.token?.isCancelling } == [true, true])
    loader.calls[1].fulfill(SampleImage.bitmap(width: 9, height: 9))
    await mainQueueDone()
    #expect(log.entries == ["3 true"])
  }

  @Test("A canceled load delivers nothing")
  func cancelled() async {
    let view = View(log)
    manager.loadImage(with: first, into: view)
    manager.cancelRequest(for: view)
    #expect(loader.calls[0].token?.isCancelling == true)
    await mainQueueDone()
    #expect(log.entries.isEmpty)
  }

  @Test("The load is canceled when the target is deinitialized")
  func destroyed() async {
    var view: View? = View(log)
    manager.loadImage(with: first, into: view!)
    #expect(loader.calls[0].token?.isCancelling == false)
    view = nil
    #expect(loader.calls[0].token?.isCancelling == true)
    await mainQueueDone()
    #expect(log.entries.isEmpty)
  }

  @Test("The handler is not called after a target without a slot was deinitialized")
  func destroyedWithoutSlot() async {
    weak var observed: PlainTarget?
    func load() {
      let target = PlainTarget()
      observed = target
      let log = log
      manager.loadImage(with: first, into: target) { _, _ in log.append("called") }
    }
    load()
    #expect(observed == nil)
    loader.calls[0].fulfill(image)
    await mainQueueDone()
    await mainQueueDone()
    #expect(log.entries.isEmpty)
    #expect(cache[first] === image)
  }

  // MARK: As a loader

  @Test("Without a target, it returns images from memory or from the loader")
  func asLoader() async throws {
    let promise = manager.loadImage(with: first, token: nil)
    loader.calls[0].fulfill(image)
    #expect(try await promise.value === image)
    #expect(try await manager.loadImage(with: first).value === image)
    #expect(loader.calls.count == 1)
    let source = CancellationTokenSource()
    source.cancel()
    await #expect(throws: ImagePipeline.Error.self) {
      try await manager.loadImage(with: second, token: source.token).value
    }
    #expect(loader.calls.count == 1)
  }
}
