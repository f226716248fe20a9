// What is shown until an image comes: a few bytes that a server can send with its answer.
import Foundation
import Nuke

let image = try await ImagePipeline.shared.image(for: URL(string: "https://example.com/photo.jpg")!)
let blurHash = try BlurHash(encoding: image)
let thumbHash = try ThumbHash(encoding: image)
print(blurHash.string, thumbHash.string, image.dominantColor as Any)

// On the other side.
let placeholder = try BlurHash(blurHash.string).image(width: 32, height: 20)
let other = try ThumbHash(thumbHash.string).image()
print(placeholder, other)
