// Loads an animated image and plays it. Each frame is resized by the request's processors when it is decoded.
import Foundation
import Nuke

@MainActor func playAnimation() async throws {
  let source = CommandLine.arguments.dropFirst().first ?? "https://example.com/cat.gif"
  guard let url = URL(string: source) else { fatalError("not a URL: \(source)") }

  let request = ImageRequest(url: url, processors: [.resize(width: 320, unit: .pixels)])
  let response = try await ImagePipeline.shared.imageTask(with: request).response
  guard let animated = AnimatedImage(response.container, onFailure: { print("damaged: \($0)") }) else {
    fatalError("a still image: \(response.image)")
  }
  print("\(animated.frameCount) frames in \(animated.duration) seconds")

  // A view calls this on each display refresh.
  var player = AnimatedImage.Player(animated)
  @MainActor func beat(now: TimeInterval) {
    if let frame = player.advance(to: now) { print("show frame \(frame.index): \(frame.image)") }
  }
  while !player.isFinished {
    beat(now: ProcessInfo.processInfo.systemUptime)
    try await Task.sleep(for: .milliseconds(16))
  }

  // A program that needs all frames receives each one when it has been decoded.
  for try await frame in animated.frames {
    try frame.image.pngData()?.write(to: URL(fileURLWithPath: "frame-\(frame.index).png"))
  }
}
