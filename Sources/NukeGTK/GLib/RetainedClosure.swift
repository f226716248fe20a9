#if GTK
  /// An object that C code retains for a closure.
  final class RetainedClosure<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }

    /// Returns the closure that C code has retained.
    static func body(of closure: UnsafeMutableRawPointer) -> Body {
      Unmanaged<RetainedClosure>.fromOpaque(closure).takeUnretainedValue().body
    }
  }

  /// Releases an object that C code has retained. It is a `GDestroyNotify`.
  package func releaseRetained(_ object: UnsafeMutableRawPointer?) {
    if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
  }
#endif
