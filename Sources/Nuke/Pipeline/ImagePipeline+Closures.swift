public import Dispatch
public import Foundation
public import FoundationNetworking

extension ImagePipeline {
  // MARK: On the main actor

  /// Loads a picture; `completion` is called on the main actor, once.
  ///
  /// A program without a main run loop uses the overload with `on:`.
  @discardableResult
  public func loadImage(
    with url: URL, completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), progress: nil, completion: completion)
  }

  /// Loads a picture; `completion` is called on the main actor, once.
  @discardableResult
  public func loadImage(
    with request: ImageRequest, completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: request, progress: nil, completion: completion)
  }

  /// Starts to load a picture, into the caches say, without telling when it is there.
  @discardableResult
  public func loadImage(with url: URL) -> ImageTask { imageTask(with: url) }

  /// Starts to load a picture, into the caches say, without telling when it is there.
  @discardableResult
  public func loadImage(with request: ImageRequest) -> ImageTask { imageTask(with: request) }

  /// Loads a picture and tells how far it is.
  ///
  /// - Parameters:
  ///   - url: where the picture is.
  ///   - progress: called on the main actor with a preview, if one has come, and the bytes loaded and in all.
  ///   - completion: called on the main actor, once, last.
  @discardableResult
  public func loadImage(
    with url: URL,
    progress: (@MainActor @Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    loadImage(with: ImageRequest(url: url), progress: progress, completion: completion)
  }

  /// Loads a picture and tells how far it is.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - progress: called on the main actor with a preview, if one has come, and the bytes loaded and in all.
  ///   - completion: called on the main actor, once, last.
  @discardableResult
  public func loadImage(
    with request: ImageRequest,
    progress: (@MainActor @Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .image) { task, event in
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          switch event {
          case .progress(let value): progress?(nil, value.completed, value.total)
          case .preview(let response):
            let value = task.currentProgress
            progress?(response, value.completed, value.total)
          case .finished(let result): completion(result)
          }
        }
      }
    }
  }

  /// Loads the data of an original; `completion` is called on the main actor, once.
  @discardableResult
  public func loadData(
    with request: ImageRequest,
    completion: @escaping @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    loadData(with: request, progress: nil, completion: completion)
  }

  /// Loads the data of an original and tells how far it is; nothing is decoded.
  ///
  /// - Parameters:
  ///   - request: what is wanted; its processors are ignored.
  ///   - progress: called on the main actor with the bytes loaded and in all.
  ///   - completion: called on the main actor, once, last.
  @discardableResult
  public func loadData(
    with request: ImageRequest,
    progress: (@MainActor @Sendable (_ completed: Int64, _ total: Int64) -> Void)?,
    completion: @escaping @MainActor @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .data) { task, event in
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          switch event {
          case .progress(let value): progress?(value.completed, value.total)
          case .preview: break
          case .finished(let result): completion(result.map { ($0.container.data ?? Data(), $0.urlResponse) })
          }
        }
      }
    }
  }

  // MARK: On a queue, or on none

  /// Loads a picture, for programs without a main run loop.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - queue: where the closures are called; nil for the pipeline's own threads, which they must not block.
  ///   - progress: called with a preview, if one has come, and the bytes loaded and in all.
  ///   - completion: called once, last.
  @discardableResult
  public func loadImage(
    with request: ImageRequest, on queue: DispatchQueue?,
    progress: (@Sendable (ImageResponse?, _ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<ImageResponse, Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .image) { task, event in
      queue.run {
        switch event {
        case .progress(let value): progress?(nil, value.completed, value.total)
        case .preview(let response):
          let value = task.currentProgress
          progress?(response, value.completed, value.total)
        case .finished(let result): completion(result)
        }
      }
    }
  }

  /// Loads the data of an original, for programs without a main run loop.
  ///
  /// - Parameters:
  ///   - request: what is wanted; its processors are ignored.
  ///   - queue: where the closures are called; nil for the pipeline's own threads, which they must not block.
  ///   - progress: called with the bytes loaded and in all.
  ///   - completion: called once, last.
  @discardableResult
  public func loadData(
    with request: ImageRequest, on queue: DispatchQueue?,
    progress: (@Sendable (_ completed: Int64, _ total: Int64) -> Void)? = nil,
    completion: @escaping @Sendable (Result<(data: Data, response: URLResponse?), Error>) -> Void
  ) -> ImageTask {
    startTask(with: request, kind: .data) { task, event in
      queue.run {
        switch event {
        case .progress(let value): progress?(value.completed, value.total)
        case .preview: break
        case .finished(let result): completion(result.map { ($0.container.data ?? Data(), $0.urlResponse) })
        }
      }
    }
  }
}

extension DispatchQueue? {
  fileprivate func run(_ body: @escaping @Sendable () -> Void) {
    if let self { self.async(execute: body) } else { body() }
  }
}
