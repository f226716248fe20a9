// Loads an image, decodes it at a reduced size, and writes it as a JPEG.
import Foundation
import Nuke

func firstImage() async {
  let request = ImageRequest(
    url: URL(string: "https://example.com/photo.jpg"),
    processors: [.resize(size: CGSize(width: 320, height: 240), unit: .pixels, crop: true)])
  do {
    let image = try await ImagePipeline.shared.image(for: request)
    try image.jpegData(compressionQuality: 0.8)?.write(to: URL(fileURLWithPath: "thumbnail.jpg"))
  } catch {
    print(error)
  }
}
