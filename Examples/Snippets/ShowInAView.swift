// Displays images in reused views, with a placeholder and a fade.
import Foundation
import Nuke

/// A minimal view: it displays an image, or none.
final class PhotoView: Nuke_ImageDisplaying {
  let imageLoading = ImageLoadingSlot()

  func nuke_display(image: PlatformImage?, data: Data?) {
    print(image.map { "shows \($0)" } ?? "is empty")
  }
}

@MainActor func showInAView() {
  var options = ImageLoadingOptions(
    placeholder: PlatformImage(data: Data()), transition: .fadeIn(duration: 0.25),
    contentModes: .init(success: .aspectFill, failure: .center, placeholder: .center))
  options.processors = [.resize(size: CGSize(width: 44, height: 44))]

  let rows = (0..<10).map { _ in PhotoView() }
  for number in 0..<100 {
    // Binding a row again cancels its previous load.
    let url = URL(string: "https://example.com/\(number).jpg")
    loadImage(with: url, options: options, into: rows[number % rows.count]) { result in
      if case .failure(let error) = result { print("No image: \(error)") }
    }
  }
  // A program with a toolkit runs its main loop here.
  RunLoop.main.run(until: Date(timeIntervalSinceNow: 2))
}
