import Foundation
import Nuke

guard let source = CommandLine.arguments.dropFirst().first,
  let url = source.contains("://") ? URL(string: source) : URL(fileURLWithPath: source)
else {
  print("usage: FirstImage FILE-OR-URL")
  exit(64)
}

let request = ImageRequest(url: url, processors: [.resize(width: 320, unit: .pixels)])
do {
  let image = try await ImagePipeline.shared.image(for: request)
  try image.jpegData(compressionQuality: 0.8)?.write(to: URL(fileURLWithPath: "thumbnail.jpg"))
  print("thumbnail.jpg has \(image.pixelWidth) x \(image.pixelHeight) pixels.")
} catch {
  print(error)
  exit(1)
}
