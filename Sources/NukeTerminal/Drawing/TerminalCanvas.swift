package import Foundation
internal import NukeCodecs
package import NukeImaging

/// The place of a terminal at which images are drawn, one in the place of the other: gives the bytes that do it.
///
/// The first image is drawn where the cursor is, which has to be at the start of a line. Each time the cursor ends at
/// the start of the line below, and can be seen. Lines that others write there move the place away: call ``release()``
/// before.
package struct TerminalCanvas: Sendable {
  /// How it draws.
  package let method: TerminalProtocol
  /// The window as it is now.
  package private(set) var window: TerminalWindow
  private let colors: TerminalCapabilities.Colors
  private let size: TerminalSize?
  private let isInsideTmux: Bool
  private var shown: (placement: TerminalPlacement, imageID: UInt32)?
  private var nextID: UInt32

  /// - Parameters:
  ///   - method: how to draw; `nil` for what the terminal does best.
  ///   - size: the cells to fill; `nil` for those that the image's pixels take, within the window.
  ///   - firstImageID: the number of the first image for ``TerminalProtocol/kitty``, where all processes of a terminal
  ///     share the numbers; those behind it follow. Not 0.
  package init(
    _ capabilities: TerminalCapabilities, method: TerminalProtocol? = nil, size: TerminalSize? = nil,
    firstImageID: UInt32
  ) {
    self.method = method ?? capabilities.best
    window = capabilities.window
    colors = capabilities.colors
    isInsideTmux = capabilities.isInsideTmux
    self.size = size
    nextID = firstImageID
  }

  /// What ends unfinished sequences and brings the cursor and the usual colors back, whatever was being drawn.
  package static let restoration = Data("\u{1B}\\\u{1B}[0m\u{1B}[?25h\u{1B}[?2026l".utf8)

  /// Where an image will stand; `nil` if it will not be drawn.
  package func placement(of image: Bitmap) -> TerminalPlacement? {
    TerminalPlacement(
      width: image.pixelWidth, height: image.pixelHeight, window: window, method: method, size: size)
  }

  /// An image as the bytes that draw it at the cursor.
  package struct Rendering: Sendable {
    fileprivate let placement: TerminalPlacement
    fileprivate let imageID: UInt32
    fileprivate let isOpaque: Bool
    fileprivate let content: Data
  }

  /// Scales and encodes an image for the window; `nil` if nothing is drawn. This takes long, and works on any thread.
  package func render(_ image: Bitmap) throws(TerminalImageError) -> Rendering? {
    guard method.isBuilt else { throw .notBuilt(method) }
    guard let placement = placement(of: image) else { return nil }
    let content = try content(image, placement, id: nextID)
    return Rendering(placement: placement, imageID: nextID, isOpaque: image.isOpaque, content: content)
  }

  /// Returns the bytes that show a rendering in place of the image before.
  ///
  /// - Parameter rendering: made by this canvas, which has placed and resized nothing since.
  package mutating func place(_ rendering: Rendering) -> Data {
    let placement = rendering.placement
    var output = Data()
    // All of an image appears at once where terminals know how (mode 2026), and the cursor does not flicker.
    output.text("\u{1B}[?2026h\u{1B}[?25l")
    if let shown {
      output.text("\u{1B}[\(shown.placement.rows)A\r")
      // What is left of the image before would show beside this one, or through it.
      if shown.placement != placement || method == .sixel && !rendering.isOpaque { output.text("\u{1B}[J") }
    }
    if shown?.placement.rows != placement.rows {
      // The window scrolls now, and not while it is drawn on.
      output.text(String(repeating: "\n", count: placement.rows) + "\u{1B}[\(placement.rows)A")
    }
    output.append(rendering.content)
    // The new image covers the old before that goes.
    if method == .kitty, let shown { output.append(enveloped(KittyGraphics.delete(id: shown.imageID))) }
    output.text("\u{1B}[?25h\u{1B}[?2026l")
    shown = (placement, rendering.imageID)
    nextID = rendering.imageID == .max ? 1 : rendering.imageID + 1
    return output
  }

  /// Takes the image away, and leaves the cursor where it stood.
  package mutating func erase() -> Data {
    guard let shown else { return Data() }
    var output = Data()
    output.text("\u{1B}[\(shown.placement.rows)A\r\u{1B}[J")
    if method == .kitty { output.append(enveloped(KittyGraphics.delete(id: shown.imageID))) }
    self.shown = nil
    return output
  }

  /// Leaves the image where it is; the next one is drawn below.
  package mutating func release() { shown = nil }

  /// Notes the new size of the window. An image goes, and with it all that is in the window, since where the lines are
  /// now is not known; the next one is drawn at its top.
  package mutating func resize(to window: TerminalWindow) -> Data {
    self.window = window
    guard let shown else { return Data() }
    var output = Data()
    if method == .kitty { output.append(enveloped(KittyGraphics.delete(id: shown.imageID))) }
    output.text("\u{1B}[2J\u{1B}[H")
    self.shown = nil
    return output
  }

  /// What draws the image from the cursor on, and leaves that in the line below.
  private func content(
    _ image: Bitmap, _ placement: TerminalPlacement, id: UInt32
  ) throws(TerminalImageError) -> Data {
    let size = TerminalSize(columns: placement.columns, rows: placement.rows)
    var output = Data()
    do throws(CodecError) {
      switch method {
      case .text: break
      case .kitty:
        // Where a cell's pixels are not known, the terminal is told to scale.
        let cells = window.cell == nil ? size : nil
        for command in try KittyGraphics.show(try scaled(image, to: placement), id: id, cells: cells) {
          output.append(enveloped(command))
        }
        output.text("\u{1B}[\(placement.rows)B\r")
      case .sixel:
        // Terminals differ in where they leave the cursor.
        output.text("\u{1B}7")
        output.append(try SixelGraphics.show(try scaled(image, to: placement)))
        output.text("\u{1B}8\u{1B}[\(placement.rows)B\r")
      case .symbols:
        #if Terminal
          guard let lines = ChafaSymbols.lines(image, size: size, colors: colors) else {
            throw CodecError.outOfMemory(.png, byteCount: image.byteCount)
          }
          output.lines(lines)
        #endif
      case .blocks: output.lines(HalfBlocks.lines(try scaled(image, to: placement), colors: colors))
      }
    } catch {
      if case .outOfMemory = error { throw .outOfMemory }
      throw .encodingFailed(error)
    }
    return output
  }

  private func scaled(_ image: Bitmap, to placement: TerminalPlacement) throws(CodecError) -> Bitmap {
    let geometry = try? ResizeGeometry(
      sourceWidth: image.pixelWidth, sourceHeight: image.pixelHeight,
      target: CGSize(width: placement.width, height: placement.height), contentMode: .fill, upscale: true)
    // None where the image has that size already.
    guard let geometry else { return image }
    guard let result = image.resized(geometry) else {
      throw .outOfMemory(.png, byteCount: placement.width * placement.height * 4)
    }
    return result
  }

  private func enveloped(_ sequence: Data) -> Data { isInsideTmux ? TmuxPassthrough.wrap(sequence) : sequence }
}

extension Data {
  fileprivate mutating func text(_ text: String) { append(contentsOf: text.utf8) }

  fileprivate mutating func lines(_ lines: [Data]) {
    for line in lines {
      append(line)
      text("\r\n")
    }
  }
}
