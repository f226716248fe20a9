import Foundation
import NukeImaging

/// Images as they came out when a sheet of them was last made, to tell whether anything changes.
struct GoldenSheet {
  private struct Entry: Codable {
    let name: String
    let frame: PictureSheet.Frame
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/Goldens").standardized

  /// `true` if sheets are to be made anew, from what the tests find.
  static var isRenewing: Bool { ProcessInfo.processInfo.environment["NUKE_RENEW_GOLDENS"] == "1" }

  /// What is not as on the sheet of this name, one sentence an image.
  static func faults(_ name: String, _ pictures: [(name: String, picture: Bitmap)]) throws -> [String] {
    if isRenewing {
      try renew(name, pictures)
      return []
    }
    let entries = try JSONDecoder().decode(
      [Entry].self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
    let frames = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.frame) })
    let sheet = try PictureSheet(folder.appending(path: "\(name).png"))
    var faults = Set(frames.keys).subtracting(pictures.map(\.name)).sorted().map { "\($0) is gone" }
    for (name, picture) in pictures {
      guard let frame = frames[name] else {
        faults.append("\(name) has no golden picture")
        continue
      }
      let golden = try sheet.picture(frame)
      if (picture.pixelWidth, picture.pixelHeight) != (golden.pixelWidth, golden.pixelHeight) {
        faults.append("\(name) was \(golden) and is \(picture)")
      } else if picture.bytes != golden.bytes {
        faults.append("\(name) \(PictureDifference(picture, golden))")
      }
    }
    return faults
  }

  private static func renew(_ name: String, _ pictures: [(name: String, picture: Bitmap)]) throws {
    let (data, frames) = try PictureSheet.encode(pictures.map(\.picture))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // One line an entry.
    let lines = try zip(pictures, frames).map { picture, frame in
      String(decoding: try encoder.encode(Entry(name: picture.name, frame: frame)), as: UTF8.self)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "\(name).png"))
    try Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8).write(to: folder.appending(path: "\(name).json"))
  }
}
