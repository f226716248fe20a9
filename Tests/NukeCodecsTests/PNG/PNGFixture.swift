import Foundation
import NukeImaging
import Testing

/// A line of the manifest that `Scripts/fixtures/png.py` writes: a file and what reading it must give.
struct PNGFixture: StillFixture {
  let name: String
  /// The file with the upright image in straight RGBA8.
  let reference: String
  let width: Int
  let height: Int
  let bits: Int
  let model: String
  let alpha: Bool
  let interlaced: Bool
  let profile: String?
  let orientation: Int
  let tolerance: Int

  static let folder = Fixtures.file("PNG")
  static let all: [PNGFixture] = Fixtures.manifest("PNG")

  static func named(_ name: String) -> PNGFixture {
    guard let fixture = all.first(where: { $0.name == name }) else { fatalError("no PNG fixture \(name)") }
    return fixture
  }

  var testDescription: String { name }

  var url: URL { Self.folder.appendingPathComponent("\(name).png") }

  func data() throws -> Data { try Data(contentsOf: url) }

  /// The reference as a bitmap holds it, by the definition of premultiplication.
  func premultiplied() throws -> [UInt8] {
    premultipliedByDefinition([UInt8](try Data(contentsOf: Self.folder.appendingPathComponent("\(reference).rgba"))))
  }
}

/// Straight RGBA8 multiplied by alpha, each channel rounded to nearest.
func premultipliedByDefinition(_ straight: [UInt8]) -> [UInt8] {
  straight.indices.map { index in
    guard index % 4 != 3 else { return straight[index] }
    let alpha = straight[index | 3]
    return UInt8((Double(straight[index]) * Double(alpha) / 255).rounded())
  }
}

extension Bitmap {
  var pixelBytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The largest difference of two images in one channel; 256 where their sizes differ.
func largestDifference(_ left: [UInt8], _ right: [UInt8]) -> Int {
  guard left.count == right.count else { return 256 }
  return zip(left, right).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}
