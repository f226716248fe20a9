import Foundation
import Nuke
import Testing

/// The built `nuke`, run as a user runs it.
struct Command {
  /// The binary that stands beside this test bundle.
  static let path: String = {
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("nuke").path
  }()

  /// What a run came to.
  struct Outcome {
    /// The status, or the number of the signal that ended it.
    let status: Int32
    let wasSignalled: Bool
    let output: String
    let errors: String

    /// The lines of standard error, without the end of the last.
    var errorLines: [String] {
      errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
    /// The lines of standard output, without the end of the last.
    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }

    /// The JSON objects of standard output.
    func objects() throws -> [[String: Any]] {
      try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    }
  }

  /// Runs the command to its end.
  static func run(
    _ arguments: String..., input: String = "", path: String = Self.path, environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, input: input, path: path, environment: environment)
  }

  static func run(
    _ arguments: [String], input: String = "", path: String = Self.path, environment: [String: String] = [:]
  ) async throws -> Outcome {
    let command = try Running(arguments, path: path, environment: environment)
    command.write(input)
    return await command.outcome()
  }

  /// Runs the command to its end, and expects that it succeeds.
  @discardableResult
  static func succeed(
    _ arguments: String..., input: String = "", path: String = Self.path, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    try await succeed(arguments, input: input, path: path, environment: environment, sourceLocation: sourceLocation)
  }

  @discardableResult
  static func succeed(
    _ arguments: [String], input: String = "", path: String = Self.path, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let outcome = try await run(arguments, input: input, path: path, environment: environment)
    #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  /// A command under way.
  final class Running: Sendable {
    private enum Stream { case output, errors }

    private struct State {
      var output = Data()
      var errors = Data()
      var status: (code: Int32, wasSignalled: Bool)?
      /// Of the two streams and the process, how many have not ended.
      var open = 3
      var waiters: [CheckedContinuation<Outcome, Never>] = []
      var lineWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
      var textWaiters: [(text: String, stream: Stream, continuation: CheckedContinuation<String, Never>)] = []

      func text(of stream: Stream) -> String {
        String(decoding: stream == .output ? output : errors, as: UTF8.self)
      }

      /// Removes the waiters whose text is there with the rest of its line, and returns them with what they get.
      mutating func takeTextWaiters(isEnded: Bool) -> [(CheckedContinuation<String, Never>, text: String)] {
        let streams = (text(of: .output), text(of: .errors))
        var told: [(CheckedContinuation<String, Never>, text: String)] = []
        textWaiters.removeAll { waiter in
          let text = waiter.stream == .output ? streams.0 : streams.1
          let isThere = text.range(of: waiter.text).map { text[$0.upperBound...].contains("\n") } ?? false
          if isEnded || isThere { told.append((waiter.continuation, text)) }
          return isEnded || isThere
        }
        return told
      }
    }

    private let state = Lock(State())
    private let input = Pipe()
    private let process = Process()

    init(_ arguments: [String], path: String = Command.path, environment: [String: String] = [:]) throws {
      let output = Pipe()
      let errors = Pipe()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = input
      process.standardOutput = output
      process.standardError = errors
      process.terminationHandler = { process in
        self.change {
          $0.status = (process.terminationStatus, process.terminationReason == .uncaughtSignal)
          $0.open -= 1
        }
      }
      try process.run()
      try? input.fileHandleForReading.close()
      read(output) { $0.output += $1 }
      read(errors) { $0.errors += $1 }
    }

    var processIdentifier: Int32 { process.processIdentifier }

    func write(_ text: String) {
      if !text.isEmpty { input.fileHandleForWriting.write(Data(text.utf8)) }
      try? input.fileHandleForWriting.close()
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Returns once standard output has so many lines, or has ended.
    func waitForLines(_ count: Int) async {
      await withCheckedContinuation { continuation in
        state.withLock { $0.lineWaiters.append((count, continuation)) }
        change { _ in }
      }
    }

    /// Returns what is on standard error once `text` and the rest of its line are there, or all of it at its end.
    func waitForErrors(_ text: String) async -> String { await wait(for: text, on: .errors) }

    /// The same for standard output.
    func waitForOutput(_ text: String) async -> String { await wait(for: text, on: .output) }

    private func wait(for text: String, on stream: Stream) async -> String {
      await withCheckedContinuation { continuation in
        state.withLock { $0.textWaiters.append((text, stream, continuation)) }
        change { _ in }
      }
    }

    func outcome() async -> Outcome {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiters.append(continuation) }
        change { _ in }
      }
    }

    private func read(_ pipe: Pipe, _ append: @escaping @Sendable (inout State, Data) -> Void) {
      let handle = pipe.fileHandleForReading
      Thread.detachNewThread {
        while true {
          let data = handle.availableData
          if data.isEmpty { break }
          self.change { append(&$0, data) }
        }
        // The process keeps its pipes, and lives as long as its handlers.
        try? handle.close()
        self.change { $0.open -= 1 }
      }
    }

    private func change(_ change: (inout State) -> Void) {
      let (waiters, lineWaiters, textWaiters, outcome) = state.withLock { state in
        change(&state)
        let lines = state.output.count { $0 == UInt8(ascii: "\n") }
        let isEnded = state.open == 0
        let ready = state.lineWaiters.filter { isEnded || $0.count <= lines }.map(\.continuation)
        state.lineWaiters.removeAll { isEnded || $0.count <= lines }
        let told = state.takeTextWaiters(isEnded: isEnded)
        var waiters: [CheckedContinuation<Outcome, Never>] = []
        if isEnded { swap(&waiters, &state.waiters) }
        return (
          waiters, ready, told,
          Outcome(
            status: state.status?.code ?? -1, wasSignalled: state.status?.wasSignalled ?? false,
            output: state.text(of: .output), errors: state.text(of: .errors))
        )
      }
      for waiter in lineWaiters { waiter.resume() }
      for (waiter, text) in textWaiters { waiter.resume(returning: text) }
      for waiter in waiters { waiter.resume(returning: outcome) }
    }
  }
}
