// A placeholder that is displayed until an image is loaded: a few bytes that a server can send with its response.
import Foundation
import Nuke

func placeholders() async throws {
  let image = try await ImagePipeline.shared.image(for: URL(string: "https://example.com/photo.jpg")!)
  let blurHash = try BlurHash(encoding: image)
  let thumbHash = try ThumbHash(encoding: image)
  print(blurHash.string, thumbHash.string, image.dominantColor as Any)

  // In the client.
  let placeholder = try BlurHash(blurHash.string).image(width: 32, height: 20)
  let other = try ThumbHash(thumbHash.string).image()
  print(placeholder, other)
}
