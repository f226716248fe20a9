import Foundation
import Testing

/// What a program makes of a file.
///
/// - Parameter arguments: from the paths of the file and of the output.
func converted(
  _ file: Data, by program: String, fileExtension: String = "bin", _ arguments: (String, String) -> [String]
) throws -> Data {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let (input, output) = (
    folder.appendingPathComponent("in.\(fileExtension)"), folder.appendingPathComponent("out")
  )
  try file.write(to: input)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments(input.path, output.path)
  try process.run()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0)
  return try Data(contentsOf: output)
}

/// ImageMagick's `convert`, if there is one.
enum ImageMagick {
  private static let program = "/usr/bin/convert"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// What it decodes a file to.
  static func straightRGBA(_ file: Data, fileExtension: String) throws -> [UInt8] {
    [UInt8](
      try converted(file, by: program, fileExtension: fileExtension) {
        [$0, "-alpha", "on", "-depth", "8", "rgba:\($1)"]
      })
  }
}
