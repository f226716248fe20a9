import Foundation
import Nuke

/// Code as programs write it by the names of version 8. It has to compile, and is never run.
@available(*, deprecated, message: "Names of version 8")
enum ViewShapes {
  final class ImageView: Nuke_ImageDisplaying {
    var bounds = CGRect(x: 0, y: 0, width: 320, height: 240)
    func nuke_display(image: PlatformImage?, data: Data?) { print(image?.size as Any) }
  }

  final class PlainView: Nuke_ImageDisplaying {
    func nuke_display(image: PlatformImage?) { print(image?.size as Any) }
  }

  final class Cell {
    let imageView: ImageView
    init(imageView: ImageView) { self.imageView = imageView }
  }

  @MainActor static func show(_ url: URL, imageView: ImageView, cell: Cell) {
    Nuke.loadImage(with: url, into: imageView)
    Nuke.loadImage(with: url, into: cell.imageView)
    Nuke.cancelRequest(for: imageView)
    Nuke.loadImage(with: url, into: PlainView())
    let fading = ImageLoadingOptions(placeholder: PlatformImage(), transition: .fadeIn(duration: 0.33))
    Nuke.loadImage(with: url, options: fading, into: imageView)
    let options = ImageLoadingOptions(
      placeholder: PlatformImage(), failureImage: PlatformImage(),
      contentModes: .init(success: .scaleAspectFill, failure: .center, placeholder: .center))
    let request = ImageRequest(
      url: url, processors: [ImageProcessor.Resize(size: imageView.bounds.size)], priority: .high)
    Nuke.loadImage(with: request, options: options, into: imageView)
    Nuke.loadImage(
      with: request, options: options, into: imageView,
      progress: { response, completed, total in print(response as Any, completed, total) },
      completion: { result in print(result) })
    ImageLoadingOptions.shared.placeholder = PlatformImage()
  }
}
