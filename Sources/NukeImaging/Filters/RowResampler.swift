import CNukeKernels

/// Resamples an image whose rows arrive from top to bottom. The pixels equal those of
/// ``Bitmap/resized(_:filter:light:bands:kernels:)`` with premultiplied sRGB.
///
/// It keeps the rows that one row of the result needs, already resampled horizontally: as many as the filter has weights
/// along the columns, and three more.
final class RowResampler {
  private let horizontal: ResamplingAxis
  private let vertical: ResamplingAxis
  private let isNearest: Bool
  private let kernels = PixelKernels.best
  /// The latest rows after horizontal resampling: row y is at y % `height`.
  private let ring: PixelBuffer
  private let output: PixelBuffer
  private let weighted: UnsafeMutablePointer<UnsafePointer<UInt8>?>
  /// The numbers of rows received and returned so far.
  private var received = 0
  private var returned = 0
  private static let rowsAtOnce = 4

  /// Returns `nil` if memory cannot be allocated.
  init?(_ pass: ResamplingPass, filter: ResamplingFilter) {
    (horizontal, vertical) = (pass.horizontal, pass.vertical)
    isNearest = filter == .nearest
    guard let ring = PixelBuffer(width: horizontal.count, height: vertical.taps + Self.rowsAtOnce - 1),
      let output = PixelBuffer(width: horizontal.count, height: 1)
    else { return nil }
    (self.ring, self.output) = (ring, output)
    weighted = .allocate(capacity: vertical.taps)
  }

  deinit { weighted.deallocate() }

  /// The memory that a pass needs, in bytes.
  static func byteCount(_ pass: ResamplingPass) -> Int {
    (pass.vertical.taps + rowsAtOnce) * pass.horizontal.count * 4 + pass.horizontal.byteCount + pass.vertical.byteCount
  }

  /// Receives the next rows, and passes each row of the result that they complete to `emit`.
  ///
  /// - Parameters:
  ///   - rows: premultiplied RGBA. ``MemoryPool/padding`` bytes after the last pixel must be readable.
  ///   - stride: the number of bytes from one row to the next.
  ///   - emit: receives the address of a row, which is valid during the call.
  func receive<Failure: Error>(
    _ rows: UnsafePointer<UInt8>, stride: Int, count: Int, emit: (UnsafePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var done = 0
    while done < count, returned < vertical.count {
      let above = vertical.start(of: returned) - received
      if above > 0 {
        let skipped = min(above, count - done)
        received += skipped
        done += skipped
        continue
      }
      let next = min(count - done, Self.rowsAtOnce)
      try take(rows + done * stride, stride: stride, count: next, emit)
      done += next
    }
  }

  private func take<Failure: Error>(
    _ rows: UnsafePointer<UInt8>, stride: Int, count: Int, _ emit: (UnsafePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    if horizontal.copies, vertical.copies {
      received += count
      for row in 0..<min(count, vertical.count - returned) {
        returned += 1
        try emit(rows + row * stride + horizontal.start(of: 0) * 4)
      }
      return
    }
    resampleColumns(rows, stride: stride, count: count)
    received += count
    while returned < vertical.count, vertical.start(of: returned) + vertical.taps <= received {
      let row = resampledRow(returned)
      returned += 1
      try emit(row)
    }
  }

  private func ringRow(_ y: Int) -> UnsafeMutablePointer<UInt8> { ring.row(y % ring.height) }

  private func resampleColumns(_ rows: UnsafePointer<UInt8>, stride: Int, count: Int) {
    horizontal.withOutputs(0..<horizontal.count) { axis in
      if isNearest {
        for row in 0..<count { pick(axis, rows + row * stride, to: ringRow(received + row)) }
      } else if horizontal.copies {
        let first = horizontal.start(of: 0) * 4
        for row in 0..<count {
          ringRow(received + row).update(from: rows + row * stride + first, count: ring.bytesPerRow)
        }
      } else {
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt8>?.self, capacity: count) { targets in
          withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: count) { sources in
            for row in 0..<count {
              targets.initializeElement(at: row, to: ringRow(received + row))
              sources.initializeElement(at: row, to: rows + row * stride)
            }
            kernels.table.pointee.resample_columns(targets.baseAddress, sources.baseAddress, Int32(count), axis)
          }
        }
      }
    }
  }

  private func pick(
    _ axis: UnsafePointer<nuke_resampling_axis>, _ source: UnsafePointer<UInt8>,
    to target: UnsafeMutablePointer<UInt8>
  ) {
    let row: Int32 = 0
    var vertical = axis.pointee
    withUnsafePointer(to: row) { start in
      (vertical.count, vertical.starts) = (1, start)
      nuke_resample_nearest(axis, &vertical, source, 0, target, 0)
    }
  }

  private func resampledRow(_ y: Int) -> UnsafePointer<UInt8> {
    let first = vertical.start(of: y)
    if isNearest { return UnsafePointer(ringRow(first)) }
    let result = vertical.copies ? ringRow(first) : output.base
    if !vertical.copies {
      for row in 0..<vertical.taps { (weighted + row).initialize(to: UnsafePointer(ringRow(first + row))) }
      vertical.withOutputs(y..<y + 1) { axis in
        kernels.table.pointee.resample_rows(
          result, weighted, ring.bytesPerRow, axis.pointee.weights, axis.pointee.taps)
      }
    }
    kernels.table.pointee.clamp_to_alpha(result, ring.width)
    return UnsafePointer(result)
  }
}
