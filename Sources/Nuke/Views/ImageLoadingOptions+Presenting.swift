extension ImageLoadingOptions {
  /// Has `view` show a picture as the options say.
  ///
  /// - Parameter isAtOnce: whether it is shown before the call returns that asked for it.
  @MainActor func present(
    _ container: ImageContainer?, as phase: ImagePresentation.Phase, in view: any ImageDisplaying, isAtOnce: Bool
  ) {
    var fadeDuration = 0.0
    if let container, !isAtOnce || alwaysTransition, let transition = transition(to: phase) {
      switch transition.style {
      case .fadeIn(let duration): fadeDuration = duration
      case .custom(let body): return body(view, container.image)
      }
    }
    view.display(
      ImagePresentation(
        container: container, phase: phase, contentMode: contentMode(of: phase), tintColor: tintColor(of: phase),
        fadeDuration: fadeDuration))
  }

  /// Shows the failure image in `view`. Without one, the view is left as it is.
  @MainActor func presentFailure(in view: any ImageDisplaying, isAtOnce: Bool) {
    if let failureImage { present(ImageContainer(image: failureImage), as: .failure, in: view, isAtOnce: isAtOnce) }
  }

  /// Shows in `view` that a request asks for nothing: the failure image, or else no image. The view is left as it is where
  /// there is no failure image and ``isPrepareForReuseEnabled`` is false.
  @MainActor func presentMissing(in view: any ImageDisplaying) {
    guard failureImage == nil else { return presentFailure(in: view, isAtOnce: true) }
    if isPrepareForReuseEnabled { present(nil, as: .failure, in: view, isAtOnce: true) }
  }

  private func transition(to phase: ImagePresentation.Phase) -> Transition? {
    switch phase {
    case .placeholder, .preview: nil
    case .success: transition
    case .failure: failureImageTransition
    }
  }

  private func contentMode(of phase: ImagePresentation.Phase) -> ImageContentMode? {
    switch phase {
    case .placeholder: contentModes?.placeholder
    case .preview, .success: contentModes?.success
    case .failure: contentModes?.failure
    }
  }

  private func tintColor(of phase: ImagePresentation.Phase) -> PlatformColor? {
    switch phase {
    case .placeholder: tintColors?.placeholder
    case .preview, .success: tintColors?.success
    case .failure: tintColors?.failure
    }
  }
}
