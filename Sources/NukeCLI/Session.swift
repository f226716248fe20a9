#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// Runs a command that processes sources: prints results, records failures, and determines the exit status.
  final class Session: Sendable {
    let console: Console
    private let isJSON: Bool
    private let isQuiet: Bool
    private let state = Lock(false)
    private let start = ContinuousClock.now

    /// Creates the session of a command, and starts to handle interrupts.
    ///
    /// - Parameter output: the file for an image. Results are printed on standard error if it is standard output.
    init(json: Bool = false, quiet: Bool = false, output: String? = nil) {
      console = Console(isOutputTaken: output == StandardOutput.name)
      isJSON = json
      isQuiet = quiet
      Interrupt.handle { [console] in console.restore() }
    }

    convenience init(_ printing: PrintingOptions, output: String? = nil) {
      self.init(json: printing.json, quiet: printing.quiet, output: output)
    }

    /// Seconds since the command started.
    var seconds: TimeInterval { (ContinuousClock.now - start).seconds }

    /// `true` if the command prints text for a person, in addition to failures: without `--json` and `--quiet`.
    var printsText: Bool { !isJSON && !isQuiet }

    /// The bars of a run; `nil` if there is no terminal for them.
    func progress(count: Int, interval: TimeInterval = 0.1) -> ProgressDisplay? {
      isQuiet ? nil : ProgressDisplay(count: count, interval: interval, on: console)
    }

    /// Prints lines, or an object with `--json`.
    func print(_ json: @autoclosure () -> JSON, _ lines: @autoclosure () -> [String]) {
      if isJSON {
        console.print(json().text)
      } else if !isQuiet {
        for line in lines() { console.print(line) }
      }
    }

    /// Prints the result of one source.
    func report(_ report: SourceReport) {
      if let failure = report.failure { fail("\(report.source.displayName): \(failure.reason)") }
      print(report.json, report.lines)
    }

    /// Prints a failure, after which the command ends with status 1.
    func fail(_ line: String) {
      markFailed()
      console.printError(line)
    }

    /// Prints a warning about something that was done, but perhaps not as expected.
    func warn(_ line: String) {
      if !isQuiet { console.printError("warning: \(line)") }
    }

    func markFailed() { state.withLock { $0 = true } }

    /// Runs a step without which the command cannot continue. Prints its failure and ends the command with status 1.
    func attempt<Value>(_ step: () throws -> Value) throws -> Value {
      do {
        return try step()
      } catch let error as any CustomStringConvertible
        where error is FileError || error is CommandFailure || error is LoadFailure
      {
        fail(error.description)
        throw ExitCode(1)
      }
    }

    /// Writes an image in the format of the file's name. Prints the failure if that is not possible.
    func write(_ image: @autoclosure () throws -> PlatformImage, to output: String) throws {
      let format = try OutputFormat(writing: output)
      do {
        try AtomicFile.write(OutputEncoding().encode(image(), as: format), to: output)
      } catch let error as any CustomStringConvertible {
        fail(error.description)
      }
    }

    /// Throws the status if anything failed.
    func finish() throws {
      if state.withLock({ $0 }) { throw ExitCode(1) }
    }
  }

  /// The reason why a command cannot continue, as a phrase without a period at its end.
  struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The result of one source, as it is printed.
  struct SourceReport: Sendable {
    let source: Source
    var failure: LoadFailure?
    /// The lines for text output.
    var lines: [String] = []
    /// The members for JSON output, after the source and the status.
    var members: [(key: String, value: JSON)] = []

    var json: JSON {
      var all =
        [(key: "source", value: JSON.string(source.textForPrograms)), (key: "ok", value: .bool(failure == nil))]
        + members
      if let failure { all.append((key: "error", value: .string(failure.reason))) }
      return .object(all)
    }
  }

  extension Duration {
    var seconds: TimeInterval {
      TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
  }

  /// Calls `work` with each index below `count`, at most `limit` at a time. Passes each result on as soon as it is
  /// available, or in the order of the indices.
  func forEachConcurrently<Value: Sendable>(
    _ count: Int, limit: Int, isOrdered: Bool = false, work: @escaping @Sendable (Int) async -> Value,
    receive: (Value) -> Void
  ) async {
    await withTaskGroup(of: (Int, Value).self) { group in
      var (started, delivered) = (0, 0)
      var early: [Int: Value] = [:]
      func start() {
        guard started < count else { return }
        group.addTask { [started] in (started, await work(started)) }
        started += 1
      }
      for _ in 0..<limit { start() }
      for await (index, value) in group {
        if isOrdered {
          early[index] = value
          while let next = early.removeValue(forKey: delivered) {
            receive(next)
            delivered += 1
          }
        } else {
          receive(value)
        }
        start()
      }
    }
  }
#endif
