import Foundation
import Nuke

struct Invert: ImageProcessing {
  let identifier = "test.invert"
  func process(_ image: PlatformImage) -> PlatformImage? { image }
}

struct Mark: ImageProcessing, Hashable {
  let text: String
  var identifier: String { "test.mark?text=\(text)" }

  func process(_ image: PlatformImage) -> PlatformImage? { image }

  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    guard context.isCompleted, context.response.container.type != .gif else { throw ImageProcessingError.unknown }
    return container
  }
}

@MainActor func process(imageView: ImageView) {
  var request = ImageRequest(url: address, processors: [.resize(size: imageView.bounds.size)])
  request.processors = [
    Invert(), Mark(text: "new"),
    .resize(size: CGSize(width: 1, height: 1), unit: .pixels, contentMode: .aspectFit, crop: false, upscale: true),
    .resize(width: 10), .resize(height: 10, unit: .pixels),
    .process(id: "profile") { image in image },
    .circle(), .circle(border: .init(color: .red, width: 2, unit: .pixels)),
    .roundedCorners(radius: 8), .roundedCorners(radius: 8, unit: .pixels, border: .init(color: .black)),
    .gaussianBlur(), .gaussianBlur(radius: 12), .coreImageFilter(name: "CISepiaTone"),
    ImageProcessors.Circle(), ImageProcessors.Circle(border: nil), ImageProcessors.RoundedCorners(radius: 8),
    ImageProcessors.GaussianBlur(radius: 8),
    ImageProcessors.Resize(size: imageView.bounds.size, crop: true),
    ImageProcessors.Resize(width: 10), ImageProcessors.Resize(height: 10),
    ImageProcessors.Composition([.resize(width: 10), Invert()]),
    ImageProcessors.Anonymous(id: "profile-icon") { image in image },
  ]
  let modes: [ImageProcessingOptions.ContentMode] = [.aspectFill, .aspectFit]
  let units: [ImageProcessingOptions.Unit] = [.points, .pixels]
  print(modes, units, request.processors.map(\.identifier), request.processors.map(\.hashableIdentifier))
}

func describe(error: ImageProcessingError) -> String {
  switch error {
  case .unknown: "unknown"
  }
}

func isInputEmpty(error: any Error) -> Bool {
  if error as? ImageProcessingError == .unknown { return false }
  if case ImageProcessors.CoreImageFilter.Error.failedToCreateFilter(let name, let parameters) = error {
    print(name, parameters)
  }
  guard case ImageProcessors.CoreImageFilter.Error.inputImageIsEmpty(let image) = error else { return false }
  return image.size == .zero
}
