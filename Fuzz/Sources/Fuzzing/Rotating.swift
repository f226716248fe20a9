public import Foundation

// `data(orientedTo:)` is not public. Scripts/fuzz builds the module with testing enabled.
@testable import NukeCodecs

/// Gives a JPEG file another orientation. The result must have it, and the image of the file.
public func rotate(_ data: Data) {
  guard let reader = attempt({ try JPEGReader(data: data, limits: .fuzzing) }),
    let result = attempt({ try reader.data(orientedTo: .leftMirrored) })
  else { return }
  let rotated = attempt { try JPEGReader(data: result, limits: .fuzzing) }
  expect(rotated?.header.orientation == .leftMirrored, "the file was not rotated")
  expect(
    rotated?.header.storedWidth == reader.header.storedWidth
      && rotated?.header.storedHeight == reader.header.storedHeight,
    "the rotated file has another size: \(reader.header)")
}
