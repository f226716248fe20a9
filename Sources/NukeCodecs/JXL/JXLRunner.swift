#if JPEGXL
  internal import CNukeJXL
  import NukeImaging

  /// Runs the parts into which libjxl divides its work on the caller and on idle threads of ``BandPool``.
  enum JXLRunner {
    /// What libjxl calls, by the rules of `jxl/parallel_runner.h`: each number in a range once, and no two threads with the
    /// same index.
    static let run: JxlParallelRunner = { _, work, prepare, perform, start, end in
      guard let prepare, let perform, start <= end else { return -1 }
      guard start < end else { return 0 }
      let threadCount = min(Int(end - start), BandPool.shared.helpers + 1)
      guard prepare(work, threadCount) == 0 else { return -1 }
      let parts = Parts(work: work, perform: perform, start: start, end: end)
      return BandPool.shared.run(threadCount) { parts.perform(threadIndex: $0) } ? 0 : -1
    }

    /// The parts of one call. libjxl allows `perform` on several threads.
    private final class Parts: @unchecked Sendable {
      private let work: UnsafeMutableRawPointer?
      private let perform: JxlParallelRunFunction
      private let end: UInt32
      private let next: Lock<UInt32>

      init(work: UnsafeMutableRawPointer?, perform: @escaping JxlParallelRunFunction, start: UInt32, end: UInt32) {
        self.work = work
        self.perform = perform
        self.end = end
        next = Lock(start)
      }

      /// Performs parts until none is left.
      func perform(threadIndex: Int) -> Bool {
        while let part = take() { perform(work, part, threadIndex) }
        return true
      }

      private func take() -> UInt32? {
        next.withLock { next in
          guard next < end else { return nil }
          next += 1
          return next - 1
        }
      }
    }
  }
#endif
