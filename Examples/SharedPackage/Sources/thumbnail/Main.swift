import Foundation
import Thumbnails

/// Loads a thumbnail in each of the ways that the package has: `swift run thumbnail [URL]`.
@main struct Main {
  /// A plain image of 60 by 40 pixels.
  private static let sample =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADwAAAAoCAIAAAAt2Q6oAAAAO0lEQVR42u3OQQkAAAgEsItiVKMZzRQ+hMECLN"
    + "XzTqSlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpS8t/rzktSKVex8AAAAASUVORK5CYII="

  @MainActor static func main() async throws {
    let text = CommandLine.arguments.dropFirst().first ?? sample
    guard let url = URL(string: text) else {
      print("thumbnail: `\(text)` is not a URL.")
      exit(2)
    }
    do {
      try await load(url)
    } catch {
      print("thumbnail: \(error)")
      exit(1)
    }
  }

  @MainActor private static func load(_ url: URL) async throws {
    let thumbnails = Thumbnails()
    let image = try await thumbnails.image(at: url)
    print("image: \(text(image.size))")

    for try await response in thumbnails.publisher(for: url).values {
      print("publisher: \(text(response.image.size))")
    }

    let view = ThumbnailView()
    await withCheckedContinuation { continuation in
      thumbnails.show(url, in: view) { continuation.resume() }
    }
    print("view: \(text(view.image?.size ?? .zero))")
  }

  private static func text(_ size: CGSize) -> String { "\(Int(size.width))x\(Int(size.height))" }
}
