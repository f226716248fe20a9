// Core Image filters by name, several in one pass, and a custom filter.
import Foundation
import Nuke

/// Mixes an image with a color. It is found by its name, like built-in filters.
struct Wash: ImageFilter {
  let name = "Wash"
  let summary = "Draws a color over an image."
  let parameters: [ImageFilterParameter] = [.color("inputColor", .blue), .number("inputAmount", 0.2, in: 0...1)]

  func apply(_ values: ImageFilterValues, to image: Bitmap) throws -> Bitmap {
    let color = values.color("inputColor").withAlphaComponent(values.number("inputAmount"))
    guard let result = ImageProcessors.Blend(color: color).process(image) else { throw ImageProcessingError.unknown }
    return result
  }
}

func filterByName() async throws {
  ImageFilters.register(Wash())
  print(ImageFilters.names.joined(separator: " "))

  let request = ImageRequest(
    url: URL(string: "https://example.com/photo.jpg"),
    processors: [
      .resize(width: 640, unit: .pixels),
      // Both are color filters, so they run in one pass over the image.
      ImageProcessors.Composition([
        .coreImageFilter(name: "CIColorControls", parameters: ["inputSaturation": 0.6], identifier: "muted"),
        .coreImageFilter(name: "CISepiaTone"),
      ]),
      .coreImageFilter(name: "Wash", parameters: ["inputAmount": 0.1], identifier: "washed"),
    ])
  print(try await ImagePipeline.shared.image(for: request))
}
