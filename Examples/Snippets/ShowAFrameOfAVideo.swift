// Loads a frame of a video as an image, and two more without another download. Needs the trait Video.

import Foundation
import Nuke

func showPosters(of video: URL) async throws {
  var request = ImageRequest(url: video, processors: [.resize(width: 320)])
  request.posterFrame = .representative(of: 10)
  let best = try await ImagePipeline.shared.image(for: request)
  print("the most representative of ten frames:", best.size)
  for seconds in [2.0, 4.0] {
    request.posterFrame = .time(seconds)
    let image = try await ImagePipeline.shared.image(for: request)
    print("the frame that is shown after \(seconds) seconds:", image.size)
  }
}

func showAFrameOfAVideo() async throws {
  try await showPosters(of: URL(string: "https://example.com/clip.mp4")!)
}
