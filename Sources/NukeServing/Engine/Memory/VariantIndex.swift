import Foundation
import NukeImaging

/// Which sizes of a picture have been made, so that a smaller one can be sent where there is no time for the one that is
/// asked for.
final class VariantIndex: Sendable {
  private static let sizesEach = 16
  private let sizes = Lock(RecentTable<RenditionRequest, [RenditionRequest]>(limit: 8192))

  func note(_ request: RenditionRequest) {
    guard request.output == .picture else { return }
    var request = request
    request.options = request.options.ofFile
    let family = request.ofAnySize
    sizes.withLock { sizes in
      var known = sizes[family] ?? []
      guard !known.contains(request) else { return }
      if known.count == Self.sizesEach { known.removeFirst() }
      sizes[family] = known + [request]
    }
  }

  /// Those of the same picture, smaller and of the same shape, the largest first.
  func smaller(than request: RenditionRequest) -> [RenditionRequest] {
    let known = sizes.withLock { $0[request.ofAnySize] ?? [] }
    return known.filter { $0.isSmaller(than: request) }
      .sorted { $0.pixelWidth + $0.pixelHeight > $1.pixelWidth + $1.pixelHeight }
  }
}

extension RenditionRequest {
  fileprivate var ofAnySize: RenditionRequest {
    let plain = ImageOptions()
    var request = self
    request.options = options.ofFile
    request.options.width = plain.width
    request.options.height = plain.height
    request.options.zoom = plain.zoom
    request.options.dpr = plain.dpr
    return request
  }

  /// Of the box that the picture is made for; 0 where none is said.
  fileprivate var pixelWidth: Double { Double(options.width) * options.zoom.x * options.dpr }
  fileprivate var pixelHeight: Double { Double(options.height) * options.zoom.y * options.dpr }

  /// Whether it shows the same part of the picture with fewer pixels.
  fileprivate func isSmaller(than other: RenditionRequest) -> Bool {
    if other.options.width == 0, other.options.height == 0 {
      return options.resizing == .fit && (options.width > 0 || options.height > 0)
    }
    guard (options.width == 0) == (other.options.width == 0), (options.height == 0) == (other.options.height == 0),
      pixelWidth <= other.pixelWidth, pixelHeight <= other.pixelHeight,
      pixelWidth < other.pixelWidth || pixelHeight < other.pixelHeight
    else { return false }
    // The shapes may differ by what rounding makes of a pixel.
    return abs(pixelWidth * other.pixelHeight - pixelHeight * other.pixelWidth)
      <= max(other.pixelWidth, other.pixelHeight)
  }
}
