import Foundation
import Nuke

/// Scales an image to an exact size without keeping its aspect ratio, or by a factor.
///
/// The sides that a factor gives are rounded to whole pixels, halves up, and are at least 1.
struct ScaleProcessor: ImageProcessing, Hashable {
  enum Target: Hashable {
    /// The exact width and height, in pixels.
    case size(width: Int, height: Int)
    case factor(Double)
  }

  private let target: Target
  private let filter: ImageProcessingOptions.ResizeFilter
  private let isLinear: Bool

  init(_ target: Target, filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false) {
    self.target = target
    self.filter = filter
    isLinear = linearLight && filter != .nearest
  }

  func process(_ image: PlatformImage) -> PlatformImage? { try? scaled(image) }

  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    try container.map(scaled)
  }

  private func scaled(_ image: PlatformImage) throws -> PlatformImage {
    guard image.pixelWidth > 0 else { throw ImageProcessors.SizeError.emptyImage }
    guard let geometry = try geometry(width: image.pixelWidth, height: image.pixelHeight) else { return image }
    guard let result = image.resized(geometry, filter: filter.resampling, light: isLinear ? .linear : .encoded) else {
      throw ImageProcessingError.unknown
    }
    return result
  }

  /// Returns `nil` if the image stays unchanged.
  private func geometry(width: Int, height: Int) throws(ResizeGeometry.TooManyPixels) -> ResizeGeometry? {
    let size =
      switch target {
      case .size(let width, let height): CGSize(width: width, height: height)
      case .factor(let factor): CGSize(width: Double(width) * factor, height: Double(height) * factor)
      }
    return try ResizeGeometry(
      sourceWidth: width, sourceHeight: height, target: size, contentMode: .fill, upscale: true)
  }

  var identifier: String {
    let size =
      switch target {
      case .size(let width, let height): "\(width)x\(height)"
      case .factor(let factor): "\(factor)"
      }
    return "org.nuke.command.resize?s=\(size),filter=\(filter.rawValue),light=\(isLinear ? "linear" : "encoded")"
  }
}

extension ScaleProcessor: DecodeTargeting {
  var decodeTarget: DecodeTarget? {
    guard !isLinear, filter != .nearest else { return nil }
    return DecodeTarget { available, width, height in
      (try? geometry(width: width, height: height))?.scaleDenominator(available: available) ?? 1
    } drawing: { width, height in
      (try? geometry(width: width, height: height)).map {
        DecodeOptions.TargetSize(width: $0.outputWidth, height: $0.outputHeight)
      }
    }
  }

  /// Returns the processor with its factor replaced by the size of the result, for an original of `width` x `height`
  /// pixels. The size must not follow from an original that was decoded at a reduced size, because it would be rounded
  /// differently.
  func resolved(width: Int, height: Int) -> Self {
    guard case .factor = target, let geometry = try? geometry(width: width, height: height) else { return self }
    return Self(
      .size(width: geometry.outputWidth, height: geometry.outputHeight), filter: filter, linearLight: isLinear)
  }
}

extension ScaleProcessor: RowResizing {
  func rowSampling(of reader: any ImageReader) throws -> (scaleDenominator: Int, sampling: RowSampling)? {
    guard !isLinear else { return nil }
    let (width, height) = reader.pixelSize(scaleDenominator: 1)
    let resolved = resolved(width: width, height: height)
    return try reader.rowSampling(scale: filter == .nearest ? nil : .fast, filter: filter.resampling) {
      try resolved.geometry(width: $0, height: $1)
    }
  }
}
