import NukeImaging

extension RenditionGeometry {
  /// The most pixels that a result can have of what is left within an image's borders, of which only the pixels tell
  /// how much it is: where one side follows from the other, a strip becomes as long as limits allow.
  ///
  /// - Parameter source: the image with its borders.
  static func largestTrimmedPixelCount(
    of source: Size, _ options: ImageOptions, isVector: Bool, _ limits: RenderLimits
  ) -> Double {
    let dpr = Scaling.factor(options.dpr)
    func side(_ length: Int, _ zoom: Double) -> Double? {
      length > 0 ? max((Double(length) * Scaling.factor(zoom) * dpr).rounded(), 1) : nil
    }
    let (wantedWidth, wantedHeight) = (side(options.width, options.zoom.x), side(options.height, options.zoom.y))
    let turn = Orientation(rotation: options.rotation, options.flipsHorizontally, options.flipsVertically)
    let turnedWidth = Double(turn.swapsAxes ? source.height : source.width)
    let turnedHeight = Double(turn.swapsAxes ? source.width : source.height)
    let longest = Double(limits.maximumResultSide)
    var (width, height) = (min(wantedWidth ?? longest, longest), min(wantedHeight ?? longest, longest))
    let fillsMinimum = max(options.minimumWidth, options.minimumHeight) > 0
    if !(options.enlarges || isVector || fillsMinimum) {
      (width, height) = (min(width, turnedWidth), min(height, turnedHeight))
    } else if wantedWidth == nil, wantedHeight == nil, !fillsMinimum {
      // What is left is scaled by what is said, and not until it fills something.
      width = min(width, max((turnedWidth * Scaling.factor(options.zoom.x) * dpr).rounded(), 1))
      height = min(height, max((turnedHeight * Scaling.factor(options.zoom.y) * dpr).rounded(), 1))
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

  /// Bytes of the pixels of all steps: the source, what is cropped of it, what is sampled, and two of the result's size.
  ///
  /// - Parameters:
  ///   - source: pixels of the decoded image.
  ///   - result: pixels of the result.
  static func trimmedByteCount(source: Double, result: Double) -> Double { (2 * source + 3 * result) * 4 }
}
