import CNukeKernels

extension Bitmap {
  /// A picture whose colours are made from those of this one and where they are; alpha stays. Nil without pixels or memory.
  ///
  /// - Parameters:
  ///   - kernels: the variant that loads and stores; all give the same pixels.
  ///   - body: receives a straight sRGB colour from 0 to 1, and the pixel's column from the left and row from the top.
  package func recolored(
    kernels: PixelKernels = .best, _ body: (_ color: SIMD3<Double>, _ column: Int, _ row: Int) -> SIMD3<Double>
  ) -> Bitmap? {
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let loops = kernels.table.pointee.planes.pointee
    let block = Int(nuke_block)
    withUnsafeTemporaryAllocation(byteCount: block * 16, alignment: 64) { memory in
      let planes = memory.bindMemory(to: Float.self).baseAddress!
      for row in 0..<pixelHeight {
        for start in stride(from: 0, to: pixelWidth, by: block) {
          let count = min(block, pixelWidth - start)
          loops.load(planes, buffer.row(row) + start * 4, count)
          for index in 0..<count {
            let color = SIMD3(
              Double(planes[index]), Double(planes[block + index]), Double(planes[2 * block + index]))
            let made = body(color, start + index, row)
            planes[index] = Float(made.x)
            planes[block + index] = Float(made.y)
            planes[2 * block + index] = Float(made.z)
          }
          loops.store(result.row(row) + start * 4, planes, count)
        }
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }
}
