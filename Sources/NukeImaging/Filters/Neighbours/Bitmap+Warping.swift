import CNukeKernels

/// A place in a picture as Core Image counts it: in pixels from the lower left corner, the middle of the pixel there being
/// 0.5, 0.5.
package typealias PicturePoint = SIMD2<Double>

/// What is beyond the edges of a picture that is looked up there.
package enum PictureEdges: Sendable {
  /// The pixels at the edge go on.
  case repeated
  /// Nothing.
  case transparent
}

extension Bitmap {
  /// A picture each of whose pixels is looked up at another place in this one; nil without pixels or memory.
  ///
  /// Between pixels the four around a place are mixed by how near they are (bilinear, premultiplied), to the nearest of
  /// 255. At the middle of a pixel it is that pixel exactly.
  ///
  /// - Parameters:
  ///   - width: the result's width; that of this picture where none is given.
  ///   - height: the result's height; likewise.
  ///   - edges: what is beyond the edges of this picture.
  ///   - samples: so many places across and down are looked up for each pixel of the result, and their mean taken.
  ///   - kernels: the variant that does it; all give the same pixels.
  ///   - place: where in this picture a place of the result is looked up. What is no number is transparent.
  package func warped(
    width: Int? = nil, height: Int? = nil, edges: PictureEdges, samples: Int = 1, kernels: PixelKernels = .best,
    _ place: (PicturePoint) -> PicturePoint
  ) -> Bitmap? {
    let (width, height) = (width ?? pixelWidth, height ?? pixelHeight)
    guard let buffer, pixelWidth * pixelHeight <= Int(Int32.max),
      let result = PixelBuffer(width: width, height: height)
    else { return nil }
    var picture = nuke_sampled_picture(
      pixels: buffer.base, width: Int32(pixelWidth), height: Int32(pixelHeight), ends: edges == .transparent)
    let loops = kernels.table.pointee.neighbours.pointee
    let (top, sourceTop) = (Double(height), Double(pixelHeight))
    var (x, y) = ([Float](repeating: 0, count: width), [Float](repeating: 0, count: width))
    func places(ofRow row: Int, _ right: Double, _ down: Double) {
      let vertical = top - Double(row) - down
      for column in 0..<width {
        let point = place(PicturePoint(Double(column) + right, vertical))
        x[column] = Float(point.x)
        y[column] = Float(sourceTop - point.y)
      }
    }
    if samples == 1 {
      for row in 0..<height {
        places(ofRow: row, 0.5, 0.5)
        loops.sample(result.row(row), &picture, x, y, width)
      }
    } else {
      var (sums, pixels) = ([UInt32](repeating: 0, count: width * 4), [UInt8](repeating: 0, count: width * 4))
      let step = 1 / Double(samples)
      for row in 0..<height {
        for index in sums.indices { sums[index] = 0 }
        for sample in 0..<samples * samples {
          places(ofRow: row, (Double(sample % samples) + 0.5) * step, (Double(sample / samples) + 0.5) * step)
          loops.sample(&pixels, &picture, x, y, width)
          loops.add(&sums, pixels, width * 4)
        }
        loops.mean(result.row(row), sums, 1 / Float(samples * samples), width * 4)
      }
    }
    let staysOpaque = isOpaque && result.isOpaque()
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: staysOpaque) }
  }
}
