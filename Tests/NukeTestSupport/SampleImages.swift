package import Foundation
import Nuke
import NukeCodecs
import NukeTesting

/// A URL that no test loads from a network.
package func imageURL(_ name: String) -> URL { URL(string: "http://pictures.test/\(name)")! }

extension Bitmap {
  package var pixels: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension Result {
  package var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension SampleImage {
  /// A JPEG of 160 x 120 pixels with enough in it for several previews.
  package static func progressiveJPEG() throws -> Data {
    var writer = JPEGWriter(quality: 0.9)
    writer.isProgressive = true
    return try writer.encode(bitmap(width: 160, height: 120))
  }
}
