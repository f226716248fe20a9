#if Server
  import HTTPTypes
  import NukeHTTPCaching
  import NukeImaging

  /// The `Date` field (RFC 9110 §6.6.1), formatted once a second.
  final class DateField: Sendable {
    private let last = Lock<(second: Int, field: HTTPField)?>(nil)

    /// - Parameter now: seconds since 1970.
    func field(at now: Int) -> HTTPField {
      last.withLock { last in
        if let last, last.second == now { return last.field }
        let field = HTTPField(name: .date, value: HTTPDate.text(now))
        last = (now, field)
        return field
      }
    }
  }
#endif
