#if Command
  import Foundation

  /// Prints the output of each source, and writes nothing.
  struct DryRun {
    let session: Session
    let sources: [Source]
    let output: OutputPlan

    func callAsFunction() {
      for (index, source) in sources.enumerated() {
        do {
          try Self.check(source)
          let (path, isKnown) = output.expected(for: index, of: source)
          if isKnown { try output.check(path, for: index) }
          Self.report(source, to: path, session)
        } catch let skipped as SkippedOutput {
          session.report(skipped.report(source))
        } catch {
          session.report(SourceReport(source: source, failure: LoadFailure(error)))
        }
      }
    }

    /// Prints the output that all sources have, for a command that draws them into one image.
    static func report(_ sources: [Source], to path: String, _ session: Session) {
      for source in sources {
        do {
          try check(source)
          report(source, to: path, session)
        } catch {
          session.report(SourceReport(source: source, failure: LoadFailure(error)))
        }
      }
    }

    /// Returns the line for a source and its output.
    static func line(_ source: String, to path: String) -> String {
      "\(source) → \(path == StandardOutput.name ? "standard output" : path.onOneLine)"
    }

    private static func report(_ source: Source, to path: String, _ session: Session) {
      session.report(
        SourceReport(
          source: source, lines: [line(source.displayName, to: path)],
          members: [("dryRun", .bool(true)), ("output", .string(path.pathForPrograms))]))
    }

    /// Throws if the source cannot be loaded, as far as that is known without loading it.
    private static func check(_ source: Source) throws {
      if source.location != .standardInput { _ = try source.loadableURL() }
      if let path = source.path, path.fileStatus == nil { throw LoadFailure("no such file") }
    }
  }
#endif
