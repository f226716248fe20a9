#if Server
  import Nuke
  import NukeServing

  /// Limits the bytes of responses that are held until slow clients have received them. It counts the files of long
  /// responses from their beginning, and written bytes that connections have not accepted.
  final class SendingBudget: Sendable {
    struct Statistics: Equatable {
      /// The number of long responses that are being sent, and of connections that have not accepted all bytes.
      var responses = 0
      /// The bytes of these files, and of written bytes that were not accepted.
      var bytes = 0
      var limit = 0
      /// The number of responses that were aborted for others, because their clients received nothing.
      var aborted = 0
      /// The number of responses that were rejected.
      var rejected = 0
    }

    private struct State {
      var table: SendingTable
      /// The actions that abort the responses.
      var aborts: [SendingTable.Number: @Sendable () -> Void] = [:]
      var aborted = 0
      var rejected = 0
    }

    private let state: Lock<State>
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - limit: the maximum number of bytes; `nil` for an eighth of the memory. A quarter is reserved for the
    ///     unaccepted bytes of short responses.
    ///   - clock: a monotonic clock, in seconds.
    init(limit: Int? = nil, clock: @escaping @Sendable () -> Double = { Double(ServiceClock.system.uptime()) / 1e9 }) {
      let limit: Int = limit ?? MemoryLimit.bytes / 8
      state = Lock(State(table: SendingTable(limit: limit, reservedForCopies: limit / 4)))
      self.clock = clock
    }

    var statistics: Statistics {
      state.withLock { state in
        Statistics(
          responses: state.table.count, bytes: state.table.bytes, limit: state.table.limit, aborted: state.aborted,
          rejected: state.rejected)
      }
    }

    /// Reserves the bytes of a response. They are released with the returned object.
    ///
    /// - Parameter abort: aborts the response if others need its bytes and the client receives nothing.
    /// - Throws: ``ServingError/overloaded(retryAfter:)``.
    func reserve(_ rendition: Rendition, abort: @escaping @Sendable () -> Void) throws(ServingError) -> Reservation {
      guard let reservation = reserve(rendition.entityTag, bytes: rendition.data.count, abort) else {
        throw .overloaded(retryAfter: 1)
      }
      return reservation
    }

    /// Reserves bytes that a client has not accepted. They are released with the returned object.
    ///
    /// - Parameter abort: aborts the response if others need its bytes and the client receives nothing.
    /// - Returns: `nil` if the budget is used up.
    func reserve(unsent count: Int, abort: @escaping @Sendable () -> Void) -> Reservation? {
      reserve(nil, bytes: count, abort)
    }

    /// Counts unaccepted bytes of a response that has already been admitted. It can exceed the limit.
    func add(unsent count: Int, abort: @escaping @Sendable () -> Void) -> Reservation {
      let now = clock()
      let number = state.withLock { state in
        let number = state.table.add(bytes: count, now: now)
        state.aborts[number] = abort
        return number
      }
      return Reservation(self, number)
    }

    private func reserve(
      _ name: String?, bytes count: Int, _ abort: @escaping @Sendable () -> Void
    ) -> Reservation? {
      let now = clock()
      let (number, aborts) = state.withLock { state in
        switch state.table.admit(name, bytes: count, now: now) {
        case .admitted(let number, let stalled):
          state.aborts[number] = abort
          state.aborted += stalled.count
          return (SendingTable.Number?.some(number), stalled.compactMap { state.aborts.removeValue(forKey: $0) })
        case .full:
          state.rejected += 1
          return (nil, [])
        }
      }
      for abort in aborts { abort() }
      return number.map { Reservation(self, $0) }
    }

    /// The bytes that a response holds in the budget while it is sent. They are released with this object.
    final class Reservation: Sendable {
      private let budget: SendingBudget
      private let number: SendingTable.Number

      fileprivate init(_ budget: SendingBudget, _ number: SendingTable.Number) {
        self.budget = budget
        self.number = number
      }

      deinit {
        let number = number
        budget.state.withLock { state in
          state.table.end(number)
          state.aborts[number] = nil
        }
      }

      /// Records that the client has received something.
      func progressed() {
        let now = budget.clock()
        budget.state.withLock { $0.table.progressed(number, now: now) }
      }
    }
  }
#endif
