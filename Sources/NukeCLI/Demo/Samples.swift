import Foundation

/// The images that come with the command.
enum Samples {
  /// The folder they are in: beside the binary as the package manager builds it, or where `make install` puts them.
  static func folder() throws(SamplesMissing) -> URL {
    let binary = URL(fileURLWithPath: executablePath).deletingLastPathComponent()
    let candidates = [
      binary.appendingPathComponent("nuke_NukeCLI.resources/Samples"),
      binary.deletingLastPathComponent().appendingPathComponent("share/nuke/samples"),
    ]
    for folder in candidates
    where FileManager.default.fileExists(atPath: folder.appendingPathComponent("lake.jpg").path) {
      return folder
    }
    throw SamplesMissing(folders: candidates.map(\.path))
  }

  /// The path of this program, whatever name it was called by.
  static let executablePath: String = {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? Bundle.main.executablePath ?? CommandLine.arguments[0]
  }()
}

struct SamplesMissing: Error, CustomStringConvertible {
  let folders: [String]

  var description: String {
    "the sample images are missing: they are neither in \(folders.joined(separator: " nor in "))"
  }
}
