// Shows images in views: with a placeholder, a fade and an image for failures; the views are used again and again.
import Foundation
import Nuke

/// The least that a view needs: it takes an image, or none.
final class PhotoView: Nuke_ImageDisplaying {
  let imageLoading = ImageLoadingSlot()

  func nuke_display(image: PlatformImage?, data: Data?) {
    print(image.map { "shows \($0)" } ?? "is empty")
  }
}

var options = ImageLoadingOptions(
  placeholder: PlatformImage(data: Data()), transition: .fadeIn(duration: 0.25),
  contentModes: .init(success: .aspectFill, failure: .center, placeholder: .center))
options.processors = [.resize(size: CGSize(width: 44, height: 44))]

let rows = (0..<10).map { _ in PhotoView() }
for number in 0..<100 {
  // A row that is bound again gives up what it was loading.
  let url = URL(string: "https://example.com/\(number).jpg")
  loadImage(with: url, options: options, into: rows[number % rows.count]) { result in
    if case .failure(let error) = result { print("no image: \(error)") }
  }
}
// A program with a toolkit runs the toolkit's loop here.
RunLoop.main.run(until: Date(timeIntervalSinceNow: 2))
