import NukeImaging

extension RenditionGeometry {
  /// The scale of an image, and the part of it that is kept.
  struct Scaling {
    private let x: Fraction
    private let y: Fraction
    let density: Double
    /// The density for a `dpr` of 1, if that does not enlarge the image.
    let densityPerDPR: Double
    /// The maximum width of the result; `nil` if there is none.
    let width: Double?
    let height: Double?
    private let keepsRatio: Bool

    init(of area: Size, _ options: ImageOptions, isVector: Bool) {
      let (wantedWidth, wantedHeight) = (max(options.width, 0), max(options.height, 0))
      let zoom = (x: Fraction(Self.factor(options.zoom.x)), y: Fraction(Self.factor(options.zoom.y)))
      let mode = options.resizing.resolved(for: area, wantedWidth, wantedHeight)
      let dpr = Fraction(Self.factor(options.dpr))

      var x = wantedWidth > 0 ? Fraction(wantedWidth, area.width) : .one
      var y = wantedHeight > 0 ? Fraction(wantedHeight, area.height) : .one
      if mode != .force {
        if wantedWidth == 0 { x = y }
        if wantedHeight == 0 { y = x }
        x = mode == .fit ? min(x, y) : max(x, y)
        y = x
      }
      x *= zoom.x
      y *= zoom.y
      let density: Fraction
      if options.enlarges || isVector {
        density = dpr
        densityPerDPR = 1
      } else {
        // Reduce both sides by the same factor, so that a forced aspect ratio stays.
        let excess = max(x, y, .one)
        x /= excess
        y /= excess
        // The image is already smaller than requested, so a `dpr` below 1 reduces it only beyond that.
        let perDPR = options.extend == nil ? excess : .one
        densityPerDPR = perDPR.value
        density = min(dpr * perDPR, .one / max(x, y))
      }
      let shortfall = max(
        Fraction(options.minimumWidth, area.width) / x, Fraction(options.minimumHeight, area.height) / y, .one)
      x *= shortfall
      y *= shortfall
      self.x = x * density
      self.y = y * density
      self.density = density.value
      width = wantedWidth > 0 ? max((zoom.x * density).rounded(times: wantedWidth), 1) : nil
      height = wantedHeight > 0 ? max((zoom.y * density).rounded(times: wantedHeight), 1) : nil
      keepsRatio = mode == .fillDown
    }

    /// Returns the factor, limited to the range from a millionth to a million; 1 if it is not a positive number.
    static func factor(_ value: Double) -> Double { value > 0 ? min(max(value, 1e-6), 1e6) : 1 }

    func size(of area: Size) throws(ServingError) -> Size {
      // At this length, coordinates are still exact in a `Double`.
      let longest = 1e12
      let (width, height) = (x.rounded(times: area.width), y.rounded(times: area.height))
      guard width <= longest, height <= longest else {
        throw .tooLarge("the image would be scaled to \(width)x\(height) pixels")
      }
      return Size(max(Int(width), 1), max(Int(height), 1))
    }

    /// Returns the part of the scaled image that is kept.
    func cut(from scaled: Size) -> Size {
      let (scaledWidth, scaledHeight) = (Double(scaled.width), Double(scaled.height))
      if keepsRatio, let width, let height, max(width / scaledWidth, height / scaledHeight) > 1 {
        if width / scaledWidth >= height / scaledHeight {
          return Size(scaled.width, min(max(Int((scaledWidth * height / width).rounded()), 1), scaled.height))
        }
        return Size(min(max(Int((scaledHeight * width / height).rounded()), 1), scaled.width), scaled.height)
      }
      return Size(Int(min(width ?? scaledWidth, scaledWidth)), Int(min(height ?? scaledHeight, scaledHeight)))
    }
  }
}

extension ImageOptions.Resizing {
  /// Returns the mode that ``auto`` stands for with an image of this size.
  fileprivate func resolved(for area: RenditionGeometry.Size, _ width: Int, _ height: Int) -> Self {
    guard self == .auto else { return self }
    let target = (width: width > 0 ? width : area.width, height: height > 0 ? height : area.height)
    // A square counts as landscape.
    return (area.width >= area.height) == (target.width >= target.height) ? .fill : .fit
  }
}

extension RenditionGeometry {
  /// Returns the maximum number of pixels that a result can have after trimming. Only the pixels determine the size of
  /// the trimmed image: if one side of the result follows from the other, a narrow strip is scaled up to the limits.
  ///
  /// - Parameter source: the size of the image with its borders.
  static func largestTrimmedPixelCount(
    of source: Size, _ options: ImageOptions, isVector: Bool, _ limits: RenderLimits
  ) -> Double {
    // Without `enlarges`, a `dpr` below 1 can have no effect.
    let dpr = Scaling.factor(options.enlarges || isVector ? options.dpr : max(options.dpr, 1))
    func side(_ length: Int, _ zoom: Double) -> Double? {
      length > 0 ? max((Fraction(Scaling.factor(zoom)) * Fraction(dpr)).rounded(times: length), 1) : nil
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
      // The trimmed image is scaled by fixed factors, not to fill a size.
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

  /// Returns the size in bytes of all intermediate images: the source, the cropped and the sampled pixels, and two of
  /// the result's size.
  ///
  /// - Parameters:
  ///   - source: the number of pixels of the decoded image.
  ///   - result: the number of pixels of the result.
  static func trimmedByteCount(source: Double, result: Double) -> Double { (2 * source + 3 * result) * 4 }
}
