#if Command
  import Foundation

  /// The sample images of the command.
  enum Samples {
    /// Returns their folder: beside the binary in a build, or where `make install` puts them.
    static func folder() throws(CommandFailure) -> URL {
      let path =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ?? Bundle.main.executablePath ?? CommandLine.arguments[0]
      let binary = URL(fileURLWithPath: path).deletingLastPathComponent()
      let candidates = [
        binary.appendingPathComponent("nuke_NukeCLI.resources/Samples"),
        binary.deletingLastPathComponent().appendingPathComponent("share/nuke/samples"),
      ]
      let folder = candidates.first {
        FileManager.default.fileExists(atPath: $0.appendingPathComponent("lake.jpg").path)
      }
      guard let folder else {
        let places = candidates.map(\.path).joined(separator: " nor in ")
        throw CommandFailure("the sample images are missing: they are neither in \(places)")
      }
      return folder
    }
  }
#endif
