extension RenditionGeometry.Canvas {
  /// The canvas around an image: as large as was asked for, then of the ratio that was asked for, then padded.
  init(
    around image: RenditionGeometry.Size, _ options: ImageOptions, _ scaling: RenditionGeometry.Scaling,
    _ limits: RenderLimits
  ) throws(ServingError) {
    self.init(image.width, image.height)
    if let gravity = options.extend {
      try enlarge(
        toWidth: scaling.width ?? 0, height: scaling.height ?? 0, gravity, scaling.density, limits)
    }
    if let gravity = options.extendAspectRatio, let width = scaling.width, let height = scaling.height {
      try enlarge(
        toWidth: (Double(size.height) * width / height).rounded(),
        height: (Double(size.width) * height / width).rounded(), gravity, scaling.density, limits)
    }
    if let padding = options.padding {
      func pixels(_ length: Int) -> Double { (Double(max(length, 0)) * scaling.density).rounded() }
      let (left, top) = (pixels(padding.left), pixels(padding.top))
      let width = left + Double(size.width) + pixels(padding.right)
      let height = top + Double(size.height) + pixels(padding.bottom)
      try limits.check(width: width, height: height)
      self.init(Int(width), Int(height), x: x + Int(left), y: y + Int(top))
    }
  }

  /// Makes sides that are shorter as long as is said.
  private mutating func enlarge(
    toWidth width: Double, height: Double, _ gravity: ImageOptions.Gravity, _ density: Double, _ limits: RenderLimits
  ) throws(ServingError) {
    let (width, height) = (max(width, Double(size.width)), max(height, Double(size.height)))
    try limits.check(width: width, height: height)
    let whole = RenditionGeometry.Size(Int(width), Int(height))
    let corner = gravity.corner(of: size, in: whole, density: density)
    self = Self(
      whole.width, whole.height, x: x + corner.x.bounded(to: whole.width - size.width),
      y: y + corner.y.bounded(to: whole.height - size.height))
  }
}
