#if Command
  import Foundation
  package import Nuke

  /// A grid of images. Each is drawn as soon as it is there, so that only the sheet and one tile are in memory.
  package final class ContactSheet {
    package enum Background: Sendable {
      case color(Color)
      /// Squares of two dark grays, which make transparency visible.
      case checkerboard
    }

    private let layout: TileLayout
    private let pixels: PixelBuffer
    private let isOpaque: Bool

    /// Returns `nil` if memory cannot be allocated.
    package init?(_ layout: TileLayout, background: Background) {
      guard let pixels = PixelBuffer(width: layout.width, height: layout.height) else { return nil }
      self.layout = layout
      self.pixels = pixels
      switch background {
      case .color(let color):
        isOpaque = color.alpha == 1
        let pixel = color.premultipliedRGBA8
        fill { _, _ in pixel }
      case .checkerboard:
        isOpaque = true
        fill { x, y in (x / 16 + y / 16) % 2 == 0 ? (58, 58, 58, 255) : (48, 48, 48, 255) }
      }
    }

    private func fill(_ pixel: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8, UInt8)) {
      for y in 0..<layout.height {
        for x in 0..<layout.width {
          pixels.bytes.storeBytes(
            of: pixel(x, y), toByteOffset: (y * layout.width + x) * 4, as: (UInt8, UInt8, UInt8, UInt8).self)
        }
      }
    }

    /// Draws an image in the center of a tile, which it must not exceed.
    ///
    /// - Parameter index: the number of the tile, row by row.
    package func draw(_ image: Bitmap, at index: Int) {
      let tile = layout.origin(of: index)
      let left = tile.x + (layout.tileWidth - image.pixelWidth) / 2
      let top = tile.y + (layout.tileHeight - image.pixelHeight) / 2
      precondition(image.pixelWidth <= layout.tileWidth && image.pixelHeight <= layout.tileHeight)
      image.withUnsafeBytes { source in
        for y in 0..<image.pixelHeight {
          blend(source[(y * image.bytesPerRow)..<((y + 1) * image.bytesPerRow)], left: left, top: top + y)
        }
      }
    }

    /// Draws a row of premultiplied pixels over the existing ones.
    private func blend(_ row: Slice<UnsafeRawBufferPointer>, left: Int, top: Int) {
      let (source, target) = (UnsafeRawBufferPointer(rebasing: row), pixels.row(top) + left * 4)
      for x in stride(from: 0, to: source.count, by: 4) {
        let rest = 255 - Int(source[x + 3])
        for channel in x..<x + 4 {
          target[channel] = UInt8(min(255, Int(source[channel]) + (Int(target[channel]) * rest + 127) / 255))
        }
      }
    }

    /// Returns the sheet. Nothing may be drawn afterwards.
    package func finished() -> Bitmap { Bitmap(pixels, isOpaque: isOpaque) }
  }
#endif
