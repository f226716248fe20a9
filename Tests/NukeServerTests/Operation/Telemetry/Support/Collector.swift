#if Server
  import Foundation
  import NukeBase
  import NukeOrigin
  import Tracing

  @testable import NukeServer

  /// An OpenTelemetry collector on loopback, which keeps all requests.
  final class Collector: Sendable {
    let origin: NukeOrigin

    /// - Parameter answer: the response to a request with a number, which starts with 0.
    init(_ answer: @escaping @Sendable (Int) -> NukeOrigin.Response = { _ in .data(Data("{}".utf8)) }) throws {
      let count = Lock(0)
      origin = try NukeOrigin { _ in
        answer(
          count.withLock { count in
            count += 1
            return count - 1
          })
      }
    }

    var endpoint: URL { origin.url("") }

    /// All spans that were sent, in the order in which they arrived.
    var spans: [Span] { get throws { try Self.spans(in: origin.log) } }

    static func spans(in log: NukeOrigin.Log) throws -> [Span] {
      try log.requests(to: "/v1/traces").flatMap { request in
        try JSONDecoder().decode(Traces.self, from: request.body).resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans)
      }
    }

    /// Returns the spans when there is one with a name for each of the given names.
    func spans(named names: String...) async throws -> [Span] {
      let log = try await origin.waitUntil { log in
        let spans = (try? Self.spans(in: log)) ?? []
        return names.allSatisfy { name in spans.contains { $0.name == name } }
      }
      return try Self.spans(in: log)
    }

    /// Returns the metrics of the last export that has one with a name.
    func metrics(with name: String) async throws -> [String: Metric] {
      let log = try await origin.waitUntil { log in
        log.requests(to: "/v1/metrics").contains { String(decoding: $0.body, as: UTF8.self).contains("\"\(name)\"") }
      }
      let body = log.requests(to: "/v1/metrics").last?.body ?? Data()
      let metrics = try JSONDecoder().decode(Metrics.self, from: body)
        .resourceMetrics.flatMap(\.scopeMetrics).flatMap(\.metrics)
      return Dictionary(metrics.map { ($0.name, $0) }) { $1 }
    }

    /// The attributes of the resource of each request, by their names.
    var resources: [[String: String]] {
      get throws {
        try origin.log.requests.map { request in
          let decoder = JSONDecoder()
          let resources =
            request.path == "/v1/traces"
            ? try decoder.decode(Traces.self, from: request.body).resourceSpans.map(\.resource)
            : try decoder.decode(Metrics.self, from: request.body).resourceMetrics.map(\.resource)
          let attributes = resources.flatMap(\.attributes).map { ($0.key, $0.value.text ?? "") }
          return Dictionary(attributes) { $1 }
        }
      }
    }

    // MARK: Messages

    // As the specification describes them, and not as the server encodes them.
    struct Traces: Decodable {
      struct ResourceSpans: Decodable {
        var resource: Resource
        var scopeSpans: [ScopeSpans]
      }
      struct ScopeSpans: Decodable { var spans: [Span] }
      var resourceSpans: [ResourceSpans]
    }

    struct Metrics: Decodable {
      struct ResourceMetrics: Decodable {
        var resource: Resource
        var scopeMetrics: [ScopeMetrics]
      }
      struct ScopeMetrics: Decodable { var metrics: [Metric] }
      var resourceMetrics: [ResourceMetrics]
    }

    struct Resource: Decodable { var attributes: [Attribute] }

    struct Span: Decodable, Sendable {
      struct Status: Decodable, Sendable { var code: Int }
      var traceId: String
      var spanId: String
      var parentSpanId: String?
      var traceState: String?
      var name: String
      var kind: Int
      var startTimeUnixNano: String
      var endTimeUnixNano: String
      var attributes: [Attribute]
      var status: Status?

      subscript(attribute: String) -> String? { attributes.first { $0.key == attribute }?.value.text }
    }

    struct Metric: Decodable {
      struct Points: Decodable {
        struct Point: Decodable {
          var asDouble: Double?
          var count: String?
          var bucketCounts: [String]?
          var explicitBounds: [Double]?
          var attributes: [Attribute]
        }
        var dataPoints: [Point]
        var aggregationTemporality: Int?
        var isMonotonic: Bool?
      }
      var name: String
      var sum: Points?
      var gauge: Points?
      var histogram: Points?
    }

    struct Attribute: Decodable, Sendable {
      struct Value: Decodable, Sendable {
        var stringValue: String?
        var intValue: String?
        var boolValue: Bool?

        var text: String? { stringValue ?? intValue ?? boolValue.map { "\($0)" } }
      }
      var key: String
      var value: Value
    }
  }

  /// Keeps the spans that have ended.
  final class EndedSpans: Sendable {
    private let all = Lock<[FinishedSpan]>([])

    var spans: [FinishedSpan] { all.withLock { $0 } }
    func add(_ span: FinishedSpan) { all.withLock { $0.append(span) } }
  }

  extension FinishedSpan {
    /// A span of one nanosecond with a name.
    static func test(_ name: String = "a") -> FinishedSpan {
      FinishedSpan(
        trace: TraceContext(
          traceID: "0af7651916cd43dd8448eb211c80319c", spanID: "b7ad6b7169203331", isSampled: true),
        parentID: nil, name: name, kind: .internal, start: 1)
    }
  }
#endif
