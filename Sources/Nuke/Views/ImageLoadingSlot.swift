import NukeHTTP

/// Holds the load of a view, and cancels it when the view that stores the slot is released.
///
/// A view only stores the slot, and calls none of its methods.
@MainActor public final class ImageLoadingSlot {
  /// A result that is being shown in a target.
  private struct Showing {
    let place: ObjectIdentifier
    /// The result during whose presentation this one is shown.
    let outer: UnsafeMutablePointer<Showing>?
    /// `true` once the target has been given another load.
    var isReplaced = false
  }

  /// The innermost result that is being shown. It is on the stack, because each memory hit adds one.
  private static var shown: UnsafeMutablePointer<Showing>?

  private var occupant: (any SlotOccupant)?
  private let keeper: Keeper?
  /// The identity of the target if it stores no slot, so that all slots created for it have the same; otherwise, that
  /// of the slot.
  private var place: ObjectIdentifier { keeper?.place ?? ObjectIdentifier(self) }
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
    var showing = Self.shown
    while let current = showing {
      if current.pointee.place == place { current.pointee.isReplaced = true }
      showing = current.pointee.outer
    }
    return replaceOccupant(with: nil)?.silence()
  }

  /// Runs `show`, which shows a result that is known at once, in place of the load.
  ///
  /// - Returns: `false` if the target was meanwhile given another load, or its load was canceled. This can happen in
  ///   `show`, and in the `deinit` of an object that is released with the closures of the previous load.
  @discardableResult
  package func replaceLoad(showing show: () -> Void) -> Bool {
    var showing = Showing(place: place, outer: Self.shown)
    return withUnsafeMutablePointer(to: &showing) { showing in
      Self.shown = showing
      defer { Self.shown = showing.pointee.outer }
      replaceOccupant(with: nil)?.silence()?.cancel()
      show()
      return !showing.pointee.isReplaced
    }
  }

  /// Stores a load, and ends the one that was stored before.
  package func occupy(_ load: any SlotOccupant) {
    replaceOccupant(with: load)?.silence()?.cancel()
  }

  /// - Returns: the previous load. It must be silenced last, because an object that is released with its closures may
  ///   start another load, which stays in the slot.
  private func replaceOccupant(with load: (any SlotOccupant)?) -> (any SlotOccupant)? {
    guard occupant != nil || load != nil else { return nil }
    let previous = exchange(&occupant, with: load)
    if load == nil { keeper?.release(self) } else { keeper?.keep(self) }
    return previous
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
    let place: ObjectIdentifier
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
