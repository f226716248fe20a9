import CNukeKernels

/// A place in an image as Core Image counts it: in pixels from the lower left corner, the middle of the pixel there
/// being 0.5, 0.5.
package typealias ImagePoint = SIMD2<Double>

/// What is beyond the edges of an image that is looked up there.
package enum EdgeMode: Sendable {
  /// The pixels at the edge go on.
  case repeated
  /// Nothing.
  case transparent
}

extension Bitmap {
  /// An image each of whose pixels is looked up at another place in this one; `nil` without pixels or memory.
  ///
  /// Between pixels the four around a place are mixed by how near they are (bilinear, premultiplied), to the nearest of
  /// 255. At the middle of a pixel it is that pixel exactly.
  ///
  /// - Parameters:
  ///   - width: the result's width; that of this image where none is given.
  ///   - height: the result's height; likewise.
  ///   - edges: what is beyond the edges of this image.
  ///   - samples: so many places across and down are looked up for each pixel of the result, and their mean taken.
  ///   - kernels: the variant that does it; all give the same pixels.
  ///   - place: where in this image a place of the result is looked up. What is no number is transparent.
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

  /// An image each of whose pixels is the mean of several places in this one; `nil` without pixels or memory.
  ///
  /// - Parameters:
  ///   - lookups: how many places for each pixel.
  ///   - place: from the lower left corner of a pixel and the number of the look-up to the place.
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
