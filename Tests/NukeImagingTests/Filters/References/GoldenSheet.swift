import Foundation
import NukeImaging

/// Images as they came out when a sheet of them was last made, to tell whether anything changes.
struct GoldenSheet {
  private struct Entry: Codable {
    let name: String
    let frame: ImageSheet.Frame
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/Goldens").standardized

  /// `true` if sheets are to be made anew, from what the tests find.
  static var isRenewing: Bool { ProcessInfo.processInfo.environment["NUKE_RENEW_GOLDENS"] == "1" }

  /// What is not as on the sheet of this name, one sentence an image.
  static func faults(_ name: String, _ images: [(name: String, image: Bitmap)]) throws -> [String] {
    if isRenewing {
      try renew(name, images)
      return []
    }
    let entries = try JSONDecoder().decode(
      [Entry].self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
    let frames = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.frame) })
    let sheet = try ImageSheet(folder.appending(path: "\(name).png"))
    var faults = Set(frames.keys).subtracting(images.map(\.name)).sorted().map { "\($0) is gone" }
    for (name, image) in images {
      guard let frame = frames[name] else {
        faults.append("\(name) has no golden image")
        continue
      }
      let golden = try sheet.image(frame)
      if (image.pixelWidth, image.pixelHeight) != (golden.pixelWidth, golden.pixelHeight) {
        faults.append("\(name) was \(golden) and is \(image)")
      } else if image.bytes != golden.bytes {
        faults.append("\(name) \(ImageDifference(image, golden))")
      }
    }
    return faults
  }

  private static func renew(_ name: String, _ images: [(name: String, image: Bitmap)]) throws {
    let (data, frames) = try ImageSheet.encode(images.map(\.image))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // One line an entry.
    let lines = try zip(images, frames).map { image, frame in
      String(decoding: try encoder.encode(Entry(name: image.name, frame: frame)), as: UTF8.self)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "\(name).png"))
    try Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8).write(to: folder.appending(path: "\(name).json"))
  }
}
