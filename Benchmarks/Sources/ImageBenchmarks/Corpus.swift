import Foundation
import Nuke

/// The images that `Peers/corpus.py` has created.
struct Corpus: Sendable {
  let folder: URL

  func file(_ name: String) -> Data {
    let file = folder.appending(path: name)
    guard let data = try? Data(contentsOf: file) else {
      fatalError("\(file.path) is missing: Scripts/bench makes it")
    }
    return data
  }

  /// All pixels of an image.
  func bitmap(_ name: String) -> Bitmap {
    guard let image = Bitmap(data: file(name)) else { fatalError("\(name) cannot be read") }
    return image
  }
}
