#if Server
  import Nuke
  import NukeImaging
  import NukeServing

  /// Room for the bytes of answers that are held until slow clients have taken them: the files of long ones, from their
  /// beginning, and what was written to connections and not taken at once.
  final class SendingBudget: Sendable {
    struct Statistics: Equatable {
      /// Long answers that are being sent, and connections whose clients have not taken at once what was written.
      var answers = 0
      /// Bytes of the files of these, and of what was written.
      var bytes = 0
      var limit = 0
      /// Answers that were given up for others, since their clients took nothing.
      var givenUp = 0
      /// Answers that there was no room for.
      var refused = 0
    }

    static let defaultLimit = MemoryLimit.bytes / 8

    private struct State {
      var table: SendingTable
      var ends: [SendingTable.Number: @Sendable () -> Void] = [:]
      var givenUp = 0
      var refused = 0
    }

    private let state: Lock<State>
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - limit: bytes at a time; a quarter of them is for what is not taken of short answers alone.
    ///   - clock: seconds of a clock that only goes forward.
    init(limit: Int, clock: @escaping @Sendable () -> Double = { Double(ServiceClock.system.uptime()) / 1e9 }) {
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

    /// Room for an answer, for as long as what is returned is kept.
    ///
    /// - Parameter giveUp: ends the sending, when others need the room and the client takes nothing.
    /// - Throws: ``ServingError/overloaded(retryAfter:)``.
    func admit(_ rendition: Rendition, giveUp: @escaping @Sendable () -> Void) throws(ServingError) -> Place {
      guard let place = place(rendition.entityTag, bytes: rendition.data.count, giveUp) else {
        throw .overloaded(retryAfter: 1)
      }
      return place
    }

    /// The same for bytes that a client has not taken; `nil` if there is no room.
    func admit(untaken count: Int, giveUp: @escaping @Sendable () -> Void) -> Place? {
      place(nil, bytes: count, giveUp)
    }

    /// The same where these are of an answer that has room: it goes on, and leaves less for others.
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

      /// The client has taken something.
      func progressed() {
        let now = budget.clock()
        budget.state.withLock { $0.table.progressed(number, now: now) }
      }
    }
  }
#endif
