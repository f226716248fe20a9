import NukeHTTP

/// A load in a slot: the closures of its caller, and the running work.
@MainActor package final class SlotLoad<Handlers>: SlotOccupant {
  /// The closures to call; `nil` once the load has ended or is no longer wanted.
  package private(set) var handlers: Handlers?
  private var work: (any Cancellable)?

  package init(_ handlers: Handlers) { self.handlers = handlers }

  // The slot was released together with its view.
  deinit { work?.cancel() }

  /// Sets the work that was started for the load.
  package func run(_ work: any Cancellable) { self.work = work }

  package func silence() -> (any Cancellable)? {
    // The closures may be the last references to an object whose `deinit` starts or cancels a load of the view. They are
    // released when nothing is being accessed, and nothing is left to do.
    let (released, work) = (handlers.take(), work.take())
    return withExtendedLifetime(released) { work }
  }
}
