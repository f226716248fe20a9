import Foundation
import Nuke

/// What became of one source.
struct LoadResult: Sendable {
  /// An image that was loaded, and written where that was asked for.
  struct Picture: Sendable {
    /// Seconds of a stage that took place, in the order of the stages.
    struct Stage: Sendable {
      let name: String
      let seconds: TimeInterval
    }

    var format: String?
    var width: Int
    var height: Int
    var bytes: Int
    var origin: String
    /// How current it is, by the rules of HTTP caching; `nil` if nobody asked.
    var freshness: String?
    /// How many previews there were; `nil` if none were asked for.
    var previews: Int?
    var output: String?
    var stages: [Stage]
    /// Seconds from the request to the end, the output included.
    var total: TimeInterval
  }

  let source: Source
  let outcome: Result<Picture, LoadFailure>

  /// The line that is printed for an image: what it is, where it came from, how long that took.
  var line: String? {
    guard case .success(let picture) = outcome else { return nil }
    var parts = [source.displayName, "\(picture.width)x\(picture.height)"]
    if let format = picture.format { parts[1] += " " + (ImageFormat(rawValue: format)?.displayName ?? format) }
    // Fresh is what goes without saying.
    parts.append(picture.origin + (picture.freshness.flatMap { $0 == "fresh" ? nil : ", \($0)" } ?? ""))
    if picture.bytes > 0 { parts.append(Format.bytes(Int64(picture.bytes))) }
    if let count = picture.previews { parts.append(Format.count(count, "preview")) }
    let stages = picture.stages.filter { $0.seconds >= 0.000_05 }.map { "\($0.name) \(Format.duration($0.seconds))" }
    parts.append(Format.duration(picture.total) + (stages.isEmpty ? "" : " (\(stages.joined(separator: ", ")))"))
    if let output = picture.output { parts.append("→ " + output.onOneLine) }
    return parts.joined(separator: "  ")
  }

  var json: JSON {
    switch outcome {
    case .success(let picture):
      var milliseconds = picture.stages.map { (key: $0.name, value: JSON.milliseconds($0.seconds)) }
      milliseconds.append((key: "total", value: .milliseconds(picture.total)))
      return .members([
        "source": .string(source.text), "ok": .bool(true), "format": .string(picture.format),
        "width": .integer(picture.width), "height": .integer(picture.height), "bytes": .integer(picture.bytes),
        "origin": .string(picture.origin), "freshness": picture.freshness.map { .string($0) },
        "previews": picture.previews.map(JSON.integer),
        "output": .string(picture.output), "ms": .object(milliseconds),
      ])
    case .failure(let failure):
      return failure.json(source: source)
    }
  }
}

extension LoadFailure {
  /// The object of a source that failed.
  func json(source: Source) -> JSON {
    .members(["source": .string(source.text), "ok": .bool(false), "error": .string(reason)])
  }
}

/// A preview that was written.
struct PreviewResult: Sendable {
  let source: Source
  /// From 1 on.
  let number: Int
  let width: Int
  let height: Int
  let output: String

  var line: String {
    "\(source.displayName)  preview \(number)  \(width)x\(height)  → \(output.onOneLine)"
  }

  var json: JSON {
    .members([
      "source": .string(source.text), "preview": .integer(number), "width": .integer(width),
      "height": .integer(height), "output": .string(output),
    ])
  }
}
