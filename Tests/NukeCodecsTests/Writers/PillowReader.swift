import Foundation
import Testing

/// Reads an animated image by Pillow, as a second opinion on files that were written here.
enum PillowReader {
  struct Reading {
    /// Of each frame the whole canvas, straight RGBA.
    var frames: [[UInt8]] = []
    /// Thousandths of a second.
    var delays: [Int] = []
    /// What the file says, which of a GIF is one less than the times it is played; `nil` if it says nothing.
    var loops: Int?
  }

  private static let python = "/usr/bin/python3"

  static let isInstalled: Bool = {
    guard FileManager.default.isExecutableFile(atPath: python) else { return false }
    return (try? run("from PIL import features; assert features.check('webp_anim')", [])) == 0
  }()

  static func read(_ data: Data) throws -> Reading {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, pixels, facts) = (
      folder.appendingPathComponent("image"), folder.appendingPathComponent("pixels"),
      folder.appendingPathComponent("facts")
    )
    try data.write(to: file)
    let script = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1])
      delays = []
      with open(sys.argv[2], "wb") as pixels:
          for index in range(image.n_frames):
              image.seek(index)
              image.load()
              delays.append(str(image.info.get("duration", 0)))
              pixels.write(image.convert("RGBA").tobytes())
      with open(sys.argv[3], "w") as facts:
          facts.write(" ".join(delays) + "\\n" + str(image.info.get("loop", "")) + "\\n")
          facts.write(str(image.width * image.height * 4))
      """
    try #require(try run(script, [file.path, pixels.path, facts.path]) == 0)
    let lines = try String(contentsOf: facts, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let bytes = [UInt8](try Data(contentsOf: pixels))
    let size = try #require(Int(lines[2]))
    return Reading(
      frames: stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<$0 + size]) },
      delays: lines[0].split(separator: " ").compactMap { Double($0).map { Int($0.rounded()) } }, loops: Int(lines[1]))
  }

  /// Reads the PNG files of a folder without regard to their color spaces: by their names, straight RGBA. Components of 16
  /// bits are rounded down.
  static func readPNGs(in folder: URL) throws -> [String: [UInt8]] {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    // Of grays, Pillow does not scale 16 bits, nor the transparent one of few bits.
    let script = """
      import pathlib, sys
      from PIL import Image
      for file in pathlib.Path(sys.argv[1]).glob("*.png"):
          image = Image.open(file)
          image.load()
          depth, color_type = file.read_bytes()[24:26]
          if color_type == 0:
              most, loaded = (1 << depth) - 1, 65535 if depth == 16 else 255
              samples = [value * most // loaded for value in image.getdata()]
              key = image.info.get("transparency")
              pixels = b"".join(bytes([v * 255 // most] * 3 + [0 if v == key else 255]) for v in samples)
          else:
              pixels = image.convert("RGBA").tobytes()
          (pathlib.Path(sys.argv[2]) / file.name).write_bytes(pixels)
      """
    try #require(try run(script, [folder.path, output.path]) == 0)
    return try FileManager.default.contentsOfDirectory(atPath: output.path).reduce(into: [:]) { images, name in
      images[name] = [UInt8](try Data(contentsOf: output.appendingPathComponent(name)))
    }
  }

  private static func run(_ script: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-I", "-c", script] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
