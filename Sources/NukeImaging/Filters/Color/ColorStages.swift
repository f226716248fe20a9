import CNukeKernels

extension [ColorStage] {
  /// Returns the stages with adjacent matrices combined, and without stages that have no effect.
  func fused() -> [ColorStage] {
    var result: [ColorStage] = []
    for stage in self {
      if case .matrix(let next) = stage, case .matrix(let before)? = result.last {
        result[result.count - 1] = .matrix(before.followed(by: next))
      } else {
        result.append(stage)
      }
    }
    return result.filter { if case .matrix(.identity) = $0 { false } else { true } }
  }
}

extension Bitmap {
  /// Returns the image with all `stages` applied to each pixel in one pass; `nil` if memory cannot be allocated.
  ///
  /// Between stages, nothing is rounded to 8 bits or clamped, unless a stage does so. Consecutive matrices are
  /// combined. If a single matrix remains, it is applied in fixed point (12 fractional bits), within 1 of the formula.
  ///
  /// - Parameters:
  ///   - stages: the stages in order. If none has an effect, returns the image itself.
  ///   - kernels: the kernels to use. All variants produce the same pixels.
  package func applying(_ stages: [ColorStage], kernels: PixelKernels = .best) -> Bitmap? {
    let stages = stages.fused()
    if stages.isEmpty { return self }
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let count = pixelWidth * pixelHeight
    let staysOpaque = isOpaque && stages.allSatisfy(\.keepsOpaque)
    if stages.count == 1, case .matrix(let matrix) = stages[0], let weights = matrix.fixedPoint(isOpaque: isOpaque) {
      kernels.table.pointee.color_matrix(result.base, buffer.base, count, weights)
    } else if isOpaque, stages.allSatisfy(\.isByChannel) {
      nuke_lookup(result.base, buffer.base, count, stages.byteTables(kernels))
    } else if stages.contains(where: \.needsPosition) {
      for y in 0..<pixelHeight {
        stages.run(result.row(y), buffer.row(y), count: pixelWidth, y: y, kernels)
      }
    } else {
      stages.run(result.base, buffer.base, count: count, y: 0, kernels)
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: staysOpaque) }
  }
}

extension [ColorStage] {
  /// Returns the result for each byte value of red, green and blue in an opaque image: 256 bytes each.
  fileprivate func byteTables(_ kernels: PixelKernels) -> [UInt8] {
    let ramp = (0..<256).flatMap { value -> [UInt8] in
      let byte = UInt8(value)
      return [byte, byte, byte, 255]
    }
    var results = [UInt8](repeating: 0, count: 1024)
    run(&results, ramp, count: 256, y: 0, kernels)
    return (0..<3).flatMap { channel in (0..<256).map { results[$0 * 4 + channel] } }
  }

  /// Applies the stages to `count` pixels, beginning at the left of row `y`.
  fileprivate func run(
    _ destination: UnsafeMutablePointer<UInt8>, _ source: UnsafePointer<UInt8>, count: Int, y: Int,
    _ kernels: PixelKernels
  ) {
    let planeKernels = kernels.table.pointee.planes.pointee
    let block = Int(nuke_block)
    let steps = map { $0.prepared() }
    withUnsafeTemporaryAllocation(byteCount: block * 16, alignment: 64) { memory in
      let planes = memory.bindMemory(to: Float.self).baseAddress!
      var x = 0
      while x < count {
        let pixels = Swift.min(block, count - x)
        planeKernels.load(planes, source + x * 4, pixels)
        for step in steps { step(planeKernels, planes, Float(x), Float(y)) }
        planeKernels.store(destination + x * 4, planes, pixels)
        x += pixels
      }
    }
  }
}

extension ColorStage {
  fileprivate typealias Step = (nuke_plane_kernels, UnsafeMutablePointer<Float>, Float, Float) -> Void

  /// Returns the stage with its parameters in the form that the kernels use.
  fileprivate func prepared() -> Step {
    func floats(_ values: [Double]) -> [Float] { values.map { Float($0) } }
    switch self {
    case .matrix(let matrix):
      let weights = floats(matrix.rows.flatMap { $0 })
      return { kernels, planes, _, _ in kernels.matrix(planes, weights) }
    case .curves(let curves):
      return { kernels, planes, _, _ in kernels.curves(planes, curves.tables) }
    case .clamp(let low, let high):
      let (low, high) = (floats(low), floats(high))
      return { kernels, planes, _, _ in kernels.clamp(planes, low, high) }
    case .component(let largest):
      return { kernels, planes, _, _ in kernels.component(planes, largest) }
    case .posterize(let levels):
      return { kernels, planes, _, _ in kernels.posterize(planes, Float(levels)) }
    case .threshold(let threshold):
      return { kernels, planes, _, _ in kernels.threshold(planes, Float(threshold)) }
    case .polynomial(let coefficients):
      let coefficients = floats(coefficients)
      return { kernels, planes, _, _ in kernels.polynomial(planes, coefficients) }
    case .crossPolynomial(let coefficients):
      let coefficients = floats(coefficients)
      return { kernels, planes, _, _ in kernels.cross_polynomial(planes, coefficients) }
    case .vibrance(let amount):
      return { kernels, planes, _, _ in kernels.vibrance(planes, Float(amount)) }
    case .vignette(let vignette):
      var numbers = nuke_vignette(
        x: Float(vignette.x), y: Float(vignette.y), inner: Float(vignette.inner), outer: Float(vignette.outer),
        intensity: Float(vignette.intensity), squared: vignette.isSquared)
      return { kernels, planes, x, y in kernels.vignette(planes, &numbers, x, y) }
    case .map(let table):
      return { _, planes, _, _ in nuke_planes_map(planes, table.values, table.values.count / 4) }
    case .cube(let table, let side):
      return { kernels, planes, _, _ in kernels.cube(planes, table.values, side) }
    }
  }
}
