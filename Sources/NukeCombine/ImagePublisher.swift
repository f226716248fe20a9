#if Combine
  import Nuke
  import OpenCombine

  /// Creates a subscription with a load for each subscriber.
  struct ImagePublisher: Publisher {
    typealias Output = ImageResponse
    typealias Failure = ImagePipeline.Error

    let request: ImageRequest
    let pipeline: ImagePipeline

    func receive<Subscriber: OpenCombine.Subscriber>(subscriber: Subscriber)
    where Subscriber.Input == Output, Subscriber.Failure == Failure {
      subscriber.receive(
        subscription: ImageSubscription(
          subscriber: AnySubscriber(subscriber), request: request, pipeline: pipeline))
    }
  }
#endif
