#if Server
  import Nuke
  import NukeServing

  /// Limits the bytes of responses that are held until slow clients have received them. It counts the files of long
  /// responses from their beginning, and written bytes that connections have not accepted.
  final class SendingBudget: Sendable {
    struct Statistics: Equatable {
      /// The number of long responses that are being sent, and of connections that have not accepted all bytes.
      var answers = 0
      /// The bytes of these files, and of written bytes that were not accepted.
      var bytes = 0
      var limit = 0
      /// The number of responses that were aborted for others, because their clients received nothing.
      var givenUp = 0
      /// The number of responses that were rejected.
      var refused = 0
    }

    private struct State {
      var table: SendingTable
      var ends: [SendingTable.Number: @Sendable () -> Void] = [:]
      var givenUp = 0
      var refused = 0
    }

    private let state: Lock<State>
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - limit: the maximum number of bytes; `nil` for an eighth of the memory. A quarter is reserved for the
    ///     unaccepted bytes of short responses.
    ///   - clock: a monotonic clock, in seconds.
    init(limit: Int? = nil, clock: @escaping @Sendable () -> Double = { Double(ServiceClock.system.uptime()) / 1e9 }) {
      let limit: Int = limit ?? MemoryLimit.bytes / 8
      state = Lock(State(table: SendingTable(limit: limit, keptForCopies: limit / 4)))
      self.clock = clock
    }

    var statistics: Statistics {
      state.withLock { state in
        Statistics(
          answers: state.table.count, bytes: state.table.bytes, limit: state.table.limit, givenUp: state.givenUp,
          refused: state.refused)
      }
    }

    /// Reserves room for a response. The room is released with the returned object.
    ///
    /// - Parameter giveUp: aborts the response if others need the room and the client receives nothing.
    /// - Throws: ``ServingError/overloaded(retryAfter:)``.
    func admit(_ rendition: Rendition, giveUp: @escaping @Sendable () -> Void) throws(ServingError) -> Place {
      guard let place = place(rendition.entityTag, bytes: rendition.data.count, giveUp) else {
        throw .overloaded(retryAfter: 1)
      }
      return place
    }

    /// Reserves room for bytes that a client has not accepted. The room is released with the returned object.
    ///
    /// - Parameter giveUp: aborts the response if others need the room and the client receives nothing.
    /// - Returns: `nil` if there is no room.
    func admit(untaken count: Int, giveUp: @escaping @Sendable () -> Void) -> Place? {
      place(nil, bytes: count, giveUp)
    }

    /// Counts unaccepted bytes of a response that has already been admitted. It can exceed the limit.
    func add(untaken count: Int, giveUp: @escaping @Sendable () -> Void) -> Place {
      let now = clock()
      let number = state.withLock { state in
        let number = state.table.add(bytes: count, now: now)
        state.ends[number] = giveUp
        return number
      }
      return Place(self, number)
    }

    private func place(_ name: String?, bytes count: Int, _ giveUp: @escaping @Sendable () -> Void) -> Place? {
      let now = clock()
      let (number, ends) = state.withLock { state in
        switch state.table.admit(name, bytes: count, now: now) {
        case .admitted(let number, let stalled):
          state.ends[number] = giveUp
          state.givenUp += stalled.count
          return (SendingTable.Number?.some(number), stalled.compactMap { state.ends.removeValue(forKey: $0) })
        case .full:
          state.refused += 1
          return (nil, [])
        }
      }
      for end in ends { end() }
      return number.map { Place(self, $0) }
    }

    /// The share of a response in the budget while it is sent.
    final class Place: Sendable {
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
          state.ends[number] = nil
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
