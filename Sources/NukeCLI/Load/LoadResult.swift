import Foundation
import Nuke

/// What became of one source.
struct LoadResult: Sendable {
  /// An image that was loaded, and written where that was asked for.
  struct Loaded: Sendable {
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
  let outcome: Result<Loaded, LoadFailure>

  /// The line that is printed for an image: what it is, where it came from, how long that took.
  var line: String? {
    guard case .success(let image) = outcome else { return nil }
    var parts = [source.displayName, "\(image.width)x\(image.height)"]
    if let format = image.format { parts[1] += " " + (ImageFormat(rawValue: format)?.displayName ?? format) }
    // Fresh is what goes without saying.
    parts.append(image.origin + (image.freshness.flatMap { $0 == "fresh" ? nil : ", \($0)" } ?? ""))
    if image.bytes > 0 { parts.append(Format.bytes(Int64(image.bytes))) }
    if let count = image.previews { parts.append(Format.count(count, "preview")) }
    let stages = image.stages.filter { $0.seconds >= 0.000_05 }.map { "\($0.name) \(Format.duration($0.seconds))" }
    parts.append(Format.duration(image.total) + (stages.isEmpty ? "" : " (\(stages.joined(separator: ", ")))"))
    if let output = image.output { parts.append("→ " + output.onOneLine) }
    return parts.joined(separator: "  ")
  }

  var json: JSON {
    switch outcome {
    case .success(let image):
      var milliseconds = image.stages.map { (key: $0.name, value: JSON.milliseconds($0.seconds)) }
      milliseconds.append((key: "total", value: .milliseconds(image.total)))
      return .members([
        "source": .string(source.text), "ok": .bool(true), "format": .string(image.format),
        "width": .integer(image.width), "height": .integer(image.height), "bytes": .integer(image.bytes),
        "origin": .string(image.origin), "freshness": image.freshness.map { .string($0) },
        "previews": image.previews.map(JSON.integer),
        "output": .string(image.output), "ms": .object(milliseconds),
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
