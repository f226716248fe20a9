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
    /// The path of the file that was written, and its size in bytes.
    private var output: (path: String, bytes: Int)?
    private let damage: ImageDamage?

    init(_ response: ImageResponse, facts: ImageTask.Facts) {
      self.init(
        response.container.type.flatMap(ImageFormat.init(type:)), width: response.image.pixelWidth,
        height: response.image.pixelHeight, damage: response.container.damage, facts: facts)
    }

    /// Creates the result for data that was loaded and not decoded.
    init(_ header: ImageHeader, facts: ImageTask.Facts) {
      self.init(header.format, width: header.pixelWidth, height: header.pixelHeight, damage: nil, facts: facts)
    }

    private init(_ format: ImageFormat?, width: Int, height: Int, damage: ImageDamage?, facts: ImageTask.Facts) {
      (self.format, self.width, self.height, self.damage) = (format, width, height, damage)
      bytes = facts.byteCount
      origin = facts.origin ?? .network
      freshness = facts.freshness.map { "\($0)" }
      stages = [
        ("queued", facts.queued), ("loading", facts.loading), ("opening", facts.opening),
        ("decoding", facts.decoding), ("processing", facts.processing),
      ]
      total = facts.total
    }

    /// Creates the result for a source that was converted outside of the pipeline.
    init(
      _ format: ImageFormat, width: Int, height: Int, bytes: Int, origin: ImageTask.Facts.Origin,
      stages: [(name: String, seconds: TimeInterval)], output: (path: String, bytes: Int)
    ) {
      (self.format, self.width, self.height, self.bytes) = (format, width, height, bytes)
      self.origin = origin
      freshness = nil
      damage = nil
      self.stages = stages
      total = stages.reduce(0) { $0 + $1.seconds }
      self.output = output
    }

    mutating func addOutput(_ path: String, bytes: Int, encoding: TimeInterval? = nil, writing: TimeInterval) {
      output = (path, bytes)
      stages += [encoding.map { ("encoding", $0) }, ("writing", writing)].compactMap(\.self)
      total += (encoding ?? 0) + writing
    }

    /// The image on one line: the names, the size in pixels and in bytes, and the time. The format and the number of
    /// bytes are those of the source, or of the file that was written.
    ///
    /// - Parameter isVerbose: `true` to add the format and the origin, the number of bytes of both files, and the
    ///   stages.
    func line(_ source: Source, isVerbose: Bool = false) -> String {
      var parts = [source.displayName + (output.map { " → " + $0.path.onOneLine } ?? "")]
      let isDescribed = isVerbose || output == nil
      parts.append("\(width)x\(height)" + (isDescribed ? format.map { " \($0.displayName)" } ?? "" : ""))
      let note = freshness.flatMap { $0 == "fresh" ? nil : ", \($0)" } ?? ""
      // Usually, it follows from the name of the source.
      if isVerbose || origin != source.origin || !note.isEmpty { parts.append(source.name(of: origin) + note) }
      let counts = isVerbose ? [bytes, output?.bytes ?? 0] : [output?.bytes ?? bytes]
      let sizes = counts.filter { $0 > 0 }.map { Format.bytes(Int64($0)) }
      if !sizes.isEmpty { parts.append(sizes.joined(separator: " → ")) }
      if let previews { parts.append(Format.count(previews, "preview")) }
      if let damage { parts.append("damaged, \(Int((damage.rowFraction * 100).rounded())) % of the rows") }
      let stages = isVerbose ? stages.filter { $0.seconds >= 0.000_05 } : []
      let durations = stages.map { "\($0.name) \(Format.duration($0.seconds))" }.joined(separator: ", ")
      parts.append(Format.duration(total) + (durations.isEmpty ? "" : " (\(durations))"))
      return parts.joined(separator: "  ")
    }

    func report(_ source: Source, isVerbose: Bool) -> SourceReport {
      let milliseconds = (stages + [("total", total)]).map { (key: $0.name, value: JSON.milliseconds($0.seconds)) }
      return SourceReport(
        source: source, lines: [line(source, isVerbose: isVerbose)],
        members: JSON.list([
          "format": .string(format?.rawValue), "width": .integer(width), "height": .integer(height),
          "bytes": .integer(bytes), "origin": .string(source.name(of: origin)),
          "freshness": freshness.map { .string($0) }, "previews": previews.map(JSON.integer),
          "damage": damage.map { .string($0.reason.description.onOneLine) },
          "decodedRows": damage.map { .number($0.rowFraction) },
          "output": .string(output?.path.pathForPrograms), "outputBytes": output.map { .integer($0.bytes) },
          "ms": .object(milliseconds),
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
