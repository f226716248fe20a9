extension ImageTask {
  /// The first events of a task, for streams that are created right after it.
  ///
  /// A loader may answer before the program can create a stream. So the events are kept until a stream receives a later
  /// one, until the result has been awaited, or until a closure on the main actor has received it.
  struct EventHistory {
    private static let maximumEventCount = 256
    /// The maximum number of previews to keep. A preview is as large as the image.
    private static let maximumPreviewCount = 4

    private var isKept: Bool
    private var hasListener = false
    private var events: [Event] = []
    private var previewCount = 0
    /// The number of recent events that have not been delivered to all observers.
    private var queuedCount = 0

    init(isKept: Bool) { self.isKept = isKept }

    /// - Parameter isQueued: `true` if the event will be delivered to the observers, new ones included.
    mutating func record(_ event: Event, isQueued: Bool) {
      guard isKept, !hasListener else { return }
      switch event {
      case .finished: return
      case .preview where previewCount == Self.maximumPreviewCount: return
      case .preview: previewCount += 1
      case .progress:
        // Only the latest progress is kept.
        if events.count >= Self.maximumEventCount, case .progress? = events.last {
          events[events.count - 1] = event
          return
        }
      }
      events.append(event)
      if isQueued { queuedCount += 1 }
    }

    /// The events that a new stream has missed.
    mutating func listen() -> ArraySlice<Event> {
      guard isKept else { return [] }
      hasListener = true
      return events.dropLast(queuedCount)
    }

    /// - Returns: the events to release, because a stream has received all later ones.
    mutating func didTakeDelivery() -> [Event] {
      queuedCount = 0
      return hasListener ? end() : []
    }

    /// Drops the events, which are returned to be destroyed outside of any lock.
    mutating func end() -> [Event] {
      isKept = false
      return exchange(&events, with: [])
    }
  }
}
