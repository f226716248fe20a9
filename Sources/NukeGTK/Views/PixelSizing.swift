#if GTK
  import Foundation
  import Nuke

  /// Decides in which size images are loaded that are resized to their view, and when they are too small for it.
  struct PixelSizing {
    /// `true` if images are resized at all.
    var isEnabled = false
    /// The area that the view has been drawn in, in points; `nil` until it has been.
    private(set) var drawnSize: CGSize?
    /// What was asked for last, in pixels.
    private var requested: CGSize?

    /// A view that has grown by less than this shows what it has.
    private static let tolerance = 1.1

    /// Notes that the view has been drawn.
    ///
    /// - Returns: `true` if that is news.
    mutating func draw(in size: CGSize) -> Bool {
      guard size.width >= 1, size.height >= 1, size != drawnSize else { return false }
      drawnSize = size
      return true
    }

    /// The size to ask for; `nil` as long as that of the view is not known.
    mutating func request(displayScale: Double) -> CGSize? {
      requested = pixelSize(displayScale)
      return requested
    }

    /// Returns `true` if the view has become larger than what was asked for.
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

    /// The processors that resize first, so that a decoder can leave out what is not needed.
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
