import Foundation
import NukeImaging

@testable import NukeTerminal

extension TerminalCanvas {
  /// Renders an image and shows it in place of the one before, on one thread.
  mutating func draw(_ image: Bitmap) throws(TerminalImageError) -> Data {
    guard let rendering = try render(image) else { return Data() }
    return place(rendering)
  }
}
