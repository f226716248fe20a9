// Code of version 4 with the current pipeline. It imports only NukeLegacy, which also exports the current API.
import Foundation
import NukeLegacy

/// A processor with the protocol of version 4.
struct Halved: Processing {
  func process(_ image: Image) -> Image? {
    ImageProcessors.Resize(width: image.size.width / 2).process(image)
  }
}

func fromVersion4() async throws {
  var request = Request(url: URL(string: "https://example.com/photo.jpg")!)
  request.process(with: Halved())
  request.cacheKey = "photo, halved"

  let source = CancellationTokenSource()
  let promise = Loader.shared.loadImage(with: request, token: source.token)
    .then(on: .global()) { image in print("loaded \(image)") }
    .catch(on: .global()) { error in print("no image: \(error)") }

  // A promise can be awaited, which is a step towards `ImagePipeline.shared.image(for:)`.
  print(try await promise.value, Cache.shared[request] != nil)
}
