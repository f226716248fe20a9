/// Holds the one load of a view, and cancels it when the view is destroyed, since a stored slot goes with it.
///
/// A slot is all that a view has to store for this; there is nothing to call.
@MainActor public final class ImageLoadingSlot {
  private var occupant: (any SlotOccupant)?
  private let keeper: Keeper?

  /// A slot for a view to store. It can be made on any thread.
  nonisolated public init() { keeper = nil }

  /// A slot for something that stores none. It is kept while it is occupied.
  private init(for owner: AnyObject) { keeper = Keeper(owner) }

  /// Silences what the slot holds: its closures are let go, and none of them is called any more.
  ///
  /// - Returns: its work, to be canceled. Done after an equal load has begun, that one takes the work over.
  package func vacate() -> (any Cancellable)? {
    let work = occupant?.silence()
    occupant = nil
    keeper?.release(self)
    return work
  }

  /// Gives the slot to a load that has begun.
  package func occupy(_ load: any SlotOccupant) {
    vacate()?.cancel()
    occupant = load
    keeper?.keep(self)
  }

  /// Empties the slot, if it is `load` that holds it.
  package func vacate(_ load: any SlotOccupant) {
    if occupant === load { vacate()?.cancel() }
  }
}

/// A load that a slot holds. Destroyed with the slot, it cancels its work.
@MainActor package protocol SlotOccupant: AnyObject {
  /// Lets the closures go.
  ///
  /// - Returns: the work, to be canceled; `nil` if it has ended.
  func silence() -> (any Cancellable)?
}

// MARK: Targets that store no slot

extension ImageLoadingSlot {
  /// Slots that are occupied, by the place in memory of whom they are for. Another object may be there by now.
  private static var kept: [ObjectIdentifier: ImageLoadingSlot] = [:]
  private static var sweepsAt = 16

  /// The slot that is kept for `owner`, or else a new one.
  package static func slot(of owner: AnyObject) -> ImageLoadingSlot {
    if let slot = kept[ObjectIdentifier(owner)], slot.keeper?.owner === owner { return slot }
    return ImageLoadingSlot(for: owner)
  }

  /// The number of slots in use.
  package static var keptCount: Int { kept.count }

  /// Returns `true` if a slot is kept for what is, or was, at `place`.
  package static func isKept(at place: ObjectIdentifier) -> Bool { kept[place] != nil }

  /// Keeps a slot while it is occupied.
  @MainActor private final class Keeper {
    private let place: ObjectIdentifier
    private(set) weak var owner: AnyObject?

    init(_ owner: AnyObject) {
      place = ObjectIdentifier(owner)
      self.owner = owner
    }

    func keep(_ slot: ImageLoadingSlot) {
      // That of an object which was here before goes, and its load with it.
      kept[place] = slot
      guard kept.count >= sweepsAt else { return }
      kept = kept.filter { $0.value.keeper?.owner != nil }
      sweepsAt = max(16, kept.count * 2)
    }

    func release(_ slot: ImageLoadingSlot) {
      if kept[place] === slot { kept[place] = nil }
    }
  }
}

extension ImageLoadingTarget {
  /// A slot that is kept for the target while something loads.
  public var imageLoading: ImageLoadingSlot { ImageLoadingSlot.slot(of: self) }
}
