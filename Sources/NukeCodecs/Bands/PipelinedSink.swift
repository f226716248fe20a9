import NukeBase
import NukeImaging

/// Passes bands on to another sink on a second thread, so that the next band is decoded meanwhile.
///
/// Bands are copied into a few buffers. If all are full, or no second thread is free, the decoding thread passes a band
/// on itself: it never waits for a thread to start. The other sink is used by one thread at a time, in order.
final class PipelinedSink: RowSink, @unchecked Sendable {
  private struct Band {
    let rows: PixelBuffer
    var count = 0
  }

  private struct State {
    var empty: [PixelBuffer]
    /// The bands to pass on, the oldest first.
    var full: [Band] = []
    /// `true` while a thread passes a band on.
    var isWorking = false
    /// `true` if no more bands follow.
    var isComplete = false
    var error: CodecError?
  }

  private static let bufferCount = 3

  private let next: any RowSink
  private let state: Lock<State>
  /// Wakes the second thread.
  private let filled = Signal()
  /// Wakes the decoding thread.
  private let emptied = Signal()

  /// - Parameter rowCount: the number of rows of a buffer.
  init(_ next: any RowSink, width: Int, rowCount: Int, _ format: ImageFormat) throws(CodecError) {
    var empty: [PixelBuffer] = []
    for _ in 0..<Self.bufferCount { empty.append(try .allocate(format, width: width, height: rowCount)) }
    self.next = next
    state = Lock(State(empty: empty))
  }

  /// The memory of the buffers, in bytes.
  static func byteCount(width: Int, rowCount: Int) -> Int { bufferCount * width * rowCount * 4 }

  /// Calls `decode`, and passes the bands that this sink receives on. Returns when all have been passed on.
  ///
  /// - Parameter decode: called once, on one of the two threads.
  func run(_ decode: @escaping () throws(CodecError) -> Void) throws(CodecError) {
    // Only the thread that calls `decode` writes the result, before the pool returns.
    nonisolated(unsafe) let decode = decode
    nonisolated(unsafe) var result = Result<Void, CodecError>.success(())
    _ = BandPool.shared.run(2) { [self] part in
      if part == 1 {
        passAllOn()
      } else {
        result = Result { () throws(CodecError) in try decode() }
        state.withLock { $0.isComplete = true }
        filled.wakeOne()
      }
      return true
    }
    if let error = state.withLock({ $0.error }) { throw error }
    try result.get()
  }

  func write(_ rows: UnsafePointer<UInt8>, count: Int) throws(CodecError) {
    var done = 0
    while done < count {
      let buffer = try emptyBuffer()
      let part = min(count - done, buffer.height)
      buffer.base.update(from: rows + done * buffer.bytesPerRow, count: part * buffer.bytesPerRow)
      state.withLock { $0.full.append(Band(rows: buffer, count: part)) }
      filled.wakeOne()
      done += part
    }
  }

  private enum Step {
    case use(PixelBuffer)
    case passOn(Band)
    case fail(CodecError)
  }

  private func emptyBuffer() throws(CodecError) -> PixelBuffer {
    while true {
      let step: Step = state.withLock(waitingFor: emptied, seconds: 60) { state, _ in
        if let error = state.error { return .fail(error) }
        if let buffer = state.empty.popLast() { return .use(buffer) }
        return Self.takeBand(&state).map { .passOn($0) }
      }
      switch step {
      case .use(let buffer): return buffer
      case .passOn(let band): passOn(band)
      case .fail(let error): throw error
      }
    }
  }

  /// Runs on the second thread.
  private func passAllOn() {
    while true {
      let next: Band? = state.withLock(waitingFor: filled, seconds: 60) { state, _ -> Band?? in
        if state.error != nil { return .some(nil) }
        if let band = Self.takeBand(&state) { return .some(band) }
        return state.isComplete && state.full.isEmpty && !state.isWorking ? .some(nil) : nil
      }
      guard let next else { return }
      passOn(next)
    }
  }

  private static func takeBand(_ state: inout State) -> Band? {
    guard !state.isWorking, !state.full.isEmpty else { return nil }
    state.isWorking = true
    return state.full.removeFirst()
  }

  private func passOn(_ band: Band) {
    let result = Result { () throws(CodecError) in try next.write(band.rows.base, count: band.count) }
    state.withLock { state in
      state.isWorking = false
      state.empty.append(band.rows)
      if case .failure(let error) = result { state.error = error }
    }
    // Either thread may wait for this one.
    emptied.wakeOne()
    filled.wakeOne()
  }
}
