import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// PngSuite by Willem van Schaik, which is not part of this package: `NUKE_PNGSUITE` names a folder with its files.
@Suite(
  "PngSuite",
  .enabled(if: PillowReader.isInstalled && ProcessInfo.processInfo.environment["NUKE_PNGSUITE"] != nil))
struct PNGSuiteTests {
  private func files() throws -> [(name: String, data: Data)] {
    let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["NUKE_PNGSUITE"] ?? "")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".png") }
    return try names.sorted().map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
  }

  /// The file without what says how its samples are to be shown, which Pillow does not regard.
  private func withoutColorSpace(_ data: Data) -> Data {
    var data = data
    for type in ["gAMA", "cHRM", "iCCP", "sRGB"] {
      guard let found = data.range(of: Data(type.utf8)) else { continue }
      let length = data[found.lowerBound - 4..<found.lowerBound].reduce(0) { $0 << 8 | Int($1) }
      data.removeSubrange(found.lowerBound - 4..<found.upperBound + length + 4)
    }
    return data
  }

  @Test("Every file gives the pixels that Pillow sees")
  func pixels() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try files().filter { !$0.name.hasPrefix("x") }.map { ($0.name, withoutColorSpace($0.data)) }
    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
    let references = try PillowReader.readPNGs(in: folder)
    #expect(references.count == files.count && files.count > 150)
    for (name, data) in files {
      let reader = try PNGReader(data: data, limits: CodecLimits())
      let image = try reader.decode(DecodeOptions())
      let expected = premultipliedByDefinition(try #require(references[name]))
      let tolerance = reader.header.bitsPerComponent == 16 ? 1 : 0
      #expect(largestDifference(image.pixelBytes, expected) <= tolerance, "\(name)")
    }
  }

  @Test("Every damaged file is an error")
  func damage() throws {
    let files = try files().filter { $0.name.hasPrefix("x") }
    #expect(files.count >= 14)
    for (name, data) in files { #expect(PNGReader.error(data) != nil, "\(name)") }
  }
}
