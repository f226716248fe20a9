#if Command
  import Foundation

  /// What happens to outputs that exist.
  enum ExistingOutput: Sendable {
    case replace, skip, fail

    /// Throws if an output is not to be written because it exists: ``SkippedOutput`` or ``LoadFailure``.
    func check(_ path: String) throws {
      guard self != .replace, path != StandardOutput.name, path.fileStatus != nil else { return }
      if self == .skip { throw SkippedOutput(path: path) }
      throw LoadFailure("not written, since \(path) exists: remove --no-overwrite to replace it")
    }
  }

  /// The reason why a source is left out: its output exists.
  struct SkippedOutput: Error {
    let path: String

    func report(_ source: Source) -> SourceReport {
      SourceReport(
        source: source, lines: ["\(source.displayName)  skipped, since \(path.onOneLine) exists"],
        members: [("skipped", .bool(true)), ("output", .string(path.pathForPrograms))])
    }
  }
#endif
