#if Server
  /// The text format of Prometheus, version 0.0.4:
  /// <https://prometheus.io/docs/instrumenting/exposition_formats/>.
  enum PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// - Parameter prefix: a text before the name of the metric.
    static func text(_ metric: CollectedMetric, prefix: String = "") -> String {
      let name = prefix + metric.name
      return head(name, metric.kind.rawValue, help: metric.help)
        + metric.samples.map { sample(name, $0.labels, $0.value) }.joined()
    }

    private static func sample(_ name: String, _ labels: [(String, String)], _ value: MetricValue) -> String {
      switch value {
      case .number(let number): return line(name, labels, number)
      case .histogram(let bounds, let counts, let sum):
        var text = ""
        var total: UInt64 = 0
        for (index, count) in counts.enumerated() {
          total += count
          let bound = index < bounds.count ? number(bounds[index]) : "+Inf"
          text += line(name + "_bucket", labels + [("le", bound)], Double(total))
        }
        return text + line(name + "_sum", labels, sum) + line(name + "_count", labels, Double(total))
      }
    }

    /// Returns the name with invalid characters replaced.
    static func name(_ name: String) -> String {
      let replaced = String(
        name.unicodeScalars.map { scalar in
          let isFine =
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar))
          return isFine ? Character(scalar) : "_"
        })
      return replaced.first.map { ("0"..."9").contains($0) } ?? true ? "_" + replaced : replaced
    }

    private static func head(_ name: String, _ kind: String, help: String?) -> String {
      let help = help.map { "# HELP \(name) \($0.replacing("\\", with: "\\\\").replacing("\n", with: "\\n"))\n" }
      return (help ?? "") + "# TYPE \(name) \(kind)\n"
    }

    private static func line(_ name: String, _ labels: [(String, String)], _ value: Double) -> String {
      let pairs = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
      return "\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(number(value))\n"
    }

    private static func escaped(_ value: String) -> String {
      value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
      if value.isNaN { return "NaN" }
      if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
      return Int64(exactly: value).map { String($0) } ?? String(value)
    }
  }
#endif
