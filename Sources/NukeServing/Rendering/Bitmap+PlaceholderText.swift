import Foundation
import Nuke
import NukeImaging

extension Bitmap {
  /// Returns the text of a placeholder for the image.
  func placeholderText(_ placeholder: ImageOptions.Placeholder) throws -> String {
    switch placeholder {
    case .blurHash: try BlurHash(encoding: self).string
    case .thumbHash: try ThumbHash(encoding: self).string
    // Without the alpha, which is that of an opaque color; white where nothing is to be seen.
    case .dominantColor: String((dominantColor ?? .white).hex.prefix(7)).lowercased()
    case .preview: try inlinePreview().absoluteString
    }
  }
}
