public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Scales an image to a size, keeping its proportions.
  ///
  /// The default filter is Lanczos-3 on premultiplied sRGB, as in browsers and other image libraries. As the first
  /// processor of a request, it lets a JPEG or lossy WebP be decoded at 1/2, 1/4 or 1/8 of its size, by its
  /// ``ImageProcessingOptions/Reduction``.
  ///
  /// A large image is resized on several threads if several processors are available. The result is the same.
  public struct Resize: ImageProcessing, Hashable, CustomStringConvertible {
    /// The length in pixels; `nil` if it follows from the other side.
    private let width: Double?
    private let height: Double?
    private let contentMode: ImageProcessingOptions.ContentMode
    private let crop: Bool
    private let upscale: Bool
    let filter: ImageProcessingOptions.ResizeFilter
    let isLinear: Bool
    private let reduction: ImageProcessingOptions.Reduction

    /// Creates a processor that resizes images to `size`.
    ///
    /// - Parameters:
    ///   - size: the target. With a side that is zero, negative, infinite or not a number, processing fails with
    ///     ``SizeError/invalidSize(_:)``.
    ///   - unit: the unit of `size`: pixels, or points of the current ``DisplayScale/current``.
    ///   - contentMode: `.aspectFill` to fill the size, `.aspectFit` to fit into it.
    ///   - crop: with `.aspectFill`, `true` to cut off what exceeds the size. An image smaller than the size is cut
    ///     to its shape, and only enlarged to exactly that size if `upscale` is `true`.
    ///   - upscale: `true` to enlarge smaller images.
    ///   - filter: the resampling filter.
    ///   - linearLight: `true` to resample in linear light instead of sRGB: stars and fine lines keep their
    ///     brightness. It takes three to four times as long. It has no effect with `.nearest`.
    ///   - reduction: the reduction at which a JPEG may be decoded, if this is the first processor of a request. Always
    ///     `.none` in linear light and with `.nearest`.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points,
      contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false,
      filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
      reduction: ImageProcessingOptions.Reduction = .fast
    ) {
      self.init(
        width: Double(size.width * unit.pixelsPerUnit), height: Double(size.height * unit.pixelsPerUnit),
        contentMode: contentMode, crop: crop, upscale: upscale, filter: filter, linearLight: linearLight,
        reduction: reduction)
    }

    /// Creates a processor that resizes images to a width, with proportional height.
    public init(
      width: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false,
      filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
      reduction: ImageProcessingOptions.Reduction = .fast
    ) {
      self.init(
        width: Double(width * unit.pixelsPerUnit), height: nil, contentMode: .aspectFit, crop: false,
        upscale: upscale, filter: filter, linearLight: linearLight, reduction: reduction)
    }

    /// Creates a processor that resizes images to a height, with proportional width.
    public init(
      height: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false,
      filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
      reduction: ImageProcessingOptions.Reduction = .fast
    ) {
      self.init(
        width: nil, height: Double(height * unit.pixelsPerUnit), contentMode: .aspectFit, crop: false,
        upscale: upscale, filter: filter, linearLight: linearLight, reduction: reduction)
    }

    init(
      width: Double?, height: Double?, contentMode: ImageProcessingOptions.ContentMode, crop: Bool, upscale: Bool,
      filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
      reduction: ImageProcessingOptions.Reduction = .fast
    ) {
      // NaN differs from itself, and equal processors must stay equal.
      self.width = width.map { $0.isNaN ? 0 : $0 }
      self.height = height.map { $0.isNaN ? 0 : $0 }
      self.contentMode = contentMode
      self.crop = crop && contentMode == .aspectFill
      self.upscale = upscale
      self.filter = filter
      isLinear = linearLight && filter != .nearest
      // The decoder's reduction averages pixels in sRGB.
      self.reduction = isLinear || filter == .nearest ? .none : reduction
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { try? resize(image) }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.map(resize)
    }

    func resize(_ image: PlatformImage) throws -> PlatformImage {
      guard image.pixelWidth > 0 else { throw SizeError.emptyImage }
      guard let geometry = try geometry(sourceWidth: image.pixelWidth, sourceHeight: image.pixelHeight) else {
        return image
      }
      return try resize(image, geometry)
    }

    /// Returns the image resized by a geometry in place of the target, with the same filter.
    func resize(_ image: PlatformImage, _ geometry: ResizeGeometry) throws -> PlatformImage {
      let light = isLinear ? ResamplingLight.linear : .encoded
      guard let resized = image.resized(geometry, filter: filter.resampling, light: light) else {
        throw ImageProcessingError.unknown
      }
      return resized
    }

    /// Returns the same processor with `upscale` set to `true`.
    var enlarging: Self { Self(width: width, height: height, contentMode: contentMode, crop: crop, upscale: true) }

    func geometry(sourceWidth: Int, sourceHeight: Int) throws(ImageProcessors.SizeError) -> ResizeGeometry? {
      guard [width, height].allSatisfy({ $0.map { $0.isFinite && $0 > 0 } ?? true }) else {
        throw .invalidSize("\(length(width))x\(length(height))")
      }
      do {
        return try ResizeGeometry(
          sourceWidth: sourceWidth, sourceHeight: sourceHeight,
          target: CGSize(width: width ?? .infinity, height: height ?? .infinity),
          contentMode: contentMode == .aspectFill ? .aspectFill : .aspectFit, crop: crop, upscale: upscale)
      } catch {
        throw .resultTooLarge(
          width: Int(clamping: error.width), height: Int(clamping: error.height), limit: error.limit)
      }
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String {
      identifier(size: "\(length(width))x\(length(height))")
    }

    private func identifier(size: String) -> String {
      var text = "org.nuke.resize?s=\(size),cm=\(contentMode.rawValue),crop=\(crop),upscale=\(upscale)"
      if filter != .lanczos { text += ",filter=\(filter.rawValue)" }
      if isLinear { text += ",light=linear" }
      if !isReductionUsual { text += ",reduction=\(reduction.rawValue)" }
      return text
    }

    private var isReductionUsual: Bool { reduction == (isLinear || filter == .nearest ? .none : .fast) }

    var decodeScale: ResizeGeometry.DecodeScale? { reduction.scale }

    public var description: String {
      "Resize(size: (\(length(width)), \(length(height))) pixels, contentMode: \(contentMode), crop: \(crop), upscale: \(upscale)"
        + (filter == .lanczos ? "" : ", filter: .\(filter.rawValue)") + (isLinear ? ", linearLight: true" : "")
        + (isReductionUsual ? "" : ", reduction: \(reduction)") + ")"
    }

    private func length(_ side: Double?) -> String { side.map { "\($0)" } ?? "any" }
  }
}

extension ImageProcessors.Resize {
  /// The lengths in pixels; `nil` for a side that follows from the other one.
  struct Target: Hashable, Codable {
    let width: Double?
    let height: Double?
  }

  var target: Target { Target(width: width, height: height) }

  /// Returns the processor with the same settings and another target.
  func with(_ target: Target) -> Self {
    Self(
      width: target.width, height: target.height, contentMode: contentMode, crop: crop, upscale: upscale,
      filter: filter, linearLight: isLinear, reduction: reduction)
  }

  /// Identifies the processors that differ only in their target and resize in two steps nearly as in one; `nil` if
  /// there are none. With `.nearest`, two steps select other pixels than one.
  var family: String? { filter == .nearest ? nil : identifier(size: "any") }
}

extension ImageProcessors.Resize: DecodeTargeting {
  package var decodeTarget: DecodeTarget? { decodeScale.map { DecodeTarget(resize: self, scale: $0) } }
}

extension Int {
  fileprivate init(clamping value: Double) {
    self = value >= Double(Int.max) ? .max : value <= Double(Int.min) ? .min : Int(value)
  }
}

extension ImageRequest.ThumbnailOptions {
  /// Returns the processor that creates the thumbnail from the decoded original.
  var processor: ImageProcessors.Resize {
    switch target {
    case .maxPixelSize(let side):
      .init(
        width: Double(side), height: Double(side), contentMode: .aspectFit, crop: false, upscale: false,
        reduction: reduction)
    case .size(let width, let height, let contentMode):
      .init(
        width: Double(width), height: Double(height), contentMode: contentMode, crop: false, upscale: false,
        reduction: reduction)
    }
  }

  var decodeTarget: DecodeTarget? { processor.decodeTarget }
}

extension ImageProcessing where Self == ImageProcessors.Resize {
  /// Scales an image to a size, keeping its proportions. See ``ImageProcessors/Resize``.
  public static func resize(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points,
    contentMode: ImageProcessingOptions.ContentMode = .aspectFill, crop: Bool = false, upscale: Bool = false,
    filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
    reduction: ImageProcessingOptions.Reduction = .fast
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(
      size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale, filter: filter,
      linearLight: linearLight, reduction: reduction)
  }

  /// Scales an image to a width, with proportional height.
  public static func resize(
    width: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false,
    filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
    reduction: ImageProcessingOptions.Reduction = .fast
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(
      width: width, unit: unit, upscale: upscale, filter: filter, linearLight: linearLight, reduction: reduction)
  }

  /// Scales an image to a height, with proportional width.
  public static func resize(
    height: CGFloat, unit: ImageProcessingOptions.Unit = .points, upscale: Bool = false,
    filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false,
    reduction: ImageProcessingOptions.Reduction = .fast
  ) -> ImageProcessors.Resize {
    ImageProcessors.Resize(
      height: height, unit: unit, upscale: upscale, filter: filter, linearLight: linearLight, reduction: reduction)
  }
}
