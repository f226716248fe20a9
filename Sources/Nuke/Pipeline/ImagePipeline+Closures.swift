public import Dispatch
public import Foundation
public import FoundationNetworking

extension ImagePipeline {
  // MARK: On the main actor

  /// Loads an image; `completion` is called on the main actor, once, unless the task is canceled before.
  ///
  /// A program without a main run loop uses the overload with `on:`.
  @discardableResult
  public func loadImage(
    with url: URL, completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), progress: nil, completion: completion)
  }

  /// Loads an image; `completion` is called on the main actor, once, unless the task is canceled before.
  @discardableResult
  public func loadImage(
    with request: ImageRequest, completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: request, progress: nil, completion: completion)
  }

  /// Starts loading an image, for example into the caches, without reporting the result.
  @discardableResult
  public func loadImage(with url: URL) -> ImageTask { imageTask(with: url) }

  /// Starts loading an image, for example into the caches, without reporting the result.
  @discardableResult
  public func loadImage(with request: ImageRequest) -> ImageTask { imageTask(with: request) }

  /// Loads an image and reports the progress.
  ///
  /// - Parameters:
  ///   - url: the URL of the image.
  ///   - progress: called on the main actor with a preview, if there is a new one, the bytes loaded, and the total.
  ///   - completion: called on the main actor, once, last; not after ``ImageTask/cancel()``.
  @discardableResult
  public func loadImage(
    with url: URL,
    progress: (@MainActor @Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), progress: progress, completion: completion)
  }

  /// Loads an image and reports the progress.
  ///
  /// - Parameters:
  ///   - request: the request to load.
  ///   - progress: called on the main actor with a preview, if there is a new one, the bytes loaded, and the total.
  ///   - completion: called on the main actor, once, last; not after ``ImageTask/cancel()``.
  @discardableResult
  public func loadImage(
    with request: ImageRequest,
    progress: (@MainActor @Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .image, deliveringTo: .mainActor) { task, event in
      MainActor.assumeIsolated { event.call(progress, completion, of: task) }
    }
  }

  /// Loads the original data; `completion` is called on the main actor, once, unless the task is canceled before.
  @discardableResult
  public func loadData(
    with request: ImageRequest,
    completion: @escaping @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    loadData(with: request, progress: nil, completion: completion)
  }

  /// Loads the original data, without decoding it, and reports the progress.
  ///
  /// - Parameters:
  ///   - request: the request to load. Its processors are ignored.
  ///   - progress: called on the main actor with the bytes loaded and the total.
  ///   - completion: called on the main actor, once, last; not after ``ImageTask/cancel()``.
  @discardableResult
  public func loadData(
    with request: ImageRequest,
    progress: (@MainActor @Sendable (_ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .data, deliveringTo: .mainActor) { _, event in
      MainActor.assumeIsolated { event.call(progress, completion) }
    }
  }

  // MARK: On a queue, or on none

  /// Loads an image, for programs without a main run loop.
  ///
  /// - Parameters:
  ///   - request: the request to load.
  ///   - queue: the queue for the closures; `nil` for the threads of the pipeline, which they must not block.
  ///   - progress: called with a preview, if there is a new one, the bytes loaded, and the total.
  ///   - completion: called once, last; not after ``ImageTask/cancel()``.
  @discardableResult
  public func loadImage(
    with request: ImageRequest, on queue: DispatchQueue?,
    progress: (@Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .image, deliveringTo: .init(queue)) { task, event in
      event.call(progress, completion, of: task)
    }
  }

  /// Loads the original data, for programs without a main run loop.
  ///
  /// - Parameters:
  ///   - request: the request to load. Its processors are ignored.
  ///   - queue: the queue for the closures; `nil` for the threads of the pipeline, which they must not block.
  ///   - progress: called with the bytes loaded and the total.
  ///   - completion: called once, last; not after ``ImageTask/cancel()``.
  @discardableResult
  public func loadData(
    with request: ImageRequest, on queue: DispatchQueue?,
    progress: (@Sendable (_ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .data, deliveringTo: .init(queue)) { _, event in event.call(progress, completion) }
  }
}

extension ImageTask.Event {
  /// Calls the closures of a load of an image.
  fileprivate func call(
    _ progress: ((ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)?,
    _ completion: (Result<ImageResponse, ImagePipeline.Error>) -> Void, of task: ImageTask
  ) {
    switch self {
    case .progress(let value): progress?(nil, value.completed, value.total)
    case .preview(let response):
      let value = task.currentProgress
      progress?(response, value.completed, value.total)
    case .finished(let result): completion(result)
    }
  }

  /// Calls the closures of a load of data.
  fileprivate func call(
    _ progress: ((_ completed: Int64, _ total: Int64) -> Void)?,
    _ completion: (Result<(data: Data, response: URLResponse?), ImagePipeline.Error>) -> Void
  ) {
    switch self {
    case .progress(let value): progress?(value.completed, value.total)
    case .preview: break
    case .finished(let result): completion(result.map { ($0.container.data ?? Data(), $0.urlResponse) })
    }
  }
}

extension ImagePipeline {
  /// The queue or actor on which the closures of a load are called.
  private enum Delivery: Sendable {
    case mainActor
    case queue(DispatchQueue)
    case pipelineThread

    init(_ queue: DispatchQueue?) { self = queue.map(Delivery.queue) ?? .pipelineThread }

    func run(_ body: @escaping @Sendable () -> Void) {
      switch self {
      case .mainActor: DispatchQueue.main.async(execute: body)
      case .queue(let queue): queue.async(execute: body)
      case .pipelineThread: body()
      }
    }
  }

  /// Starts a task whose closures are called until it is canceled.
  ///
  /// Cancellation is checked when they are called, because a result may be on its way to the main actor while a reused
  /// view cancels the task.
  private func startTask(
    with request: ImageRequest, kind: ImageTask.Kind, deliveringTo delivery: Delivery,
    _ body: @escaping @Sendable (ImageTask, ImageTask.Event) -> Void
  ) -> ImageTask {
    let isForeign = if case .pipelineThread = delivery { true } else { false }
    return startTask(with: request, kind: kind, keepsEvents: true, callsProgram: isForeign) { task, event in
      delivery.run {
        if !task.isCancelled { body(task, event) }
        // A program on the main actor has had the time to create its streams.
        if case .mainActor = delivery, case .finished = event { task.releaseHistory() }
      }
    }
  }
}
