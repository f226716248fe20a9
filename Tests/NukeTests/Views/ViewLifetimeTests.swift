import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Released views", .serialized, .timeLimit(.minutes(1)))
@MainActor struct ViewLifetimeTests {
  let url = imageURL("held.png")
  let other = imageURL("other.png")
  let gate = Gate()
  let loader = FakeDataLoader()
  let log = CallLog()
  var options = ImageLoadingOptions()

  init() {
    loader.answer(
      url, with: .data(SampleImage.png(width: 8, height: 8), chunkSize: 40).held(by: gate, afterChunks: 1))
    loader.answer(other, with: .data(SampleImage.png(width: 16, height: 8)))
    options.pipeline = .fake(loader: loader)
  }

  /// A view as version 13 has it, which stores nothing for its loads.
  private final class PlainView: Nuke_ImageDisplaying {
    var image: PlatformImage?
    var data: Data?
    func nuke_display(image: PlatformImage?, data: Data?) {
      self.image = image
      self.data = data
    }
  }

  private func load(_ url: URL, into view: any ImageDisplaying) {
    loadImage(with: url, options: options, into: view) { [log] result in
      log.append("\((try? result.get().image.pixelWidth) ?? 0)")
    }
  }

  // MARK: With a slot

  @Test("Releasing a view cancels its load immediately")
  func cancelled() async {
    var view: FakeImageView? = FakeImageView()
    weak let observed = view
    load(url, into: view!)
    await loader.requests(count: 1)
    view = nil
    #expect(observed == nil)
    #expect(options.pipeline?.load.jobs == 0)
    await loader.cancelledRequests(count: 1)
    gate.open()
    await mainQueueDone()
    #expect(log.entries.isEmpty)
  }

  @Test("Releasing a view on another thread cancels its load")
  func cancelledElsewhere() async {
    let box = Lock<FakeImageView?>(FakeImageView())
    load(url, into: box.withLock { $0! })
    await loader.requests(count: 1)
    await Task.detached { box.withLock { $0 = nil } }.value
    #expect(options.pipeline?.load.jobs == 0)
    await loader.cancelledRequests(count: 1)
  }

  // MARK: Without one

  @Test("Nuke 13 views receive images and their data")
  func plain() async {
    let view = PlainView()
    loader.answer(other, with: .data(SampleGIF.data(grays: [0, 255])))
    load(other, into: view)
    await log.entries(count: 1)
    #expect(view.image != nil)
    #expect(view.data == SampleGIF.data(grays: [0, 255]))
    #expect(!ImageLoadingSlot.isKept(at: ObjectIdentifier(view)))
  }

  @Test("Without a slot, the load is canceled when the next data arrives", arguments: [false, true])
  func cancelledAtAnEvent(hasProgress: Bool) async throws {
    // The rest of the data never comes.
    let rest = Gate()
    loader.answer(
      url,
      with: .data(SampleImage.png(width: 8, height: 8), chunkSize: 20).held(by: rest, afterChunks: 2)
        .held(by: gate, afterChunks: 1))
    var view: PlainView? = PlainView()
    let pipeline = ImagePipeline.fake(loader: loader)
    var options = options
    options.pipeline = pipeline
    loadImage(
      with: url, options: options, into: view!, progress: hasProgress ? { _, _, _ in } : nil, completion: { _ in })
    await loader.requests(count: 1)
    let place = ObjectIdentifier(view!)
    #expect(ImageLoadingSlot.isKept(at: place))
    view = nil
    gate.open()
    await loader.cancelledRequests(count: 1)
    #expect(!ImageLoadingSlot.isKept(at: place))
    #expect(pipeline.load.jobs == 0)
    #expect(log.entries.isEmpty)
  }

  @Test("Without a slot, the load is canceled when other such views start loads")
  func swept() throws {
    let pipeline = try #require(options.pipeline)
    var others: [PlainView] = []
    for _ in 0..<10 {
      do {
        let views = (0..<50).map { _ in PlainView() }
        for view in views { load(url, into: view) }
      }
      // Take the places in memory that have become free, so that no load goes because another one needs its own.
      others += (0..<80).map { _ in PlainView() }
    }
    // Fifty are alive at a time, and the table is swept when it has twice as many and a few more.
    #expect((50..<200).contains(pipeline.load.subscriptions))
    gate.open()
    withExtendedLifetime(others) {}
  }

  @Test("A load is not inherited by another view at the same address")
  func placeTakenOver() async throws {
    let pipeline = try #require(options.pipeline)
    // Nothing is waited for here: memory is taken again by the thread that gave it back, as a rule at once.
    var views: [PlainView] = []
    var place: ObjectIdentifier?
    for _ in 0..<1000 where place == nil || views.last.map(ObjectIdentifier.init) != place {
      var old: PlainView? = PlainView()
      place = ObjectIdentifier(old!)
      load(url, into: old!)
      old = nil
      views.append(PlainView())
    }
    let view = try #require(views.last)
    try #require(ObjectIdentifier(view) == place)
    #expect(ImageLoadingSlot.isKept(at: ObjectIdentifier(view)))
    cancelRequest(for: view)
    #expect(pipeline.load.subscriptions > 0)
    // The old load goes with its slot, whose place the new one needs.
    load(other, into: view)
    gate.open()
    #expect(await log.entries(count: 1) == ["16"])
    #expect(view.image?.pixelWidth == 16)
    #expect(!ImageLoadingSlot.isKept(at: ObjectIdentifier(view)))
    await mainQueueDone()
    #expect(log.entries == ["16"])
  }

  @Test("An object that only the load of a released view refers to may start a load", arguments: [false, true])
  func loadWhenReleased(isSwept: Bool) async {
    let view = PlainView()
    do {
      let canary = Canary { MainActor.assumeIsolated { load(other, into: view) } }
      loadImage(with: url, options: options, into: PlainView()) { _ in withExtendedLifetime(canary) {} }
    }
    // One of them takes the address of the released view, whose load then ends only when the table is swept.
    let others = isSwept ? (0..<80).map { _ in PlainView() } : []
    let views = (0..<1000).map { _ in PlainView() }
    for view in views { load(url, into: view) }
    gate.open()
    #expect(await log.entries(count: 1001).count { $0 == "16" } == 1)
    #expect(view.image?.pixelWidth == 16)
    withExtendedLifetime((others, views)) {}
  }

  @Test("A view without a slot can be reused and canceled too")
  func reuse() async {
    let view = PlainView()
    load(url, into: view)
    await loader.requests(count: 1)
    load(other, into: view)
    await loader.cancelledRequests(count: 1)
    #expect(await log.entries(count: 1) == ["16"])
    load(url, into: view)
    await loader.requests(count: 3)
    cancelRequest(for: view)
    await loader.cancelledRequests(count: 2)
    #expect(!ImageLoadingSlot.isKept(at: ObjectIdentifier(view)))
    #expect(log.entries == ["16"])
  }
}
