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
          if source.location != .standardInput { _ = try source.loadableURL() }
          if let path = source.path, path.fileStatus == nil { throw LoadFailure("no such file") }
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

    static func report(_ source: Source, to path: String, _ session: Session) {
      let name = path == StandardOutput.name ? "standard output" : path.onOneLine
      session.report(
        SourceReport(
          source: source, lines: ["\(source.displayName) → \(name)"],
          members: [("dryRun", .bool(true)), ("output", .string(path.pathForPrograms))]))
    }
  }
#endif
