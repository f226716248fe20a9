#if Command
  import Foundation
  import Nuke

  /// An image that was loaded, and written if that was requested.
  struct LoadedImage: Sendable {
    let width: Int
    let height: Int
    let bytes: Int
    private let format: ImageFormat?
    private let origin: ImageTask.Facts.Origin
    /// `nil` if freshness was ignored.
    private let freshness: String?
    /// The duration of each stage, in seconds and in order.
    private var stages: [(name: String, seconds: TimeInterval)]
    /// Seconds from the request to the end, including the output.
    private var total: TimeInterval
    /// The number of previews; `nil` if they were not requested.
    var previews: Int?
    private var output: String?
    private let damage: ImageDamage?

    init(_ response: ImageResponse, facts: ImageTask.Facts) {
      format = response.container.type.flatMap(ImageFormat.init(type:))
      width = response.image.pixelWidth
      height = response.image.pixelHeight
      bytes = facts.byteCount
      origin = facts.origin ?? .network
      freshness = facts.freshness.map { "\($0)" }
      stages = [
        ("queued", facts.queued), ("loading", facts.loading), ("opening", facts.opening),
        ("decoding", facts.decoding), ("processing", facts.processing),
      ]
      total = facts.total
      damage = response.container.damage
    }

    /// Creates the result for a source that was converted outside of the pipeline.
    init(
      _ format: ImageFormat, width: Int, height: Int, bytes: Int, origin: ImageTask.Facts.Origin,
      stages: [(name: String, seconds: TimeInterval)], output: String
    ) {
      (self.format, self.width, self.height, self.bytes) = (format, width, height, bytes)
      self.origin = origin
      freshness = nil
      damage = nil
      self.stages = stages
      total = stages.reduce(0) { $0 + $1.seconds }
      self.output = output
    }

    mutating func addOutput(_ path: String, encoding: TimeInterval, writing: TimeInterval) {
      output = path
      stages += [("encoding", encoding), ("writing", writing)]
      total += encoding + writing
    }

    func line(_ source: Source) -> String {
      var parts = [source.displayName, "\(width)x\(height)" + (format.map { " \($0.displayName)" } ?? "")]
      parts.append(source.name(of: origin) + (freshness.flatMap { $0 == "fresh" ? nil : ", \($0)" } ?? ""))
      if bytes > 0 { parts.append(Format.bytes(Int64(bytes))) }
      if let previews { parts.append(Format.count(previews, "preview")) }
      if let damage { parts.append("damaged, \(Int((damage.rowFraction * 100).rounded())) % of the rows") }
      let stages = stages.filter { $0.seconds >= 0.000_05 }.map { "\($0.name) \(Format.duration($0.seconds))" }
      parts.append(Format.duration(total) + (stages.isEmpty ? "" : " (\(stages.joined(separator: ", ")))"))
      if let output { parts.append("→ " + output.onOneLine) }
      return parts.joined(separator: "  ")
    }

    func report(_ source: Source) -> SourceReport {
      let milliseconds = (stages + [("total", total)]).map { (key: $0.name, value: JSON.milliseconds($0.seconds)) }
      return SourceReport(
        source: source, lines: [line(source)],
        members: JSON.list([
          "format": .string(format?.rawValue), "width": .integer(width), "height": .integer(height),
          "bytes": .integer(bytes), "origin": .string(source.name(of: origin)),
          "freshness": freshness.map { .string($0) }, "previews": previews.map(JSON.integer),
          "damage": damage.map { .string($0.reason.description.onOneLine) },
          "decodedRows": damage.map { .number($0.rowFraction) },
          "output": .string(output?.pathForPrograms), "ms": .object(milliseconds),
        ]))
    }
  }

  /// The totals of a run.
  struct LoadSummary {
    private(set) var count = 0
    private var failedCount = 0
    private var skippedCount = 0
    private var bytes: Int64 = 0

    mutating func add(_ result: Result<LoadedImage, LoadFailure>) {
      count += 1
      switch result {
      case .success(let loaded): bytes += Int64(loaded.bytes)
      case .failure: failedCount += 1
      }
    }

    /// Counts a source that was left out.
    mutating func addSkipped() {
      count += 1
      skippedCount += 1
    }

    func line(seconds: TimeInterval) -> String {
      "\(count - failedCount - skippedCount) loaded" + (skippedCount > 0 ? ", \(skippedCount) skipped" : "")
        + (failedCount > 0 ? ", \(failedCount) failed" : "")
        + ": \(Format.bytes(bytes)) in \(Format.duration(seconds))"
    }
  }
#endif
