import Dispatch
public import Foundation
public import Nuke
public import NukeImaging
public import Observation

/// Loads an image for a view and tells it what there is to show: the model behind a view that observes.
///
/// ```swift
/// let image = FetchImage()
/// image.load(url)
/// withObservationTracking {
///   show(image.image, isLoading: image.isLoading)
/// } onChange: {
///   // Something of that changes.
/// }
/// ```
///
/// It loads one image at a time: a new load gives the old one up, and nothing of that comes any more. A load is
/// canceled when the object is destroyed.
@MainActor @Observable public final class FetchImage: Identifiable {
  // MARK: What there is to show

  /// The result of the load; `nil` while it runs, and if there is none.
  public private(set) var result: Result<ImageResponse, any Error>?
  /// The image, or a preview of it, with what its decoder knows of it.
  public private(set) var imageContainer: ImageContainer?
  /// A Boolean value that indicates whether the image is on its way.
  public private(set) var isLoading = false
  /// The progress of the load.
  @ObservationIgnored public let progress = Progress()

  /// The image, or a preview of it.
  public var image: PlatformImage? { imageContainer?.image }

  // MARK: How it is loaded

  /// Applied to images whose requests have no processors of their own.
  @ObservationIgnored public var processors: [any ImageProcessing] = []
  /// The pipeline that loads the images. The default is `ImagePipeline.shared`.
  public var pipeline: ImagePipeline {
    get { chosenPipeline ?? .shared }
    set { chosenPipeline = newValue }
  }
  /// The priority of this load and the next ones; `nil` to use that of the requests. It can be changed while a load
  /// runs.
  @ObservationIgnored public var priority: ImageRequest.Priority? {
    didSet {
      if let work = imageTask { work.priority = priority ?? work.request.priority }
    }
  }
  /// Called when a load has begun; not for an image in the memory cache.
  @ObservationIgnored public var onStart: ((ImageTask) -> Void)?
  /// Called when a load has ended, and what there is to show is up to date. It is not called for one that was canceled.
  @ObservationIgnored public var onCompletion: ((Result<ImageResponse, any Error>) -> Void)?

  @ObservationIgnored private var chosenPipeline: ImagePipeline?
  @ObservationIgnored private var imageTask: ImageTask?
  @ObservationIgnored private var task: Task<Void, Never>?

  /// A model that loads nothing yet.
  nonisolated public init() {}

  deinit {
    imageTask?.cancel()
    task?.cancel()
  }

  // MARK: Loading

  /// Loads the image at `url`; see ``load(_:)-(ImageRequest?)``.
  public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

  /// Loads what `request` asks for, in place of what was there.
  ///
  /// An image in the memory cache is there when this returns. With `nil` the ``result`` is the failure
  /// `ImagePipeline.Error.imageRequestMissing`.
  @_disfavoredOverload
  public func load(_ request: ImageRequest?) {
    // Canceled when the new load has begun, which can then join the work of an equal one.
    let previous = imageTask
    imageTask = nil
    defer { previous?.cancel() }
    reset()

    let pipeline = pipeline
    switch pipeline.lookUp(request, processors: processors) {
    case .missing: finish(.failure(ImagePipeline.Error.imageRequestMissing))
    case .hit(let response): finish(.success(response))
    case .miss(var request, let preview, let look):
      if let priority { request.priority = priority }
      if let preview { imageContainer = preview }
      isLoading = true
      let task = pipeline.startTask(with: request, kind: .image, look: look, callsProgram: false) {
        [weak self] task, event in
        DispatchQueue.main.async {
          MainActor.assumeIsolated { self?.receive(event, of: task) }
        }
      }
      imageTask = task
      onStart?(task)
    }
  }

  /// Loads the image that `action` returns, in place of what was there. Its Swift task is canceled with the load.
  ///
  /// - Parameter action: runs where it is isolated to; a closure that is written in place runs on the main actor.
  public func load(_ action: @escaping @isolated(any) () async throws -> ImageResponse) {
    reset()
    isLoading = true
    task = Task { [weak self] in
      let result: Result<ImageResponse, any Error>
      do { result = .success(try await action()) } catch { result = .failure(error) }
      // Canceled by whoever has begun something else.
      if !Task.isCancelled { self?.finish(result) }
    }
  }

  private func receive(_ event: ImageTask.Event, of task: ImageTask) {
    guard imageTask === task else { return }
    switch event {
    case .progress(let value):
      progress.completed = value.completed
      progress.total = value.total
    case .preview(let response): imageContainer = response.container
    case .finished(.failure(.cancelled)): cancel()
    case .finished(.success(let response)): finish(.success(response))
    case .finished(.failure(let error)): finish(.failure(error))
    }
  }

  private func finish(_ result: Result<ImageResponse, any Error>) {
    imageTask = nil
    task = nil
    isLoading = false
    if case .success(let response) = result { imageContainer = response.container }
    self.result = result
    onCompletion?(result)
  }

  // MARK: Giving up

  /// Gives the load up; what there is to show stays.
  public func cancel() {
    imageTask?.cancel()
    imageTask = nil
    task?.cancel()
    task = nil
    if isLoading { isLoading = false }
  }

  /// Gives the load up, and forgets the image and how it was loaded.
  public func reset() {
    cancel()
    if result != nil { result = nil }
    if imageContainer != nil { imageContainer = nil }
    if progress.completed != 0 { progress.completed = 0 }
    if progress.total != 0 { progress.total = 0 }
  }
}
