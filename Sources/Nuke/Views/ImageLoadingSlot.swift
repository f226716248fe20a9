/// Holds the load of a view, and cancels it when the view that stores the slot is released.
///
/// A view only stores the slot, and calls none of its methods.
@MainActor public final class ImageLoadingSlot {
  private var occupant: (any SlotOccupant)?
  private let keeper: Keeper?
  /// `true` if the target does not store the slot.
  var isKept: Bool { keeper != nil }

  /// Creates a slot for a view to store. Can be called on any thread.
  nonisolated public init() { keeper = nil }

  /// Creates a slot for a target that stores none. It is kept while an image loads.
  private init(for owner: AnyObject) { keeper = Keeper(owner) }

  /// Releases the closures of the load, so that they are not called anymore.
  ///
  /// - Returns: the work to cancel. If an equal load is started before it is canceled, that load joins the work.
  package func vacate() -> (any Cancellable)? {
    let previous = occupant.take()
    keeper?.release(self)
    // Last, because an object that is released with the closures may start a load, which stays in the slot.
    return previous?.silence()
  }

  /// Stores a load, and ends the one that was stored before.
  package func occupy(_ load: any SlotOccupant) {
    let previous = exchange(&occupant, with: load)
    keeper?.keep(self)
    previous?.silence()?.cancel()
  }

  /// Empties the slot if it holds `load`.
  package func vacate(_ load: any SlotOccupant) {
    if occupant === load { vacate()?.cancel() }
  }
}

/// A load in a slot. It cancels its work when it is released.
@MainActor package protocol SlotOccupant: AnyObject {
  /// Releases the closures.
  ///
  /// - Returns: the work to cancel; `nil` if it has ended.
  func silence() -> (any Cancellable)?
}

// MARK: Targets that store no slot

extension ImageLoadingSlot {
  /// The slots in use, by the address of their target. The address may belong to another object by now.
  private static var kept: [ObjectIdentifier: ImageLoadingSlot] = [:]
  private static var sweepsAt = 16

  /// Returns the slot that is kept for `owner`, or else a new one.
  package static func slot(of owner: AnyObject) -> ImageLoadingSlot {
    if let slot = kept[ObjectIdentifier(owner)], slot.keeper?.owner === owner { return slot }
    return ImageLoadingSlot(for: owner)
  }

  /// The number of slots in use.
  package static var keptCount: Int { kept.count }

  /// Returns `true` if a slot is kept for the object that is, or was, at the address `place`.
  package static func isKept(at place: ObjectIdentifier) -> Bool { kept[place] != nil }

  /// Keeps a slot alive while an image loads.
  @MainActor private final class Keeper {
    private let place: ObjectIdentifier
    private(set) weak var owner: AnyObject?

    init(_ owner: AnyObject) {
      place = ObjectIdentifier(owner)
      self.owner = owner
    }

    func keep(_ slot: ImageLoadingSlot) {
      // If another object had this address before, its slot is released and its load canceled.
      let replaced = kept.updateValue(slot, forKey: place)
      // Slots are released when `kept` is not being accessed. Their loads may be the last references to objects whose
      // `deinit` uses other slots.
      defer { withExtendedLifetime(replaced) {} }
      guard kept.count >= sweepsAt else { return }
      let all = kept
      let unused = all.filter { $0.value.keeper?.owner == nil }
      for (place, slot) in unused where kept[place] === slot { kept[place] = nil }
      sweepsAt = max(16, kept.count * 2)
      withExtendedLifetime(unused) {}
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
