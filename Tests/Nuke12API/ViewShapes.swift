import Foundation
import NukeExtensions
import NukeUI

/// Code as programs write it by the names of versions 12 and 13, whose view extensions are a module of their own. It has
/// to compile, and is never run.
@available(*, deprecated, message: "Names of versions 12 and 13")
enum ViewShapes {
  class ImageView: Nuke_ImageDisplaying {
    var image: PlatformImage?
    func nuke_display(image: PlatformImage?, data: Data?) { self.image = image }
  }

  @MainActor static func show(_ url: URL, in imageView: ImageView) {
    NukeExtensions.loadImage(with: url, into: imageView)
    loadImage(with: url, into: imageView)
    loadImage(
      with: ImageRequest(url: url), options: ImageLoadingOptions.shared, into: imageView, completion: { print($0) })
    let options = ImageLoadingOptions(
      placeholder: PlatformImage(), transition: .fadeIn(duration: 0.33), failureImage: PlatformImage(),
      failureImageTransition: .custom { view, image in (view as? ImageView)?.image = image },
      contentModes: .init(success: .scaleAspectFill, failure: .center, placeholder: .scaleAspectFit),
      tintColors: .init(success: .green, failure: .red, placeholder: nil))
    let task = loadImage(
      with: url, options: options, into: imageView, progress: { response, _, _ in print(response?.image as Any) },
      completion: { result in print(result) })
    task?.cancel()
    NukeExtensions.cancelRequest(for: imageView)
    let view: ImageDisplayingView = imageView
    cancelRequest(for: view)
    ImageLoadingOptions.shared.isProgressiveRenderingEnabled = true
    ImageLoadingOptions.shared.pipeline = nil
    ImageLoadingOptions.shared.processors = []
  }

  @MainActor static func fetch(_ url: URL) {
    let image = FetchImage()
    image.pipeline = ImagePipeline.shared
    image.load(url)
    image.load { try await ImagePipeline.shared.imageTask(with: url).response }
    print(image.progress.fraction, image.pipeline.configuration.dataCachePolicy)
  }
}
