package import Foundation
package import NukeCodecs
package import NukeImaging

/// A decoder that reads the header first and can make an image smaller while decoding.
package protocol ScalableImageDecoding: ImageDecoding {
  /// Returns the memory in bytes that opening an image takes; `nil` if opening it takes microseconds, as reading a header
  /// does. The default implementation returns `nil`.
  func openingByteCount(of data: Data) -> Int?

  /// - Throws: an error if the format is unknown, the header is damaged, or the image exceeds the limits.
  func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage
}

extension ScalableImageDecoding {
  package func openingByteCount(of data: Data) -> Int? { nil }
}

extension ImageDecoding {
  /// Opens an image; `nil` if the decoder can only decode it.
  func opened(_ data: Data, limits: CodecLimits) throws -> (any OpenedImage)? {
    try (self as? any ScalableImageDecoding)?.open(data, limits: limits)
  }
}

/// An image whose header has been read. Several threads may decode it at the same time.
package protocol OpenedImage: Sendable {
  /// The size of the upright image, in pixels.
  var pixelSize: (width: Int, height: Int) { get }
  /// The orientation of the stored pixels.
  var orientation: Orientation { get }
  /// The embedded thumbnail; `nil` if there is none, or if it cannot be read.
  var embeddedThumbnail: (any OpenedImage)? { get }
  var scaleDenominators: [Int] { get }
  /// `true` for vector images, which are rendered at any requested size.
  var isVector: Bool { get }
  /// Throws if a vector image of this size, in pixels, exceeds the limits. The default implementation does nothing.
  func checkDrawnSize(_ size: DecodeOptions.TargetSize) throws
  /// The peak memory use of decoding, in bytes.
  func byteCount(scaleDenominator: Int) -> Int
  func decode(_ options: DecodeOptions) throws -> ImageContainer
}

extension OpenedImage {
  package var orientation: Orientation { .up }
  package var isVector: Bool { false }
  package var embeddedThumbnail: (any OpenedImage)? { nil }
  package func checkDrawnSize(_ size: DecodeOptions.TargetSize) throws {}
}

/// The size at which the first processor needs the original, and the orientation to apply.
package struct DecodeTarget: Sendable {
  /// `true` to ignore the orientation in the file.
  let isAsStored: Bool
  private let reduction: @Sendable (_ available: [Int], _ width: Int, _ height: Int) -> Int
  private let drawing: @Sendable (_ width: Int, _ height: Int) -> DecodeOptions.TargetSize?

  /// - Parameters:
  ///   - isAsStored: `true` to ignore the orientation in the file.
  ///   - reduction: returns the largest of a decoder's scale denominators that preserves all pixels the step can use.
  ///     It depends only on the image size and this target.
  ///   - drawing: returns the size at which to render a vector image; `nil` for its own size.
  package init(
    isAsStored: Bool = false, reduction: @escaping @Sendable ([Int], Int, Int) -> Int,
    drawing: @escaping @Sendable (Int, Int) -> DecodeOptions.TargetSize?
  ) {
    self.isAsStored = isAsStored
    self.reduction = reduction
    self.drawing = drawing
  }

  /// The size that a resize needs.
  ///
  /// - Parameter scale: the number of pixels that it needs for each pixel of its result.
  init(resize: ImageProcessors.Resize, scale: ResizeGeometry.DecodeScale) {
    self.init { available, width, height in
      // The step validates the geometry again when it runs, and throws the error then.
      (try? resize.geometry(sourceWidth: width, sourceHeight: height))?
        .scaleDenominator(available: available, rule: scale) ?? 1
    } drawing: { width, height in
      Self.drawnSize(for: resize, width: width, height: height)
    }
  }

  func scaleDenominator(of available: [Int], width: Int, height: Int) -> Int { reduction(available, width, height) }

  func drawnSize(width: Int, height: Int) -> DecodeOptions.TargetSize? { drawing(width, height) }

  /// Returns the size at which to render a vector image of `width` x `height` pixels, so that the step only has to crop
  /// the result. Vector images are enlarged regardless of `upscale`. Returns `nil` for the image's own size.
  private static func drawnSize(
    for resize: ImageProcessors.Resize, width: Int, height: Int
  ) -> DecodeOptions.TargetSize? {
    guard let geometry = try? resize.enlarging.geometry(sourceWidth: width, sourceHeight: height) else { return nil }
    func side(_ source: Int, _ region: Double, _ output: Int) -> Int {
      // Differences below a millionth of a pixel are rounding errors.
      let exact = Double(output) * Double(source) / region - 1e-6
      guard exact > Double(output) else { return output }
      // Crop the same number of pixels on both sides, so that the others do not shift by a fraction.
      let side = Int(exact.rounded(.up))
      return side + (side - output) % 2
    }
    return DecodeOptions.TargetSize(
      width: side(width, geometry.region.width, geometry.outputWidth),
      height: side(height, geometry.region.height, geometry.outputHeight))
  }
}

/// A processor that determines the size of the original it needs, if it is the first one.
package protocol DecodeTargeting: ImageProcessing {
  var decodeTarget: DecodeTarget? { get }

  /// Returns the processor for an original of `width` x `height` pixels, which is decoded for ``decodeTarget`` and may
  /// therefore be smaller when it is processed. The result must not depend on the reduction.
  func resolved(width: Int, height: Int) -> Self
}

extension DecodeTargeting {
  package func resolved(width: Int, height: Int) -> Self { self }
}

extension ImageRequest {
  /// Returns the size that the first processor needs. `nil` unless it is the last one of `processorCount` and
  /// determines a size.
  func decodeTarget(after processorCount: Int) -> DecodeTarget? {
    if processorCount == 0 { return thumbnail?.decodeTarget }
    guard processorCount == 1, thumbnail == nil else { return nil }
    return (processors[0] as? any DecodeTargeting)?.decodeTarget
  }
}

/// How to decode an original: the decoder, the reduction, and the memory it needs.
struct DecodePlan: Sendable {
  let decoder: any ImageDecoding
  let scaleDenominator: Int
  /// `true` to decode the embedded thumbnail instead of the image.
  let isEmbedded: Bool
  /// The orientation to apply instead of the one in the file; `nil` to use the file's.
  let orientation: Orientation?
  /// The size at which a vector image is rendered; `nil` for its own size, and for bitmap formats.
  let drawnSize: DecodeOptions.TargetSize?
  /// The frame of a video.
  private let posterFrame: PosterFrame
  /// The memory that decoding needs, in bytes; 0 if the decoder does not estimate it.
  let byteCount: Int
  /// The size of the decoded image, in pixels; `nil` if the decoder cannot tell before decoding.
  var pixelSize: (width: Int, height: Int)? {
    if let drawnSize { return (drawnSize.width, drawnSize.height) }
    return opened.map { opened in
      let (width, height) = opened.pixelSize
      return (
        (width + scaleDenominator - 1) / scaleDenominator, (height + scaleDenominator - 1) / scaleDenominator
      )
    }
  }
  private let data: Data
  private let opened: (any OpenedImage)?

  /// - Parameter opened: the image that the decoder has opened; `nil` if it can only decode `data`.
  init(
    decoder: any ImageDecoding, data: Data, opened: (any OpenedImage)?, target: DecodeTarget?,
    thumbnail: ImageRequest.ThumbnailOptions? = nil, posterFrame: PosterFrame = .first
  ) throws {
    self.decoder = decoder
    self.posterFrame = posterFrame
    self.data = data
    guard var opened else {
      self.opened = nil
      isEmbedded = false
      orientation = nil
      drawnSize = nil
      scaleDenominator = 1
      byteCount = 0
      return
    }
    let embedded = try thumbnail?.embeddedThumbnail(of: opened)
    isEmbedded = embedded != nil
    if let embedded { opened = embedded }
    let isAsStored = thumbnail?.createThumbnailWithTransform == false || target?.isAsStored == true
    orientation = isAsStored ? .up : nil
    var (width, height) = opened.pixelSize
    if isAsStored, opened.orientation.swapsAxes { swap(&width, &height) }
    scaleDenominator =
      target?.scaleDenominator(of: opened.scaleDenominators, width: width, height: height) ?? 1
    drawnSize = opened.isVector ? target?.drawnSize(width: width, height: height) : nil
    // The size that a drawing states may be far larger than the image, or than any image.
    if opened.isVector { try opened.checkDrawnSize(drawnSize ?? .init(width: width, height: height)) }
    let ownByteCount = opened.byteCount(scaleDenominator: scaleDenominator)
    byteCount =
      drawnSize.map { size in
        let perPixel = Double(ownByteCount) / (Double(width) * Double(height))
        return Int(min(perPixel * Double(size.width) * Double(size.height), 1e18))
      } ?? ownByteCount
    self.opened = opened
  }

  func decode(isCancelled: @escaping @Sendable () -> Bool) throws -> ImageContainer {
    let options = DecodeOptions(
      scaleDenominator: scaleDenominator, orientation: orientation, targetSize: drawnSize,
      posterFrame: posterFrame, isCancelled: isCancelled)
    return try opened?.decode(options) ?? decoder.decode(data)
  }

  /// Identifies a way to decode an original in keys.
  struct Key: Hashable {
    fileprivate let scaleDenominator: Int8
    fileprivate let isEmbedded: Bool
    fileprivate let isAsStored: Bool
    /// The size of a vector image; 0 x 0 for its own size.
    fileprivate let drawnWidth: Int32
    fileprivate let drawnHeight: Int32
    fileprivate let posterFrame: PosterFrame
  }

  var key: Key {
    Key(
      scaleDenominator: Int8(clamping: scaleDenominator), isEmbedded: isEmbedded, isAsStored: orientation != nil,
      drawnWidth: Int32(clamping: drawnSize?.width ?? 0), drawnHeight: Int32(clamping: drawnSize?.height ?? 0),
      posterFrame: posterFrame)
  }

  /// The image before any reduction; `nil` if the decoder cannot tell before decoding.
  var source: StoredSizes.Source? {
    opened.map {
      .init(width: $0.pixelSize.width, height: $0.pixelSize.height, scaleDenominators: $0.scaleDenominators)
    }
  }

  /// Returns the size of a complete original, and the reductions at which it could be decoded.
  static func source(of original: ImageContainer) -> StoredSizes.Source {
    // A WebP is decoded at a reduced size if it is lossy, opaque and not animated. Whether it is lossy is not known here.
    let isReducibleWebP = original.type == .webp && original.image.isOpaque && original.original == nil
    let isReducible = original.type == .jpeg || isReducibleWebP
    return .init(
      width: original.image.pixelWidth, height: original.image.pixelHeight,
      scaleDenominators: isReducible ? JPEGReader.availableScaleDenominators : [1])
  }

  /// Returns `true` if decoding for `target` would give the complete image `original` itself.
  static func gives(_ original: ImageContainer, for target: DecodeTarget) -> Bool {
    guard !target.isAsStored else { return false }
    let source = source(of: original)
    let (width, height) = (source.width, source.height)
    if original.type == .svg { return target.drawnSize(width: width, height: height) == nil }
    return target.scaleDenominator(of: source.scaleDenominators, width: width, height: height) == 1
  }
}
