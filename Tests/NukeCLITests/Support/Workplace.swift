import Foundation
import Nuke
import Testing

/// A folder for one test, removed with its last owner.
final class Workplace: Sendable {
  let url: URL

  init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    url = folder.appendingPathComponent("nuke-cli-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ data: Data, _ name: String) throws -> String {
    try data.write(to: url.appendingPathComponent(name))
    return path(name)
  }

  /// What is in the folder, hidden files too, sorted.
  func contents(_ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? url.path : path(folder)).sorted()
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}

/// The sample images, where they lie in the package.
enum Sample {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources/NukeCLI/Samples").standardizedFileURL

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }
}

extension Workplace {
  /// Writes a PNG of 40 x 30 pixels with alpha, a different one for each number, and returns its path.
  @discardableResult
  func image(_ name: String, number: Int = 0) throws -> String {
    let bitmap = try #require(
      Bitmap(pixelWidth: 40, pixelHeight: 30) { bytes in
        for place in stride(from: 0, to: bytes.count, by: 4) {
          let alpha = place % 160 < 80 ? 255 : 200
          bytes[place] = UInt8(place / 160 * alpha / 40)
          bytes[place + 1] = UInt8((place % 160 + number * 20) % alpha)
          bytes[place + 2] = UInt8(alpha / 2)
          bytes[place + 3] = UInt8(alpha)
        }
      })
    return try write(#require(bitmap.pngData()), name)
  }
}
