import Dispatch
public import Foundation
public import Nuke
public import NukeImaging
public import Observation

/// An observable model that loads an image for a view.
///
/// ```swift
/// let image = FetchImage()
/// image.load(url)
/// withObservationTracking {
///   show(image.image, isLoading: image.isLoading)
/// } onChange: {
///   // Draw again.
/// }
/// ```
///
/// It needs no toolkit. Nuke's `LazyImage` needs SwiftUI, which Linux does not have; `LazyImageView` of `NukeGTK` and
/// `TerminalImageView` of `NukeTerminal` are views for GTK 4 and for terminals.
///
/// It loads one image at a time. A new load cancels the previous one, whose result is not delivered. The load is
/// canceled when the model is deinitialized.
@MainActor @Observable public final class FetchImage: Identifiable {
  // MARK: Content

  /// The result of the load; `nil` while it runs, or without a load.
  public private(set) var result: Result<ImageResponse, any Error>?
  /// The image or a preview, with the information from its decoder.
  public private(set) var imageContainer: ImageContainer?
  /// A Boolean value that indicates whether the image is being loaded.
  public private(set) var isLoading = false
  /// The progress of the load.
  @ObservationIgnored public let progress = Progress()

  /// The image or a preview.
  public var image: PlatformImage? { imageContainer?.image }

  // MARK: Options

  /// The processors for requests without processors.
  @ObservationIgnored public var processors: [any ImageProcessing] = []
  /// The pipeline that loads the images. The default is `ImagePipeline.shared`.
  public var pipeline: ImagePipeline {
    get { chosenPipeline ?? .shared }
    set { chosenPipeline = newValue }
  }
  /// The priority of the current and later loads; `nil` to use that of the requests.
  @ObservationIgnored public var priority: ImageRequest.Priority? {
    didSet {
      if let work = imageTask { work.priority = priority ?? work.request.priority }
    }
  }
  /// Called when a load has started, except for an image in the memory cache.
  @ObservationIgnored public var onStart: ((ImageTask) -> Void)?
  /// Called when a load has ended, after the content was updated. Not called after cancellation.
  @ObservationIgnored public var onCompletion: ((Result<ImageResponse, any Error>) -> Void)?

  @ObservationIgnored private var chosenPipeline: ImagePipeline?
  @ObservationIgnored private var imageTask: ImageTask?
  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates a model without an image.
  nonisolated public init() {}

  deinit {
    imageTask?.cancel()
    task?.cancel()
  }

  // MARK: Loading

  /// Loads the image at `url`. See ``load(_:)-(ImageRequest?)``.
  public func load(_ url: URL?) { load(url.map { ImageRequest(url: $0) }) }

  /// Loads the image of `request`, and replaces the current content.
  ///
  /// An image in the memory cache is available when this method returns. With `nil`, the ``result`` is the error
  /// `ImagePipeline.Error.imageRequestMissing`.
  @_disfavoredOverload
  public func load(_ request: ImageRequest?) {
    // Canceled after the new load has started, so that the new load can share the work of the previous one.
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
      let task = pipeline.startTask(
        with: request, kind: .image, look: look, keepsEvents: true, callsProgram: false
      ) { [weak self] task, event in
        DispatchQueue.main.async {
          MainActor.assumeIsolated { self?.receive(event, of: task) }
        }
      }
      imageTask = task
      onStart?(task)
    }
  }

  /// Loads the image that `action` returns, and replaces the current content. Canceling the load cancels its Swift task.
  ///
  /// - Parameter action: keeps its isolation. A closure expression runs on the main actor.
  public func load(_ action: @escaping @isolated(any) () async throws -> ImageResponse) {
    reset()
    isLoading = true
    task = Task { [weak self] in
      let result: Result<ImageResponse, any Error>
      do { result = .success(try await action()) } catch { result = .failure(error) }
      // Another load has replaced this one.
      if !Task.isCancelled { self?.finish(result) }
    }
  }

  private func receive(_ event: ImageTask.Event, of task: ImageTask) {
    guard imageTask === task else { return }
    if case .finished = event { task.releaseHistory() }
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

  // MARK: Cancellation

  /// Cancels the load. The content stays.
  public func cancel() {
    imageTask?.cancel()
    imageTask = nil
    task?.cancel()
    task = nil
    if isLoading { isLoading = false }
  }

  /// Cancels the load, and removes the content.
  public func reset() {
    cancel()
    if result != nil { result = nil }
    if imageContainer != nil { imageContainer = nil }
    if progress.completed != 0 { progress.completed = 0 }
    if progress.total != 0 { progress.total = 0 }
  }
}
