import Synchronization

/// A reference that is set once, by whoever comes first, and then kept.
///
/// Reading it costs a load and a retain. `AtomicLazyReference` does the same, but its calls are not specialized (seen in
/// Swift 6.3), and one of them costs more than a look-up in a cache.
/// The object is handed to other threads as it is, so it must be safe to use from several.
struct OnceReference<Object: AnyObject>: ~Copyable, Sendable {
  private let bits = Atomic<UInt>(0)

  /// A number that differs from that of every other object which is alive; 0 where none is set.
  var address: UInt { bits.load(ordering: .acquiring) }

  func load() -> Object? { Self.object(bits.load(ordering: .acquiring)) }

  /// Sets the reference unless there is one, and gives the one there is.
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
