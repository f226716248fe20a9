#if GTK
  /// An object that C code retains for a closure.
  final class Box<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }

    /// Returns the closure of a retained box.
    static func body(of box: UnsafeMutableRawPointer) -> Body {
      Unmanaged<Box>.fromOpaque(box).takeUnretainedValue().body
    }
  }

  /// Releases an object that C code has retained. It is a `GDestroyNotify`.
  package func releaseRetained(_ object: UnsafeMutableRawPointer?) {
    if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
  }
#endif
