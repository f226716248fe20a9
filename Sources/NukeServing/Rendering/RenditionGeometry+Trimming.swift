import NukeImaging

extension RenditionGeometry {
  /// The most pixels that a result can have of what is left within a picture's borders, of which only the pixels tell how
  /// much it is: where one side follows from the other, a strip becomes as long as limits allow.
  ///
  /// - Parameter source: the picture with its borders.
  static func largestTrimmedPixelCount(
    of source: Size, _ options: ImageOptions, isVector: Bool, _ limits: RenderLimits
  ) -> Double {
    let dpr = Scaling.factor(options.dpr)
    func side(_ length: Int, _ zoom: Double) -> Double? {
      length > 0 ? max((Double(length) * Scaling.factor(zoom) * dpr).rounded(), 1) : nil
    }
    let (wantedWidth, wantedHeight) = (side(options.width, options.zoom.x), side(options.height, options.zoom.y))
    var (width, height) = (wantedWidth ?? .infinity, wantedHeight ?? .infinity)
    let mayGrow = options.enlarges || isVector || max(options.minimumWidth, options.minimumHeight) > 0
    if !mayGrow {
      let turn = Orientation(rotation: options.rotation, options.flipsHorizontally, options.flipsVertically)
      width = min(width, Double(turn.swapsAxes ? source.height : source.width))
      height = min(height, Double(turn.swapsAxes ? source.width : source.height))
    }
    if options.extend != nil || options.extendAspectRatio != nil {
      (width, height) = (max(width, wantedWidth ?? 0), max(height, wantedHeight ?? 0))
    }
    if let padding = options.padding {
      width += Double(max(padding.left, 0) + max(padding.right, 0)) * dpr + 1
      height += Double(max(padding.top, 0) + max(padding.bottom, 0)) * dpr + 1
    }
    return min(width * height, Double(limits.maximumResultPixels))
  }
}
