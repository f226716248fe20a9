// Loads an image, decodes it at a reduced size, and writes it as a JPEG.
import Foundation
import Nuke

func firstImage() async throws {
  let source = CommandLine.arguments.dropFirst().first ?? "https://example.com/photo.jpg"
  guard let url = URL(string: source) else { fatalError("not a URL: \(source)") }

  let request = ImageRequest(
    url: url, processors: [.resize(size: CGSize(width: 320, height: 240), unit: .pixels, crop: true)])
  let image = try await ImagePipeline.shared.image(for: request)
  try image.jpegData(compressionQuality: 0.8)?.write(to: URL(fileURLWithPath: "thumbnail.jpg"))
}
