import Foundation
import Nuke

/// What became of one source of a list.
struct PrefetchResult: Sendable {
  enum Outcome: Sendable {
    /// It is there: so many bytes of data, from where, in how many seconds.
    case fetched(bytes: Int, origin: String, seconds: TimeInterval)
    /// A local file, which is not copied to the disk cache.
    case passedOver
    case failure(LoadFailure)
  }

  let source: Source
  let outcome: Outcome

  var json: JSON {
    switch outcome {
    case .fetched(let bytes, let origin, let seconds):
      .members([
        "source": .string(source.text), "ok": .bool(true), "bytes": .integer(bytes), "origin": .string(origin),
        "ms": .milliseconds(seconds),
      ])
    case .passedOver: .members(["source": .string(source.text), "ok": .bool(true), "passedOver": .bool(true)])
    case .failure(let failure): failure.json(source: source)
    }
  }
}

/// What a run came to.
struct PrefetchSummary {
  private var fetchedCount = 0
  private var presentCount = 0
  private var passedOverCount = 0
  private(set) var failedCount = 0
  private var bytes: Int64 = 0

  mutating func add(_ result: PrefetchResult) {
    switch result.outcome {
    case .fetched(_, "disk", _): presentCount += 1
    case .fetched(let bytes, _, _):
      fetchedCount += 1
      self.bytes += Int64(bytes)
    case .passedOver: passedOverCount += 1
    case .failure: failedCount += 1
    }
  }

  /// - Parameter memory: bytes of the images in memory, where that is where they go.
  func line(destination: PrefetchCommand.Destination, seconds: TimeInterval, memory: Int?) -> String {
    var parts = ["\(fetchedCount) fetched (\(Format.bytes(bytes)))"]
    if presentCount > 0 { parts.append("\(presentCount) there already") }
    if passedOverCount > 0 { parts.append("\(passedOverCount) local and passed over") }
    if failedCount > 0 { parts.append("\(failedCount) failed") }
    var line = parts.joined(separator: ", ")
    if let memory { line += "; \(Format.bytes(Int64(memory))) of images in memory" }
    return line + ": \(Format.duration(seconds))"
  }
}
