import CNukeKernels

/// A position in an image as in Core Image: in pixels from the lower left corner. The center of the lower left pixel is
/// at 0.5, 0.5.
package typealias ImagePoint = SIMD2<Double>

/// Determines what is outside the edges of a sampled image.
package enum EdgeMode: Sendable {
  /// The edge pixels extend outwards.
  case repeated
  /// Transparent pixels.
  case transparent
}

extension Bitmap {
  /// Returns an image in which each pixel is sampled at another position of this one; `nil` if the image is empty or
  /// memory cannot be allocated.
  ///
  /// Samples are interpolated bilinearly between the four nearest premultiplied pixels, and rounded to the nearest
  /// value. At the center of a pixel, the result is exactly that pixel.
  ///
  /// - Parameters:
  ///   - width: the width of the result; `nil` for that of this image.
  ///   - height: the height of the result; `nil` for that of this image.
  ///   - edges: determines what is outside this image.
  ///   - samples: the number of samples in each direction whose mean is a pixel of the result.
  ///   - kernels: the kernels to use. All variants produce the same pixels.
  ///   - place: returns the position in this image for a position in the result. NaN is transparent.
  package func warped(
    width: Int? = nil, height: Int? = nil, edges: EdgeMode, samples: Int = 1, kernels: PixelKernels = .best,
    _ place: (ImagePoint) -> ImagePoint
  ) -> Bitmap? {
    let step = 1 / Double(samples)
    let offsets = (0..<samples * samples).map { sample in
      ImagePoint((Double(sample % samples) + 0.5) * step, 1 - (Double(sample / samples) + 0.5) * step)
    }
    return warped(width: width, height: height, edges: edges, lookups: offsets.count, kernels: kernels) {
      place($0 + offsets[$1])
    }
  }

  /// Returns an image in which each pixel is the mean of several samples of this one; `nil` if the image is empty or
  /// memory cannot be allocated.
  ///
  /// - Parameters:
  ///   - lookups: the number of samples for each pixel.
  ///   - place: returns the position for the lower left corner of a pixel and the number of the sample.
  package func warped(
    width: Int? = nil, height: Int? = nil, edges: EdgeMode, lookups: Int, kernels: PixelKernels = .best,
    _ place: (_ corner: ImagePoint, _ lookup: Int) -> ImagePoint
  ) -> Bitmap? {
    let (width, height) = (width ?? pixelWidth, height ?? pixelHeight)
    guard let buffer, pixelWidth * pixelHeight <= Int(Int32.max),
      let result = PixelBuffer(width: width, height: height)
    else { return nil }
    var image = nuke_sampled_image(
      pixels: buffer.base, width: Int32(pixelWidth), height: Int32(pixelHeight), ends: edges == .transparent)
    let loops = kernels.table.pointee.neighbors.pointee
    let sourceTop = Double(pixelHeight)
    var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
    var (sums, pixels) = ([UInt32](repeating: 0, count: width * 4), [UInt8](repeating: 0, count: width * 4))
    for row in 0..<height {
      let bottom = Double(height - row - 1)
      for lookup in 0..<lookups {
        for column in 0..<width {
          let point = place(ImagePoint(Double(column), bottom), lookup)
          x[column] = Float(point.x)
          y[column] = Float(sourceTop - point.y)
        }
        if lookups == 1 {
          loops.sample(result.row(row), &image, x, y, width)
        } else {
          loops.sample(&pixels, &image, x, y, width)
          loops.add(&sums, pixels, width * 4)
        }
      }
      if lookups > 1 {
        loops.mean(result.row(row), sums, 1 / Float(lookups), width * 4)
        for index in sums.indices { sums[index] = 0 }
      }
    }
    let staysOpaque = isOpaque && result.isOpaque()
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: staysOpaque) }
  }
}
