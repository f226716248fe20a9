#if Combine
  import Foundation
  import Nuke
  import NukeCombine
  import NukeTesting
  import OpenCombine
  import Testing

  /// Asks for as many values as a test says, and notes what comes.
  private final class Recorder: Subscriber, @unchecked Sendable {
    typealias Input = ImageResponse
    typealias Failure = ImagePipeline.Error

    let log = CallLog()
    private(set) var subscription: (any Subscription)?
    private(set) var responses: [ImageResponse] = []
    private(set) var completion: Subscribers.Completion<ImagePipeline.Error>?
    private let initial: Subscribers.Demand

    init(asking initial: Subscribers.Demand = .unlimited) { self.initial = initial }

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      if initial > 0 { subscription.request(initial) }
    }

    func receive(_ response: ImageResponse) -> Subscribers.Demand {
      responses.append(response)
      log.append(response.isPreview ? "preview" : "image")
      return .none
    }

    func receive(completion: Subscribers.Completion<ImagePipeline.Error>) {
      self.completion = completion
      log.append("end")
    }
  }

  @Suite("The image publisher", .timeLimit(.minutes(1)))
  struct ImagePublisherTests {
    let url = URL(string: "http://pictures.test/a")!
    let loader = FakeDataLoader { _ in .data(SampleImage.png(width: 4, height: 3)) }

    @Test("It delivers a loaded image, then the completion")
    func loading() async {
      let recorder = Recorder()
      ImagePipeline.fake(loader: loader).imagePublisher(with: url).subscribe(recorder)
      #expect(await recorder.log.entries(count: 2) == ["image", "end"])
      #expect(recorder.responses.first?.image.pixelWidth == 4)
      #expect(recorder.responses.first?.request.url == url)
    }

    @Test("It delivers an image in the memory cache before subscribing returns")
    func memory() {
      let pipeline = ImagePipeline.fake(loader: loader)
      pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 7, height: 1))
      let recorder = Recorder()
      pipeline.imagePublisher(with: ImageRequest(url: url)).subscribe(recorder)
      #expect(recorder.log.entries == ["image", "end"])
      #expect(recorder.responses.first?.cacheType == .memory)
      #expect(loader.requests.isEmpty)
    }

    @Test("It fails with the pipeline's error")
    func failure() async throws {
      loader.answer(url, with: .failure(FakeDataLoader.Failure.noAnswer(nil)))
      let recorder = Recorder()
      ImagePipeline.fake(loader: loader).imagePublisher(with: url).subscribe(recorder)
      #expect(await recorder.log.entries(count: 1) == ["end"])
      guard case .failure(.dataLoadingFailed(let error)) = try #require(recorder.completion) else {
        Issue.record("\(recorder.completion!)")
        return
      }
      #expect(error as? FakeDataLoader.Failure == .noAnswer(nil))
    }

    @Test("It delivers a failure without any demand")
    func failureWithoutDemand() {
      let pipeline = ImagePipeline.fake(loader: loader)
      pipeline.invalidate()
      let recorder = Recorder(asking: .none)
      pipeline.imagePublisher(with: url).subscribe(recorder)
      // Nothing is loaded before something is asked for.
      #expect(recorder.log.entries == [])
      recorder.subscription?.request(.max(1))
      #expect(recorder.log.entries == ["end"])
    }

    @Test("It starts a load for each subscriber, at its first demand")
    func laziness() async {
      let pipeline = ImagePipeline.fake(loader: loader, imageCache: nil)
      let publisher = pipeline.imagePublisher(with: url)
      let recorders = [Recorder(asking: .none), Recorder(asking: .none)]
      for recorder in recorders { publisher.subscribe(recorder) }
      #expect(pipeline.load == (0, 0))
      for (count, recorder) in recorders.enumerated() {
        recorder.subscription?.request(.max(1))
        await recorder.log.entries(count: 2)
        #expect(loader.requests.count == count + 1)
      }
    }

    @Test("It cancels the load with the subscription, and delivers nothing more")
    func cancellation() async {
      let gate = Gate()
      loader.answer(url, with: .data(SampleImage.png(width: 4, height: 4)).held(by: gate))
      let pipeline = ImagePipeline.fake(loader: loader)
      let recorder = Recorder()
      pipeline.imagePublisher(with: url).subscribe(recorder)
      await loader.requests(count: 1)
      recorder.subscription?.cancel()
      recorder.subscription?.cancel()
      #expect(await loader.cancelledRequests(count: 1).count == 1)
      #expect(pipeline.load == (0, 0))
      gate.open()
      recorder.subscription?.request(.unlimited)
      #expect(recorder.log.entries == [])
    }

    @Test("It cancels the load when the last reference to the subscription of a sink is released")
    func release() async {
      let gate = Gate()
      loader.answer(url, with: .data(SampleImage.png(width: 4, height: 4)).held(by: gate))
      let pipeline = ImagePipeline.fake(loader: loader)
      var subscription: AnyCancellable? = pipeline.imagePublisher(with: url)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      await loader.requests(count: 1)
      #expect(subscription != nil)
      subscription = nil
      #expect(await loader.cancelledRequests(count: 1).count == 1)
    }

    @Test("It loads nothing if it is canceled before any demand")
    func earlyCancellation() {
      let recorder = Recorder(asking: .none)
      ImagePipeline.fake(loader: loader).imagePublisher(with: url).subscribe(recorder)
      recorder.subscription?.cancel()
      recorder.subscription?.request(.unlimited)
      #expect(loader.requests.isEmpty)
      #expect(recorder.log.entries == [])
    }

    @Test("It delivers a preview before the image if there is enough demand", arguments: [1, 2])
    func previews(demand: Int) async {
      let gate = Gate()
      loader.answer(url, with: .data(SampleImage.png(width: 4, height: 4)).held(by: gate))
      let pipeline = ImagePipeline.fake(loader: loader)
      // What another load has left.
      pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 1, height: 1), isPreview: true)
      let recorder = Recorder(asking: .max(demand))
      pipeline.imagePublisher(with: url).subscribe(recorder)
      #expect(recorder.log.entries == ["preview"])
      let task = pipeline.imageTask(with: url)
      gate.open()
      _ = try? await task.image
      if demand == 1 {
        // The image waits until it is asked for.
        #expect(recorder.log.entries == ["preview"])
        recorder.subscription?.request(.max(1))
      }
      #expect(await recorder.log.entries(count: 3) == ["preview", "image", "end"])
    }

    @Test("It can be combined with operators")
    func operators() async {
      let log = CallLog()
      let pipeline = ImagePipeline.fake(loader: loader)
      let subscription = pipeline.imagePublisher(with: url)
        .map { $0.image.pixelWidth }
        .replaceError(with: -1)
        .sink { log.append("\($0)") }
      #expect(await log.entries(count: 1) == ["4"])
      withExtendedLifetime(subscription) {}
    }
  }
#endif
