package import Foundation

/// The program `NukeDiskWriter`, which was built beside the tests.
package enum DiskWriter {
  package static var executable: URL {
    let tests = URL(
      fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        ?? CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("NukeDiskWriter")
  }
}
