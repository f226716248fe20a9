import Synchronization

/// A reference that is set once. If several threads set it, the first one wins.
///
/// Reading it costs a load and a retain. `AtomicLazyReference` has the same behavior, but its calls are not specialized
/// (observed in Swift 6.3), and a call costs more than a cache look-up. The object is shared between threads, so it
/// must be thread-safe.
struct OnceReference<Object: AnyObject>: ~Copyable, Sendable {
  private let bits = Atomic<UInt>(0)

  /// A number that identifies the object among all live objects; 0 if none is set.
  var address: UInt { bits.load(ordering: .acquiring) }

  func load() -> Object? { Self.object(bits.load(ordering: .acquiring)) }

  /// Sets the reference if there is none, and returns the stored one.
  func storeIfNil(_ object: Object) -> Object {
    let retained = Unmanaged.passRetained(object)
    let (exchanged, original) = bits.compareExchange(
      expected: 0, desired: UInt(bitPattern: retained.toOpaque()), ordering: .acquiringAndReleasing)
    if exchanged { return object }
    retained.release()
    return Self.object(original) ?? object
  }

  private static func object(_ bits: UInt) -> Object? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  deinit {
    if let pointer = UnsafeRawPointer(bitPattern: bits.load(ordering: .relaxed)) {
      Unmanaged<Object>.fromOpaque(pointer).release()
    }
  }
}
