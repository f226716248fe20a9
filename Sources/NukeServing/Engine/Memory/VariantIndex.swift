import NukeBase
import NukeImaging

/// The sizes in which an image has been rendered. A smaller one can be sent if there is no time to render the requested
/// one.
///
/// Clients choose the URLs and options, so the index keeps only a hash of them. A hash collision causes a look-up of a
/// size that was never rendered, which is a miss.
final class VariantIndex: Sendable {
  /// 8192 images with 16 sizes of 40 bytes each: at most 6 MB with the overhead of the containers.
  static let imageLimit = 8192
  static let sizesEach = 16

  /// The size of a variant.
  struct Size: Hashable, BitwiseCopyable {
    var width: Int
    var height: Int
    var zoomX: Double
    var zoomY: Double
    var dpr: Double
  }

  private let sizes = Lock(RecentTable<Int, [Size]>(limit: imageLimit))

  func note(_ request: RenditionRequest) {
    guard request.output == .image else { return }
    let (image, size) = (request.hashOfAnySize, request.options.size)
    sizes.withLock { sizes in
      var known = sizes[image] ?? []
      guard !known.contains(size) else { return }
      if known.count == Self.sizesEach { known.removeFirst() }
      known.append(size)
      sizes[image] = known
    }
  }

  /// Returns the smaller variants of the same image and shape, the largest first.
  func smaller(than request: RenditionRequest) -> [RenditionRequest] {
    let (image, size) = (request.hashOfAnySize, request.options.size)
    let known = sizes.withLock { $0[image] ?? [] }
    return known.filter { $0.isSmaller(than: size, fits: request.options.resizing == .fit) }
      .sorted { $0.pixelWidth + $0.pixelHeight > $1.pixelWidth + $1.pixelHeight }
      .map { known in
        var smaller = request
        smaller.options = request.options.ofFile(in: known)
        return smaller
      }
  }
}

extension RenditionRequest {
  fileprivate var hashOfAnySize: Int {
    var request = self
    request.options = options.ofFile(in: ImageOptions().size)
    request.validatesSource = false
    return request.hashValue
  }
}

extension ImageOptions {
  fileprivate var size: VariantIndex.Size {
    get { VariantIndex.Size(width: width, height: height, zoomX: zoom.x, zoomY: zoom.y, dpr: dpr) }
    set {
      (width, height, zoom, dpr) = (newValue.width, newValue.height, Pair(newValue.zoomX, newValue.zoomY), newValue.dpr)
    }
  }

  fileprivate func ofFile(in size: VariantIndex.Size) -> ImageOptions {
    var options = ofFile
    options.size = size
    return options
  }
}

extension VariantIndex.Size {
  /// The width of the box that the image is rendered for, in pixels; 0 if there is none.
  fileprivate var pixelWidth: Double { Double(width) * zoomX * dpr }
  fileprivate var pixelHeight: Double { Double(height) * zoomY * dpr }

  /// Returns `true` if this size shows the same part of the image with fewer pixels.
  ///
  /// - Parameter fits: `true` if the whole image is visible in every size.
  fileprivate func isSmaller(than other: Self, fits: Bool) -> Bool {
    if other.width == 0, other.height == 0 { return fits && (width > 0 || height > 0) }
    guard (width == 0) == (other.width == 0), (height == 0) == (other.height == 0),
      pixelWidth <= other.pixelWidth, pixelHeight <= other.pixelHeight,
      pixelWidth < other.pixelWidth || pixelHeight < other.pixelHeight
    else { return false }
    // The aspect ratios may differ by the rounding of sides to whole pixels.
    return abs(pixelWidth * other.pixelHeight - pixelHeight * other.pixelWidth)
      <= max(other.pixelWidth, other.pixelHeight)
  }
}
