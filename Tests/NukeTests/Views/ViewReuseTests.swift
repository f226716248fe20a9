import Dispatch
import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Reused views", .timeLimit(.minutes(1)))
@MainActor struct ViewReuseTests {
  let first = imageURL("first.png")
  let second = imageURL("second.png")
  let gate = Gate()
  let loader: FakeDataLoader
  let loads: CallLog
  let log = CallLog()
  let view: FakeImageView
  let pipeline: ImagePipeline
  var options = ImageLoadingOptions()

  init() {
    loads = CallLog()
    loader = FakeDataLoader(log: loads)
    view = FakeImageView(log: log)
    pipeline = .fake(loader: loader)
    loader.answer(first, with: .data(SampleImage.png(width: 10, height: 10)).held(by: gate))
    loader.answer(second, with: .data(SampleImage.png(width: 20, height: 10)))
    options.pipeline = pipeline
  }

  private func note(_ name: String) -> (Result<ImageResponse, ImagePipeline.Error>) -> Void {
    { [log] result in log.append("\(name) \((try? result.get().image.pixelWidth) ?? 0)") }
  }

  @Test("A new load cancels the old one, of which nothing arrives")
  func reuse() async {
    loadImage(with: first, options: options, into: view, completion: note("first"))
    await loader.requests(count: 1)
    loadImage(with: second, options: options, into: view, completion: note("second"))
    await loader.cancelledRequests(count: 1)
    gate.open()
    await log.entries(count: 4)
    await mainQueueDone()
    #expect(log.entries == ["show nothing", "show nothing", "show success", "second 20"])
    #expect(loader.cancelledRequests.map(\.url) == [first])
  }

  @Test("An image in memory, and a nil request, cancel the old load too")
  func reuseAtOnce() async {
    pipeline.cache[second] = ImageContainer(image: SampleImage.bitmap(width: 20, height: 10))
    loadImage(with: first, options: options, into: view, completion: note("first"))
    await loader.requests(count: 1)
    loadImage(with: second, options: options, into: view, completion: note("second"))
    await loader.cancelledRequests(count: 1)
    loadImage(with: first, options: options, into: view, completion: note("first"))
    await loader.requests(count: 2)
    loadImage(with: nil as URL?, options: options, into: view, completion: note("none"))
    await loader.cancelledRequests(count: 2)
    gate.open()
    await mainQueueDone()
    #expect(log.entries == ["show nothing", "show success", "second 20", "show nothing", "show nothing", "none 0"])
  }

  @Test("Nothing arrives of a load that had ended and was on its way to the view")
  func lateEnd() async {
    gate.open()
    let task = loadImage(
      with: first, options: options, into: view, progress: { [log] _, _, _ in log.append("progress") },
      completion: note("first"))
    // Here nothing gets onto the main queue, while the load ends elsewhere.
    waitBlocking(for: task)
    #expect(task?.state == .completed)
    loadImage(with: nil as URL?, options: options, into: view, completion: note("none"))
    await mainQueueDone()
    await mainQueueDone()
    #expect(log.entries == ["show nothing", "show nothing", "none 0"])
  }

  @Test("After a cancellation nothing arrives, and the view stays unchanged")
  func cancelled() async {
    loadImage(
      with: first, options: options, into: view, progress: { [log] _, _, _ in log.append("progress") },
      completion: note("first"))
    await loader.requests(count: 1)
    cancelRequest(for: view)
    cancelRequest(for: view)
    await loader.cancelledRequests(count: 1)
    gate.open()
    await mainQueueDone()
    #expect(log.entries == ["show nothing"])
  }

  @Test("Canceling the task itself leaves the view unchanged")
  func taskCancelled() async {
    let task = loadImage(with: first, options: options, into: view, completion: note("first"))
    await loader.requests(count: 1)
    task?.cancel()
    await loader.cancelledRequests(count: 1)
    await mainQueueDone()
    #expect(log.entries == ["show nothing"])
    loadImage(with: second, options: options, into: view, completion: note("second"))
    #expect(await log.entries(count: 4).last == "second 20")
  }

  @Test("An equal new load continues the download")
  func sameImage() async {
    loadImage(with: first, options: options, into: view, completion: note("first"))
    await loader.requests(count: 1)
    loadImage(with: first, options: options, into: view, completion: note("again"))
    gate.open()
    await log.entries(count: 4)
    await mainQueueDone()
    #expect(log.entries == ["show nothing", "show nothing", "show success", "again 10"])
    #expect(loads.entries == ["load first.png", "complete first.png"])
  }

  @Test("A completion can start the next load")
  func loadInCompletion() async {
    gate.open()
    loadImage(with: first, options: options, into: view) { [options, view] result in
      note("first")(result)
      loadImage(with: second, options: options, into: view, completion: note("second"))
    }
    let entries = await log.entries(count: 6)
    #expect(entries == ["show nothing", "show success", "first 10", "show nothing", "show success", "second 20"])
  }

  @Test("A view that starts another load while it shows an image receives nothing more of the first")
  func loadWhileDisplaying() async {
    gate.open()
    view.onDisplay = { [options, view, second] presentation in
      guard presentation.phase == .success else { return }
      view.onDisplay = nil
      loadImage(with: second, options: options, into: view, completion: note("second"))
    }
    loadImage(with: first, options: options, into: view, completion: note("first"))
    let entries = await log.entries(count: 5)
    #expect(entries == ["show nothing", "show success", "show nothing", "show success", "second 20"])
  }

  @Test("A view that starts another load while it shows an immediate result receives nothing more of the first")
  func loadWhileDisplayingAtOnce() async {
    pipeline.cache[first] = ImageContainer(image: SampleImage.bitmap(width: 10, height: 10))
    for url in [first, nil] {
      view.onDisplay = { [options, view, second] _ in
        view.onDisplay = nil
        loadImage(with: second, options: options, into: view, completion: note("second"))
      }
      #expect(loadImage(with: url, options: options, into: view, completion: note("first")) == nil)
      await log.entries(count: url == nil ? 8 : 4)
      // The second image is in memory now, and would be shown before the next load returns.
      pipeline.cache[second] = nil
    }
    await mainQueueDone()
    let rest = ["show nothing", "show success", "second 20"]
    #expect(log.entries == ["show success"] + rest + ["show nothing"] + rest)
  }

  @Test("A view that starts another load while it shows a placeholder does not load the first image")
  func loadWhilePreparing() async {
    view.onDisplay = { [options, view, second] _ in
      view.onDisplay = nil
      loadImage(with: second, options: options, into: view, completion: note("second"))
    }
    #expect(loadImage(with: first, options: options, into: view, completion: note("first")) == nil)
    let entries = await log.entries(count: 4)
    await mainQueueDone()
    #expect(entries == ["show nothing", "show nothing", "show success", "second 20"])
    #expect(log.entries == entries)
    #expect(loads.entries == ["load second.png", "complete second.png"])
  }

  @Test("A view that starts another load in a progress closure receives nothing more of the first")
  func loadInProgress() async {
    gate.open()
    loadImage(
      with: first, options: options, into: view,
      progress: { [options, view, second] _, _, _ in
        loadImage(with: second, options: options, into: view, completion: note("second"))
      }, completion: note("first"))
    let entries = await log.entries(count: 4)
    await mainQueueDone()
    #expect(entries == ["show nothing", "show nothing", "show success", "second 20"])
    #expect(log.entries == entries)
  }

  @Test("The closures of a canceled or finished load are released")
  func closuresReleased() async {
    final class Captured: Sendable {}
    weak var captured: Captured?
    func load(_ url: URL) -> ImageTask? {
      let object = Captured()
      captured = object
      return loadImage(
        with: url, options: options, into: view, progress: { _, _, _ in withExtendedLifetime(object) {} },
        completion: { [log] _ in withExtendedLifetime(object) { log.append("done") } })
    }
    let task = load(first)
    #expect(captured != nil)
    cancelRequest(for: view)
    #expect(captured == nil)
    let other = load(second)
    #expect(captured != nil)
    await log.entries(count: 4)
    await mainQueueDone()
    #expect(captured == nil)
    withExtendedLifetime((task, other)) {}
  }

  /// Starts a load whose completion alone refers to an object that calls `body` when it is released.
  private func load(_ url: URL, whenReleased body: @escaping @MainActor () -> Void) {
    let canary = Canary { MainActor.assumeIsolated { body() } }
    loadImage(with: url, options: options, into: view) { _ in withExtendedLifetime(canary) {} }
  }

  @Test("An object that only the old load refers to may cancel the view's load when it is released")
  func cancelWhenReleased() async {
    load(first) { [log, view] in
      log.append("released")
      cancelRequest(for: view)
    }
    await loader.requests(count: 1)
    loadImage(with: second, options: options, into: view, completion: note("second"))
    await loader.cancelledRequests(count: 1)
    await log.entries(count: 5)
    #expect(log.entries == ["show nothing", "released", "show nothing", "show success", "second 20"])
    #expect(loader.cancelledRequests.map(\.url) == [first])
  }

  @Test("An object that only a canceled load refers to may start the view's next load when it is released")
  func loadWhenReleased() async {
    load(first) { [self] in loadImage(with: second, options: options, into: view, completion: note("second")) }
    await loader.requests(count: 1)
    cancelRequest(for: view)
    await loader.cancelledRequests(count: 1)
    await log.entries(count: 4)
    #expect(log.entries == ["show nothing", "show nothing", "show success", "second 20"])
    #expect(loader.cancelledRequests.map(\.url) == [first])
  }

  @Test("An image in memory replaces a load that starts when the closures of the old one are released")
  func loadBeforeHit() async {
    let third = imageURL("third.png")
    loader.answer(third, with: .data(SampleImage.png(width: 30, height: 10)).held(by: gate))
    pipeline.cache[second] = ImageContainer(image: SampleImage.bitmap(width: 20, height: 10))
    load(first) { [self] in loadImage(with: third, options: options, into: view, completion: note("third")) }
    await loader.requests(count: 1)
    loadImage(with: second, options: options, into: view, completion: note("second"))
    gate.open()
    await mainQueueDone()
    await mainQueueDone()
    #expect(log.entries == ["show nothing", "show nothing", "show success", "second 20"])
  }

  /// Keeps this thread, the main one, until `task` has ended.
  private func waitBlocking(for task: ImageTask?) {
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
      _ = try? await task?.response
      ended.signal()
    }
    ended.wait()
  }
}
