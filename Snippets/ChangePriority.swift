// Two views want one image in two sizes. It is downloaded once, at the priority of the more urgent one.
import Foundation
import Nuke

let url = URL(string: "https://example.com/photo.jpg")
let pipeline = ImagePipeline.shared

let thumbnail = pipeline.imageTask(
  with: ImageRequest(url: url, processors: [.resize(width: 100, unit: .pixels)], priority: .low))
let large = pipeline.imageTask(
  with: ImageRequest(url: url, processors: [.resize(width: 1600, unit: .pixels)]))

// The view with the thumbnail has come onto the screen: the download they share goes up with it.
thumbnail.priority = .veryHigh
// The other view has gone. The download goes on for the thumbnail.
large.cancel()

print(try await thumbnail.image, thumbnail.facts.isCoalesced)
