#if GTK
  import Foundation
  import Nuke

  /// Decides the size at which images are loaded for a view, and when they are too small for it.
  struct PixelSizing {
    /// `true` if images are resized.
    var isEnabled = false
    /// The size of the view in points; `nil` until it has been drawn.
    private(set) var drawnSize: CGSize?
    /// The size of the last request, in pixels.
    private var requested: CGSize?

    /// A view that grows by less than this factor keeps its image.
    private static let tolerance = 1.1

    /// Records that the view has been drawn.
    ///
    /// - Returns: `true` if the size has changed.
    mutating func draw(in size: CGSize) -> Bool {
      guard size.width >= 1, size.height >= 1, size != drawnSize else { return false }
      drawnSize = size
      return true
    }

    /// Returns the size to request, or `nil` if the size of the view is unknown.
    mutating func request(displayScale: Double) -> CGSize? {
      requested = pixelSize(displayScale)
      return requested
    }

    /// Returns `true` if the view has become larger than the requested size.
    func isTooSmall(displayScale: Double) -> Bool {
      guard isEnabled, let requested, let size = pixelSize(displayScale) else { return false }
      return size.width > requested.width * Self.tolerance || size.height > requested.height * Self.tolerance
    }

    private func pixelSize(_ displayScale: Double) -> CGSize? {
      drawnSize.map {
        CGSize(
          width: ($0.width * displayScale).rounded(.up), height: ($0.height * displayScale).rounded(.up))
      }
    }

    /// Prepends a resize, which allows decoders to decode at a reduced size.
    static func processors(
      _ processors: [any ImageProcessing], resizingTo size: CGSize, contentMode: ImageContentMode
    ) -> [any ImageProcessing] {
      let mode: ImageProcessingOptions.ContentMode =
        switch contentMode {
        case .aspectFit, .scaleDown: .aspectFit
        case .fill, .aspectFill, .center: .aspectFill
        }
      return [ImageProcessors.Resize(size: size, unit: .pixels, contentMode: mode)] + processors
    }
  }
#endif
