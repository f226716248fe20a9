#if SVG
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Runs deeply recursive work on a thread with a large stack. The depth of the recursion depends on the input.
  enum DeepStack {
    /// librsvg takes up to 10 KB for each of 256 levels, and each element takes more than one level.
    private static let byteCount = 32 << 20

    /// Returns the result of `body`. The caller waits for it. Returns `nil` if no thread can be created.
    static func run<Value>(_ body: () -> Value) -> Value? {
      withoutActuallyEscaping(body) { body in
        var result: Value?
        withUnsafeMutablePointer(to: &result) { result in
          let threadBody = ThreadBody { result.pointee = body() }
          let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
          defer { attributes.deallocate() }
          guard pthread_attr_init(attributes) == 0 else { return }
          defer { pthread_attr_destroy(attributes) }
          pthread_attr_setstacksize(attributes, byteCount)
          var thread: pthread_t = 0
          let context = Unmanaged.passRetained(threadBody)
          let status = pthread_create(
            &thread, attributes,
            { context in
              if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body() }
              return nil
            }, context.toOpaque())
          guard status == 0 else { return context.release() }
          pthread_join(thread, nil)
        }
        return result
      }
    }

    private final class ThreadBody {
      let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
    }
  }
#endif
