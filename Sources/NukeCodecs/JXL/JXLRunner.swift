#if JPEGXL
  internal import CNukeJXL
  import NukeBase

  /// Runs the work items of libjxl on the calling thread and on idle threads of ``BandPool``.
  enum JXLRunner {
    /// The runner for libjxl. As `jxl/parallel_runner.h` requires, it performs each number of a range once, and no two
    /// threads have the same index.
    static let run: JxlParallelRunner = { _, work, prepare, perform, start, end in
      guard let prepare, let perform, start <= end else { return -1 }
      guard start < end else { return 0 }
      let threadCount = min(Int(end - start), BandPool.shared.helpers + 1)
      guard prepare(work, threadCount) == 0 else { return -1 }
      let parts = Parts(work: work, perform: perform, start: start, end: end)
      return BandPool.shared.run(threadCount) { parts.perform(threadIndex: $0) } ? 0 : -1
    }

    /// The work items of one call. libjxl allows calling `perform` on several threads.
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

      /// Performs work items until none is left.
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
