import Foundation

/// Writes the parts of each frame that differ from the previous one.
struct GIFFrameWriter {
  private let writer: GIFWriter
  private var file: GIFFile
  /// The palette of the first frame, which other frames use if possible.
  private let palette: ColorPalette
  private let table: GIFFile.ColorTable
  /// The canvas on which the next frame is drawn.
  private var canvas: GIFPixels
  private var isFirst = true

  /// - Parameter loopCount: `nil` for a still image.
  init(writer: GIFWriter, first: GIFPixels, loopCount: Int?) {
    self.writer = writer
    let hasTransparent = first.pixels.contains(0)
    palette = Self.palette(for: first.pixels, hasTransparent: hasTransparent, writer)
    // Later frames need an index for unchanged pixels.
    let canReserve = loopCount != nil && palette.colors.count < writer.maximumColorCount
    table = GIFFile.ColorTable(colors: palette.colors, hasTransparent: hasTransparent || canReserve)
    file = GIFFile(width: first.width, height: first.height, table: table, loopCount: loopCount)
    canvas = GIFPixels(width: first.width, height: first.height)
  }

  private static func palette(for pixels: [UInt32], hasTransparent: Bool, _ writer: GIFWriter) -> ColorPalette {
    ColorPalette(for: pixels, limit: writer.maximumColorCount - (hasTransparent ? 1 : 0))
  }

  /// - Parameters:
  ///   - delay: the delay in hundredths of a second.
  ///   - next: the next frame. It may require that pixels of this one are cleared.
  mutating func append(_ frame: GIFPixels, delay: Int, next: GIFPixels?) {
    // The first frame covers the canvas, as some readers expect. A frame without changes is one transparent pixel.
    var area =
      isFirst
      ? PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
      : frame.area(differingFrom: canvas) { $0 != $1 } ?? PixelRect(x: 0, y: 0, width: 1, height: 1)
    // The frame stays on the canvas, unless its whole area is cleared.
    let vanishing = next.flatMap { frame.area(differingFrom: $0) { $0 != 0 && $1 == 0 } }
    if let vanishing { area = area.union(vanishing) }

    let pixels = frame.changes(in: area, from: canvas)
    let hasTransparent = pixels.contains(0)
    let isShared =
      isFirst || (palette.isExact && (!hasTransparent || table.transparent != nil) && palette.holds(pixels))
    var palette = isShared ? self.palette : Self.palette(for: pixels, hasTransparent: hasTransparent, writer)
    let table = isShared ? self.table : GIFFile.ColorTable(colors: palette.colors, hasTransparent: hasTransparent)
    let indices = palette.indices(
      of: pixels, width: area.width, transparent: table.transparent ?? 0, isDithered: writer.isDithered)
    file.append(
      GIFFile.Frame(
        area: area, indices: indices, transparent: table.transparent, clears: vanishing != nil, delay: delay),
      table: table, isShared: isShared)
    isFirst = false
    canvas = frame
    if vanishing != nil { canvas.clear(area) }
  }

  consuming func finished() -> Data { file.finished() }
}
