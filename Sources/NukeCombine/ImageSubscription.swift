#if Combine
  import Nuke
  import OpenCombine

  /// The load of a subscriber.
  ///
  /// Values wait under the lock for demand. One thread at a time delivers them outside of the lock, which keeps their order.
  final class ImageSubscription: Subscription, @unchecked Sendable {
    typealias Subscriber = AnySubscriber<ImageResponse, ImagePipeline.Error>

    private struct State {
      /// `nil` after the last delivery.
      var subscriber: Subscriber?
      var demand = Subscribers.Demand.none
      var hasStarted = false
      var task: ImageTask?
      /// The latest preview that has not been delivered.
      var preview: ImageResponse?
      var outcome: Result<ImageResponse, ImagePipeline.Error>?
      var isDelivering = false

      mutating func nextDelivery() -> Delivery? {
        guard let subscriber, !isDelivering else { return nil }
        switch outcome {
        case .failure(let error): return end(subscriber, nil, .failure(error))
        case .success(let response): return demand > 0 ? end(subscriber, response, .finished) : nil
        case nil:
          guard demand > 0, let preview else { return nil }
          demand -= 1
          self.preview = nil
          isDelivering = true
          return Delivery(subscriber: subscriber, value: preview)
        }
      }

      private mutating func end(
        _ subscriber: Subscriber, _ value: ImageResponse?, _ completion: Subscribers.Completion<ImagePipeline.Error>
      ) -> Delivery {
        self.subscriber = nil
        task = nil
        preview = nil
        return Delivery(subscriber: subscriber, value: value, completion: completion)
      }
    }

    private struct Delivery {
      let subscriber: Subscriber
      let value: ImageResponse?
      var completion: Subscribers.Completion<ImagePipeline.Error>?
    }

    private let state: Lock<State>
    private let imageRequest: ImageRequest
    private let pipeline: ImagePipeline

    init(subscriber: Subscriber, request: ImageRequest, pipeline: ImagePipeline) {
      state = Lock(State(subscriber: subscriber))
      imageRequest = request
      self.pipeline = pipeline
    }

    func request(_ demand: Subscribers.Demand) {
      let isFirst = state.withLock { state in
        state.demand += demand
        guard !state.hasStarted, state.demand > 0, state.subscriber != nil else { return false }
        state.hasStarted = true
        return true
      }
      if isFirst { start() } else { deliver() }
    }

    func cancel() {
      // The subscriber is released outside of the lock, since that may run code of the program.
      let (task, subscriber) = state.withLock { state in
        defer {
          state.task = nil
          state.subscriber = nil
        }
        return (state.task, state.subscriber)
      }
      task?.cancel()
      withExtendedLifetime(subscriber) {}
    }

    private func start() {
      let task = pipeline.startTask(with: imageRequest, kind: .image) { [self] _, event in
        receive(event)
      }
      // It may have been canceled or completed in the meantime.
      let isCancelled = state.withLock { state in
        if state.subscriber != nil { state.task = task }
        return state.subscriber == nil && state.outcome == nil
      }
      if isCancelled { task.cancel() }
    }

    private func receive(_ event: ImageTask.Event) {
      state.withLock { state in
        switch event {
        case .progress: break
        case .preview(let response): state.preview = response
        case .finished(let outcome): state.outcome = outcome
        }
      }
      deliver()
    }

    private func deliver() {
      while let delivery = state.withLock({ $0.nextDelivery() }) {
        let more = delivery.value.map { delivery.subscriber.receive($0) } ?? .none
        if let completion = delivery.completion { return delivery.subscriber.receive(completion: completion) }
        state.withLock { state in
          state.demand += more
          state.isDelivering = false
        }
      }
    }
  }
#endif
