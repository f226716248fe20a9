#if Server
  /// The messages of OTLP/HTTP, in its JSON encoding: <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>.
  ///
  /// The encoding is that of Protocol Buffers: integers of 64 bits are strings, and enumerations are numbers. IDs are
  /// hexadecimal.
  enum OTLPMessage {
    struct Traces: Encodable {
      struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]
      }

      struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [Span]
      }

      let resourceSpans: [ResourceSpans]

      init(_ spans: [FinishedSpan], of resource: Resource) {
        resourceSpans = [
          ResourceSpans(resource: resource, scopeSpans: [ScopeSpans(scope: Scope(), spans: spans.map(Span.init))])
        ]
      }
    }

    struct Metrics: Encodable {
      struct ResourceMetrics: Encodable {
        let resource: Resource
        let scopeMetrics: [ScopeMetrics]
      }

      struct ScopeMetrics: Encodable {
        let scope: Scope
        let metrics: [Metric]
      }

      let resourceMetrics: [ResourceMetrics]

      /// - Parameters:
      ///   - start: the time at which the counters were 0, in nanoseconds since 1970.
      ///   - now: nanoseconds since 1970.
      init(_ metrics: [CollectedMetric], of resource: Resource, start: UInt64, now: UInt64) {
        let metrics = metrics.map { Metric($0, start: start, now: now) }
        resourceMetrics = [
          ResourceMetrics(resource: resource, scopeMetrics: [ScopeMetrics(scope: Scope(), metrics: metrics)])
        ]
      }
    }

    /// The process that spans and metrics come from.
    struct Resource: Encodable {
      let attributes: [Attribute]

      init(_ attributes: [String: String]) {
        self.attributes = attributes.sorted { $0.key < $1.key }.map { Attribute(key: $0.key, value: .string($0.value)) }
      }
    }

    /// The code that spans and metrics come from.
    struct Scope: Encodable {
      let name = "nuke"
    }

    struct Attribute: Encodable, Equatable {
      let key: String
      let value: Value
    }

    enum Value: Encodable, Equatable {
      case string(String)
      case bool(Bool)
      case int(Int64)
      case double(Double)
      case array([Value])

      private enum Key: String, CodingKey { case stringValue, boolValue, intValue, doubleValue, arrayValue }
      private struct Values: Encodable { let values: [Value] }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .string(let text): try container.encode(text, forKey: .stringValue)
        case .bool(let flag): try container.encode(flag, forKey: .boolValue)
        case .int(let number): try container.encode(String(number), forKey: .intValue)
        case .double(let number): try container.encode(number, forKey: .doubleValue)
        case .array(let values): try container.encode(Values(values: values), forKey: .arrayValue)
        }
      }
    }
  }
#endif
