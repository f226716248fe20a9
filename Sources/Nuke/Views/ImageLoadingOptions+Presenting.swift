extension ImageLoadingOptions {
  /// Shows an image in `view` according to the options.
  ///
  /// - Parameter isAtOnce: `true` if the image is shown before the call to `loadImage` returns.
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

  /// Shows in `view` that there is no image, because the load has failed or there is no request. Shows the failure
  /// image, or clears the view. The view stays unchanged if there is no failure image and ``isPrepareForReuseEnabled``
  /// is `false`.
  @MainActor func presentFailure(in view: any ImageDisplaying, isAtOnce: Bool) {
    guard failureImage != nil || isPrepareForReuseEnabled else { return }
    present(failureImage.map { ImageContainer(image: $0) }, as: .failure, in: view, isAtOnce: isAtOnce)
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
