/// A load in a slot: what has been promised to its caller, and the work that is done for it.
@MainActor package final class SlotLoad<Handlers>: SlotOccupant {
  /// The closures to call; `nil` once the load has ended or is no longer wanted.
  package private(set) var handlers: Handlers?
  private var work: (any Cancellable)?

  package init(_ handlers: Handlers) { self.handlers = handlers }

  // The slot has gone, and its view with it.
  deinit { work?.cancel() }

  /// Takes the work that has been started for the load.
  package func run(_ work: any Cancellable) { self.work = work }

  package func silence() -> (any Cancellable)? {
    handlers = nil
    defer { work = nil }
    return work
  }
}
