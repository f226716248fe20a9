import Foundation
import NukeBase
import NukeTesting

@testable import NukeServing

/// Makes files that say what they were made of, and tells what it did. Encoding takes a quarter of a second, it says.
final class FakeRenderer: RenderBackend {
  let identifier: String
  private let decodedBytes: @Sendable (RenditionRequest) -> Int
  private let gate: Gate?
  private let holds: @Sendable (RenditionRequest) -> Bool
  private let failure: ServingError?
  private let fails: @Sendable (String) -> Bool
  private let counts = Lock((renders: 0, running: 0, mostRunning: 0))

  /// - Parameters:
  ///   - gate: holds files back.
  ///   - holds: which files.
  ///   - decodedBytes: what a file is said to take.
  ///   - failure: what files fail with.
  ///   - fails: the sources of which they fail.
  init(
    _ identifier: String = "", gate: Gate? = nil, holds: @escaping @Sendable (RenditionRequest) -> Bool = { _ in true },
    failure: ServingError? = nil, fails: @escaping @Sendable (String) -> Bool = { _ in true },
    decodedBytes: @escaping @Sendable (RenditionRequest) -> Int = { _ in 1000 }
  ) {
    self.identifier = identifier
    self.gate = gate
    self.holds = holds
    self.failure = failure
    self.fails = fails
    self.decodedBytes = decodedBytes
  }

  /// Files that were begun.
  var renders: Int { counts.withLock { $0.renders } }
  var running: Int { counts.withLock { $0.running } }
  var mostRunning: Int { counts.withLock { $0.mostRunning } }

  func plan(
    _ request: RenditionRequest, source: Data, watermark: Data?
  ) throws(ServingError) -> PlannedRendition {
    let mark = watermark.map { " with " + String(decoding: $0, as: UTF8.self) } ?? ""
    let content = String(decoding: source, as: UTF8.self)
    let text = "\(request.options.canonicalText) of " + content + mark
    return PlannedRendition(decodedBytes: decodedBytes(request)) { () async throws(ServingError) in
      self.counts.withLock {
        $0.renders += 1
        $0.running += 1
        $0.mostRunning = max($0.mostRunning, $0.running)
      }
      defer { self.counts.withLock { $0.running -= 1 } }
      if self.holds(request) { await self.gate?.wait() }
      if Task.isCancelled { throw .cancelled }
      RenderStages.note(.encode, seconds: 0.25)
      if let failure = self.failure, self.fails(content) { throw failure }
      return RenderedFile(data: Data(text.utf8), contentType: "text/plain")
    }
  }
}
