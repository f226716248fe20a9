import Foundation
package import Nuke

/// A grid of images on a checkerboard.
package struct ContactSheet {
  private let columns: Int
  private let cellWidth: Int
  private let cellHeight: Int
  private let gap: Int

  package init(columns: Int = 3, cellWidth: Int = 320, cellHeight: Int = 240, gap: Int = 16) {
    self.columns = columns
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    self.gap = gap
  }

  /// Draws all images in order, row by row. Returns `nil` if there are none, or not enough memory.
  package func draw(_ images: [Bitmap]) -> Bitmap? {
    guard !images.isEmpty else { return nil }
    let rows = (images.count + columns - 1) / columns
    let width = columns * (cellWidth + gap) + gap
    let height = rows * (cellHeight + gap) + gap
    let resize = ImageProcessors.Resize(
      size: CGSize(width: cellWidth, height: cellHeight), unit: .pixels, contentMode: .aspectFit, upscale: true)
    return Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { pixels in
      fill(pixels, width: width)
      for (index, image) in images.enumerated() {
        guard let image = resize.process(image) else { continue }
        let left = gap + index % columns * (cellWidth + gap) + (cellWidth - image.pixelWidth) / 2
        let top = gap + index / columns * (cellHeight + gap) + (cellHeight - image.pixelHeight) / 2
        blend(image, into: pixels, rowBytes: width * 4, left: left, top: top)
      }
    }
  }

  /// Fills the sheet with squares of two dark grays, which make transparency visible.
  private func fill(_ pixels: UnsafeMutableRawBufferPointer, width: Int) {
    for index in 0..<pixels.count / 4 {
      let isLight = (index % width / 16 + index / width / 16) % 2 == 0
      let gray: UInt8 = isLight ? 58 : 48
      pixels.storeBytes(of: (gray, gray, gray, 255), toByteOffset: index * 4, as: (UInt8, UInt8, UInt8, UInt8).self)
    }
  }

  /// Draws premultiplied pixels over the existing ones.
  private func blend(
    _ image: Bitmap, into pixels: UnsafeMutableRawBufferPointer, rowBytes: Int, left: Int, top: Int
  ) {
    image.withUnsafeBytes { source in
      for y in 0..<image.pixelHeight {
        let from = y * image.bytesPerRow
        let to = (top + y) * rowBytes + left * 4
        for x in stride(from: 0, to: image.bytesPerRow, by: 4) {
          let rest = 255 - Int(source[from + x + 3])
          for channel in 0..<4 {
            let below = Int(pixels[to + x + channel])
            pixels[to + x + channel] = UInt8(min(255, Int(source[from + x + channel]) + (below * rest + 127) / 255))
          }
        }
      }
    }
  }
}
