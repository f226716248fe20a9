#if Command
  import ArgumentParser
  import Foundation

  /// Standard output in place of a file.
  enum StandardOutput {
    /// The argument that stands for it.
    static let name = "-"

    /// Throws if `path` is standard output, and that is a terminal.
    static func check(_ path: String?) throws {
      guard path == name, isatty(STDOUT_FILENO) == 1 else { return }
      throw ValidationError(
        "Standard output is a terminal, which cannot show the bytes of an image: redirect it to a file or a pipe.")
    }
  }
#endif
