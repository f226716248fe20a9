#if Server
  import Tracing

  extension OTLPMessage {
    struct Span: Encodable {
      struct Event: Encodable {
        let timeUnixNano: String
        let name: String
        let attributes: [Attribute]
      }

      struct Link: Encodable {
        let traceId: String
        let spanId: String
        let traceState: String?
      }

      struct Status: Encodable {
        let code: Int
        let message: String?
      }

      let traceId: String
      let spanId: String
      let parentSpanId: String?
      let traceState: String?
      let name: String
      let kind: Int
      let startTimeUnixNano: String
      let endTimeUnixNano: String
      let attributes: [Attribute]
      let events: [Event]
      let links: [Link]
      let status: Status?

      init(_ span: FinishedSpan) {
        traceId = span.trace.traceID
        spanId = span.trace.spanID
        parentSpanId = span.parentID
        traceState = span.trace.state
        name = span.name
        kind =
          switch span.kind {
          case .internal: 1
          case .server: 2
          case .client: 3
          case .producer: 4
          case .consumer: 5
          }
        startTimeUnixNano = String(span.start)
        endTimeUnixNano = String(span.end)
        attributes = Attribute.all(of: span.attributes)
        events = span.events.map {
          Event(
            timeUnixNano: String($0.nanosecondsSinceEpoch), name: $0.name, attributes: Attribute.all(of: $0.attributes))
        }
        links = span.links.map { Link(traceId: $0.traceID, spanId: $0.spanID, traceState: $0.state) }
        status = span.status.map {
          let code =
            switch $0.code {
            case .ok: 1
            case .error: 2
            }
          return Status(code: code, message: $0.message.map(Value.shortened))
        }
      }
    }
  }

  extension OTLPMessage.Attribute {
    /// Returns the attributes, sorted by name.
    static func all(of attributes: SpanAttributes) -> [Self] {
      var all: [Self] = []
      attributes.forEach { all.append(Self(key: $0, value: OTLPMessage.Value($1))) }
      return all.sorted { $0.key < $1.key }
    }
  }

  extension OTLPMessage.Value {
    /// The maximum length of a text in characters. The rest is cut off.
    static let textLimit = 1024

    static func shortened(_ text: String) -> String {
      text.utf8.count <= textLimit ? text : String(text.prefix(textLimit))
    }

    init(_ attribute: SpanAttribute) {
      switch attribute {
      case .int32(let number): self = .int(Int64(number))
      case .int64(let number): self = .int(number)
      case .double(let number): self = .double(number)
      case .bool(let flag): self = .bool(flag)
      case .string(let text): self = .string(Self.shortened(text))
      case .int32Array(let numbers): self = .array(numbers.map { .int(Int64($0)) })
      case .int64Array(let numbers): self = .array(numbers.map { .int($0) })
      case .doubleArray(let numbers): self = .array(numbers.map { .double($0) })
      case .boolArray(let flags): self = .array(flags.map { .bool($0) })
      case .stringArray(let texts): self = .array(texts.map { .string(Self.shortened($0)) })
      case .stringConvertible(let value): self = .string(Self.shortened(value.description))
      case .stringConvertibleArray(let values):
        self = .array(values.map { .string(Self.shortened($0.description)) })
      default: self = .string("")
      }
    }
  }
#endif
