/// A crop and a resize of an image whose rows arrive from top to bottom, as a plan without memory.
package struct RowSampling: Sendable {
  /// A rectangle in whole pixels.
  package struct Crop: Sendable, Hashable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  /// The size of the image in pixels.
  package let sourceWidth: Int
  package let sourceHeight: Int
  /// The size of the result in pixels.
  package let outputWidth: Int
  package let outputHeight: Int
  let crop: Crop
  let passes: [ResamplingPass]
  let filter: ResamplingFilter

  /// - Parameters:
  ///   - crop: the part of the image that is kept; `nil` for all of it. Pixels outside do not affect the result.
  ///   - geometry: a resize of the cropped image; `nil` for none.
  ///   - filter: the filter that weights pixels.
  /// - Returns: `nil` if the crop is not within the image, or if no pixel can be sampled.
  package init?(
    sourceWidth: Int, sourceHeight: Int, crop: Crop? = nil, geometry: ResizeGeometry? = nil,
    filter: ResamplingFilter = .lanczos3
  ) {
    let crop = crop ?? Crop(x: 0, y: 0, width: sourceWidth, height: sourceHeight)
    guard crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0, crop.width <= sourceWidth - crop.x,
      crop.height <= sourceHeight - crop.y
    else { return nil }
    (self.sourceWidth, self.sourceHeight, self.crop, self.filter) = (sourceWidth, sourceHeight, crop, filter)
    guard let geometry else {
      passes = []
      (outputWidth, outputHeight) = (crop.width, crop.height)
      return
    }
    guard let passes = geometry.passes(sourceWidth: crop.width, sourceHeight: crop.height, filter: filter) else {
      return nil
    }
    self.passes = passes
    (outputWidth, outputHeight) = (geometry.outputWidth, geometry.outputHeight)
  }

  /// The memory that a ``RowSampler`` needs, in bytes.
  package var byteCount: Int { passes.reduce(0) { $0 + RowResampler.byteCount($1) } }
}

/// Crops and resizes an image whose rows arrive from top to bottom.
package final class RowSampler {
  private let sampling: RowSampling
  private let resamplers: [RowResampler]
  private var received = 0

  /// Returns `nil` if memory cannot be allocated.
  package init?(_ sampling: RowSampling) {
    var resamplers: [RowResampler] = []
    for pass in sampling.passes {
      guard let resampler = RowResampler(pass, filter: sampling.filter) else { return nil }
      resamplers.append(resampler)
    }
    (self.sampling, self.resamplers) = (sampling, resamplers)
  }

  /// Receives the next rows of the image, and passes each row of the result that they complete to `emit`.
  ///
  /// - Parameters:
  ///   - rows: premultiplied RGBA without padding between rows. ``MemoryPool/padding`` bytes after the last pixel
  ///     must be readable.
  ///   - emit: receives the address of a row, which is valid during the call.
  package func receive<Failure: Error>(
    _ rows: UnsafePointer<UInt8>, count: Int, emit: (UnsafePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let (crop, stride) = (sampling.crop, sampling.sourceWidth * 4)
    let first = max(crop.y - received, 0)
    let end = min(crop.y + crop.height - received, count)
    received += count
    guard first < end else { return }
    let start = rows + first * stride + crop.x * 4
    guard let resampler = resamplers.first else {
      for row in 0..<end - first { try emit(start + row * stride) }
      return
    }
    try resampler.receive(start, stride: stride, count: end - first) { row throws(Failure) in
      guard resamplers.count > 1 else { return try emit(row) }
      try resamplers[1].receive(row, stride: 0, count: 1, emit: emit)
    }
  }
}
