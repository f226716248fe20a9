import Dispatch

/// The options and closures of a load into a view.
@MainActor final class ViewLoad {
  typealias Progress = (ImageResponse?, Int64, Int64) -> Void
  typealias Completion = (Result<ImageResponse, ImagePipeline.Error>) -> Void

  private weak var view: (any ImageDisplaying)?
  private weak var slot: ImageLoadingSlot?
  private let options: ImageLoadingOptions
  private let progress: Progress?
  private let completion: Completion?
  /// The preview that the view shows.
  private var preview: PlatformImage?

  private init(
    _ options: ImageLoadingOptions, in view: any ImageDisplaying, _ slot: ImageLoadingSlot, progress: Progress?,
    completion: Completion?
  ) {
    self.view = view
    self.slot = slot
    self.options = options
    self.progress = progress
    self.completion = completion
  }

  // MARK: Immediate results

  static func start(
    _ request: ImageRequest?, _ options: ImageLoadingOptions, in view: any ImageDisplaying, progress: Progress?,
    completion: Completion?
  ) -> ImageTask? {
    let slot = view.imageLoading
    let previous = slot.vacate()
    // Canceled after this load has started, so that it can join the work of an equal previous load.
    defer { previous?.cancel() }

    let pipeline = options.pipeline ?? .shared
    switch pipeline.lookUp(request, processors: options.processors) {
    case .missing:
      if slot.replaceLoad(showing: { options.presentFailure(in: view, isAtOnce: true) }) {
        completion?(.failure(.imageRequestMissing))
      }
      return nil
    case .hit(let response):
      if slot.replaceLoad(showing: { options.present(response.container, as: .success, in: view, isAtOnce: true) }) {
        completion?(.success(response))
      }
      return nil
    case .miss(let request, let preview, let look):
      let handlers = ViewLoad(options, in: view, slot, progress: progress, completion: completion)
      guard slot.replaceLoad(showing: { handlers.prepareView(preview: preview) }) else { return nil }
      let load = SlotLoad(handlers)
      slot.occupy(load)
      let task = pipeline.startTask(
        with: request, kind: .image, look: look, keepsEvents: true, callsProgram: false,
        observer: handlers.observer(of: load))
      load.run(task)
      return task
    }
  }

  private func prepareView(preview container: ImageContainer?) {
    guard let view else { return }
    if let container, options.isProgressiveRenderingEnabled {
      options.present(container, as: .preview, in: view, isAtOnce: true)
      preview = container.image
    } else if let placeholder = options.placeholder {
      options.present(ImageContainer(image: placeholder), as: .placeholder, in: view, isAtOnce: true)
    } else if options.isPrepareForReuseEnabled {
      options.present(nil, as: .placeholder, in: view, isAtOnce: true)
    }
  }

  // MARK: Events

  /// Returns an observer that delivers events to the main actor.
  private func observer(of load: SlotLoad<ViewLoad>) -> @Sendable (ImageTask, ImageTask.Event) -> Void {
    // An event also shows that a view without a slot was released.
    let wantsProgress = progress != nil || slot?.isKept == true
    let wantsPreviews = progress != nil || options.isProgressiveRenderingEnabled
    return { [weak load] task, event in
      switch event {
      case .progress where !wantsProgress: return
      case .preview where !wantsPreviews: return
      default: break
      }
      // A load that is no longer wanted has been released, and does not need its end.
      guard load != nil else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          guard let load, let handlers = load.handlers else { return }
          handlers.receive(event, of: task, for: load)
        }
      }
    }
  }

  /// Handles an event of a load that is still wanted. Each closure may start another load, after which this one is not
  /// wanted.
  private func receive(_ event: ImageTask.Event, of task: ImageTask, for load: SlotLoad<ViewLoad>) {
    guard let view else {
      slot?.vacate(load)
      return
    }
    if case .finished = event { task.releaseHistory() }
    switch event {
    case .progress(let value): progress?(nil, value.completed, value.total)
    case .preview(let response):
      if options.isProgressiveRenderingEnabled, response.image !== preview {
        preview = response.image
        options.present(response.container, as: .preview, in: view, isAtOnce: false)
      }
      guard load.handlers != nil, let progress else { return }
      let value = task.currentProgress
      progress(response, value.completed, value.total)
    case .finished(.failure(.cancelled)): slot?.vacate(load)
    case .finished(let result):
      switch result {
      case .success(let response):
        // The validation may have confirmed a stale image that is already shown. There is no transition then.
        options.present(response.container, as: .success, in: view, isAtOnce: response.image === preview)
      case .failure: options.presentFailure(in: view, isAtOnce: false)
      }
      // The view may have started another load while it was given the result.
      guard load.handlers != nil else { return }
      slot?.vacate(load)
      completion?(result)
    }
  }
}
