import Foundation
import Nuke

/// Stands in for a toolkit's image view.
@MainActor final class ImageView {
  var image: PlatformImage?
  var bounds = CGRect(x: 0, y: 0, width: 320, height: 240)
}

let address = URL(string: "https://pictures.test/a.jpeg")!
