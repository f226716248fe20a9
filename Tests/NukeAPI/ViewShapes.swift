import Foundation
import Nuke
import NukeUI

// Code as programs write it by the newest API. It has to compile without a warning, and is never run.

extension ImageView: ImageDisplaying {
  func display(_ presentation: ImagePresentation) {
    image = presentation.image
    guard let image = presentation.image, let mode = presentation.contentMode else { return }
    bounds = mode.frame(of: image.size, in: bounds)
    print(presentation.phase, presentation.tintColor as Any, presentation.isAnimated, presentation.fadeDuration)
  }
}

/// Stores what makes it cancel as soon as it goes.
private final class SlottedView: ImageDisplaying {
  let imageLoading = ImageLoadingSlot()
  func display(_ presentation: ImagePresentation) {
    switch presentation.phase {
    case .placeholder, .preview, .success, .failure: print(presentation.container as Any)
    }
  }
}

private final class PlainView: Nuke_ImageDisplaying {
  func nuke_display(image: PlatformImage?, data: Data?) { print(image as Any, data as Any) }
}

@MainActor private final class RowController {
  let imageView = ImageView()
  let url: URL? = address
  var request: ImageRequest? { ImageRequest(url: url, processors: [.resize(size: imageView.bounds.size)]) }

  func show(row: any ImageDisplayingView) {
    Nuke.loadImage(with: url, into: imageView)
    loadImage(with: address, into: row)
    loadImage(with: request, into: imageView)
    loadImage(with: ImageRequest(url: url), into: imageView)
    loadImage(with: "https://pictures.test/a.jpeg", into: imageView)
    loadImage(with: nil, into: imageView)
    loadImage(with: url, into: imageView) { result in print(result) }
    loadImage(with: request, into: imageView) { _ in self.finish() }
    let task: ImageTask? = loadImage(
      with: url, options: options, into: imageView,
      progress: { response, completed, total in print(response as Any, completed, total) },
      completion: { (result: Result<ImageResponse, ImagePipeline.Error>) in
        switch result {
        case .success(let response): print(response.image.size)
        case .failure(let error): print(error)
        }
      })
    task?.priority = .high
    loadImage(with: request, options: options, into: imageView, progress: { print($0 as Any, $1, $2) })
    loadImage(with: request, options: options, into: imageView, progress: nil, completion: nil)
    cancelRequest(for: imageView)
    Nuke.cancelRequest(for: row)
  }

  func finish() {}

  var options: ImageLoadingOptions {
    var options = ImageLoadingOptions(
      placeholder: PlatformImage(), transition: .fadeIn(duration: 0.33), failureImage: PlatformImage(),
      failureImageTransition: .custom { view, image in
        view.display(ImagePresentation(container: ImageContainer(image: image), phase: .failure))
      }, contentModes: .init(success: .aspectFill, failure: .center, placeholder: .center),
      tintColors: .init(success: nil, failure: .red, placeholder: .gray))
    options.alwaysTransition = true
    options.isPrepareForReuseEnabled = false
    options.isProgressiveRenderingEnabled = false
    options.pipeline = ImagePipeline.shared
    options.processors = [.circle()]
    options.contentModes?.success = .scaleDown
    options.tintColors?.placeholder = nil
    return options
  }

  func configure() {
    ImageLoadingOptions.shared.placeholder = PlatformImage()
    ImageLoadingOptions.shared.transition = .fadeIn(duration: 0.25)
    ImageLoadingOptions.shared.contentModes = .init(success: .aspectFit, failure: .fill, placeholder: .center)
    loadImage(
      with: url, options: .init(placeholder: PlatformImage(), transition: .fadeIn(duration: 0.33)), into: imageView)
    loadImage(with: url, options: .shared, into: imageView)
  }
}

@MainActor private final class ImageModel {
  let image = FetchImage()
  let url: URL? = address

  func load() {
    image.processors = [.resize(width: 100)]
    image.priority = .high
    image.pipeline = .shared
    image.onStart = { task in print(task.request) }
    image.onCompletion = { result in print((try? result.get().image) as Any) }
    image.load(url)
    image.load(address)
    image.load(ImageRequest(url: url))
    image.load("https://pictures.test/a.jpeg")
    image.load(nil)
    image.load { try await ImagePipeline.shared.imageTask(with: address).response }
    image.cancel()
    image.reset()
  }

  func show(_ state: some LazyImageState) {
    if let image = state.image {
      print(image, state.imageContainer?.type as Any)
    } else if state.isLoading {
      print(state.progress.completed, state.progress.total, state.progress.fraction)
    } else {
      print(state.error as Any, state.result as Any)
    }
  }
}
