import Foundation
import Nuke

/// Scales an image to an exact size without keeping its aspect ratio, or by a factor.
struct ScaleProcessor: ImageProcessing, Hashable {
  enum Target: Hashable {
    /// In pixels.
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
    return "org.nuke.command.scale?s=\(size),filter=\(filter.rawValue),light=\(isLinear ? "linear" : "encoded")"
  }
}

extension ScaleProcessor: DecodeTargeting {
  /// The reduction for an exact size. A factor needs the size of the original.
  var decodeTarget: DecodeTarget? {
    guard case .size = target, !isLinear, filter != .nearest else { return nil }
    return DecodeTarget { available, width, height in
      (try? geometry(width: width, height: height))?.scaleDenominator(available: available) ?? 1
    } drawing: { width, height in
      (try? geometry(width: width, height: height)).map {
        DecodeOptions.TargetSize(width: $0.outputWidth, height: $0.outputHeight)
      }
    }
  }
}
