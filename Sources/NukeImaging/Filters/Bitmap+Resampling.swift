import CNukeKernels
import NukeBase

extension Bitmap {
  /// Returns the image resampled along both axes, which must have been created for its size; `nil` if memory cannot be
  /// allocated.
  func resampled(
    _ horizontal: ResamplingAxis, _ vertical: ResamplingAxis, light: ResamplingLight = .encoded, bands: Int? = nil,
    kernels: PixelKernels
  ) -> Bitmap? {
    guard let buffer, let result = PixelBuffer(width: horizontal.count, height: vertical.count) else { return nil }
    // Each source row is weighted horizontally, and each output row vertically.
    let products = buffer.height * horizontal.count * horizontal.taps + result.height * result.width * vertical.taps
    let bands = min(bands ?? BandPool.shared.bands(for: products * (light == .linear ? 3 : 1)), result.height)
    let height = result.height
    let hasMemory = BandPool.shared.run(bands) { band in
      let rows = height * band / bands..<height * (band + 1) / bands
      return vertical.withOutputs(rows) { down in
        horizontal.withOutputs(0..<result.width) { across in
          light.resample(
            across, down, from: buffer, isOpaque: self.isOpaque, to: result.row(rows.lowerBound), kernels: kernels)
        }
      }
    }
    return withExtendedLifetime(self) { hasMemory ? Bitmap(result, scale: scale, isOpaque: isOpaque) : nil }
  }

  /// Returns the first source pixel of each output pixel, without interpolation.
  func picked(_ horizontal: ResamplingAxis, _ vertical: ResamplingAxis) -> Bitmap? {
    guard let buffer, let result = PixelBuffer(width: horizontal.count, height: vertical.count) else { return nil }
    vertical.withOutputs(0..<result.height) { down in
      horizontal.withOutputs(0..<result.width) { across in
        nuke_resample_nearest(across, down, buffer.base, bytesPerRow, result.base, result.bytesPerRow)
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}

extension ResamplingLight {
  /// Writes the rows of `vertical`.
  ///
  /// - Returns: `false` if the intermediate buffer between the two passes cannot be allocated.
  fileprivate func resample(
    _ horizontal: UnsafePointer<nuke_resampling_axis>, _ vertical: UnsafePointer<nuke_resampling_axis>,
    from source: PixelBuffer, isOpaque: Bool, to destination: UnsafeMutablePointer<UInt8>, kernels: PixelKernels
  ) -> Bool {
    let pool = MemoryPool.shared
    let byteCount =
      switch self {
      case .encoded: nuke_resample_scratch(horizontal, vertical)
      case .linear: nuke_resample_linear_scratch(horizontal, vertical)
      }
    guard let scratch = pool.take(byteCount) else { return false }
    defer { pool.give(scratch) }
    let stride = Int(horizontal.pointee.count) * 4
    switch self {
    case .encoded:
      nuke_resample(
        kernels.table, horizontal, vertical, source.base, source.bytesPerRow, destination, stride, scratch.base)
    case .linear:
      nuke_resample_linear(
        kernels.table, LightTables.shared.tables, isOpaque, horizontal, vertical, source.base, source.bytesPerRow,
        destination, stride, scratch.base)
    }
    return true
  }
}
