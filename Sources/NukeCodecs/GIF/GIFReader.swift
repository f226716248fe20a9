public import Foundation
public import NukeImaging

/// Reads still and animated GIF images with our own decoder.
///
/// Files that violate the format are read like in browsers. Frames are clipped to the canvas, which is transparent
/// where nothing was drawn. Delays of less than two hundredths of a second become a tenth.
public struct GIFReader: ImageReader {
  public static var format: ImageFormat { .gif }

  public let header: ImageHeader
  private let data: Data
  private let structure: GIFStructure
  private let limits: CodecLimits

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    let structure = try GIFStructure(data, limits: limits)
    guard !structure.frames.isEmpty else {
      switch structure.stopReason {
      case .cut: throw .truncated(.gif, byteCount: data.count)
      case .finished: throw .malformed(.gif, reason: "there is no frame", offset: nil)
      }
    }
    self.data = data
    self.structure = structure
    self.limits = limits
    header = Self.header(of: structure)
  }

  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    var limits = CodecLimits.unlimited
    // Each takes 80 bytes.
    limits.maximumFrameCount = 1_000_000
    let structure = try GIFStructure(data, limits: limits)
    guard !structure.frames.isEmpty else {
      guard structure.stopReason == .cut else { throw .malformed(.gif, reason: "there is no frame", offset: nil) }
      return nil
    }
    var header = header(of: structure)
    if structure.stopReason == .cut {
      header.frameCount = nil
      header.duration = nil
    }
    return header
  }

  private static func header(of structure: GIFStructure) -> ImageHeader {
    var header = ImageHeader(format: .gif, storedWidth: structure.width, storedHeight: structure.height)
    header.colorModel = .indexed
    header.hasAlpha = structure.hasAlpha
    header.isProgressive = structure.frames.first?.isInterlaced ?? false
    header.frameCount = structure.frames.count
    header.loopCount = structure.loopCount
    header.duration = structure.frames.count > 1 ? structure.frames.reduce(0) { $0 + $1.delay } : 0
    return header
  }

  /// The color indices of the largest frame, one byte each.
  public var workingByteCount: Int { structure.frames.map(structure.unpackedPixelCount).max() ?? 0 }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let source = GIFFrameSource(
      data: data, structure: structure, limits: limits, isCancelled: options.isCancelled ?? { false })
    guard let image = try source.next() else {
      throw .malformed(.gif, reason: "there is no frame", offset: nil)
    }
    return image
  }

  /// Decodes the rows of the first frame that are complete. The others are transparent.
  func decodeDamaged(_ options: DecodeOptions) throws(CodecError) -> (image: Bitmap, rowFraction: Double)? {
    let source = GIFFrameSource(
      data: data, structure: structure, limits: limits, isTolerant: true, isCancelled: options.isCancelled ?? { false })
    return try source.next().map { ($0, source.rowFraction) }
  }

  public func animation() throws(CodecError) -> Animation? {
    guard structure.frames.count > 1 else { return nil }
    let canvasPixelCount = Double(structure.width) * Double(structure.height)
    let pixelCount = structure.frames.reduce(0) { $0 + max(canvasPixelCount, Double(structure.unpackedPixelCount($1))) }
    try DecodeWork.framePixels.check(pixelCount, .gif)
    return Animation(
      pixelWidth: structure.width, pixelHeight: structure.height, loopCount: structure.loopCount,
      delays: structure.frames.map(\.delay)
    ) { [data, structure, limits] in
      GIFFrameSource(data: data, structure: structure, limits: limits)
    }
  }
}
