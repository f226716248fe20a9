import Foundation
import Nuke

/// Code as programs write it by the names of version 13. It has to compile, and is never run.
@available(*, deprecated, message: "Names of version 13")
enum Version13Shapes {
  static let url = URL(string: "https://pictures.test/a.jpeg")!

  static func requests() {
    var request = ImageRequest(
      url: url, processors: [.resize(width: 100)], priority: .high, options: [.disableDiskCache],
      userInfo: ["place": "list"])
    _ = ImageRequest(url: url, userInfo: nil)
    _ = ImageRequest(urlRequest: URLRequest(url: url), userInfo: ["place": 1])
    _ = ImageRequest(id: "drawn", data: { Data() }, userInfo: ["place": 1])
    _ = ImageRequest(id: "drawn", image: { ImageContainer(image: PlatformImage()) }, userInfo: ["place": 1])
    let density: Float = 2
    request.scale = density
    let scale: Float = request.scale
    request.scale += scale
  }

  static func follow(_ task: ImageTask) async {
    for await event in task.events {
      switch event {
      case .started: print("started")
      case .progress(let progress): print(progress.fraction)
      case .preview(let response): print(response.image)
      case .finished(let result): print(result)
      }
      if case ImageTask.Event.started = event { print("started") }
    }
    print(task.state == .completed, task.currentProgress.completed)
  }
}
