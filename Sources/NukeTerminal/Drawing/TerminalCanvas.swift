package import Foundation
internal import NukeCodecs
package import NukeImaging

/// Generates the bytes that draw images on a terminal, each in the place of the previous one.
///
/// The first image is drawn at the cursor, which must be at the start of a line. The cursor ends at the start of the line
/// below, and is visible. Call ``release()`` before writing other lines.
package struct TerminalCanvas: Sendable {
  /// The protocol.
  package let method: TerminalProtocol
  /// The current window.
  package private(set) var window: TerminalWindow
  private let colors: TerminalCapabilities.Colors
  private let size: TerminalSize?
  private let isInsideTmux: Bool
  private var shown: (placement: TerminalPlacement, imageID: UInt32)?
  private var nextNumber: UInt32

  /// - Parameters:
  ///   - method: the protocol; `nil` for the best of the terminal.
  ///   - size: the cells to fill; `nil` for the size of the image, within the window.
  ///   - firstImageID: the number of the first image for ``TerminalProtocol/kitty``, not 0. All processes of a terminal
  ///     share the numbers.
  package init(
    _ capabilities: TerminalCapabilities, method: TerminalProtocol? = nil, size: TerminalSize? = nil,
    firstImageID: UInt32
  ) {
    self.method = method ?? capabilities.best
    window = capabilities.window
    colors = capabilities.colors
    isInsideTmux = capabilities.isInsideTmux
    self.size = size
    nextNumber = firstImageID
  }

  /// `true` if the terminal draws images in place of characters.
  private var usesPlaceholders: Bool { method == .kitty && isInsideTmux }
  private var nextID: UInt32 { usesPlaceholders ? KittyPlaceholders.imageID(for: nextNumber) : nextNumber }

  /// The bytes that end incomplete sequences, and restore the cursor and the default colors.
  package static let restoration = Data("\u{1B}\\\u{1B}[0m\u{1B}[?25h\u{1B}[?2026l".utf8)

  /// Returns the placement of an image, or `nil` if it is not drawn.
  package func placement(of image: Bitmap) -> TerminalPlacement? {
    TerminalPlacement(
      width: image.pixelWidth, height: image.pixelHeight, window: window, method: method, size: size,
      mostCells: usesPlaceholders ? KittyPlaceholders.mostCells : .max)
  }

  /// The bytes that draw an image at the cursor.
  package struct Rendering: Sendable {
    fileprivate let placement: TerminalPlacement
    fileprivate let imageID: UInt32
    fileprivate let isOpaque: Bool
    fileprivate let content: Data
  }

  /// Scales and encodes an image for the window. Returns `nil` if nothing is drawn. It is slow, and works on any thread.
  package func render(_ image: Bitmap) throws(TerminalImageError) -> Rendering? {
    if let failure = method.failure { throw failure }
    guard let placement = placement(of: image) else { return nil }
    let id = nextID
    let content = try content(image, placement, id: id)
    return Rendering(placement: placement, imageID: id, isOpaque: image.isOpaque, content: content)
  }

  /// Returns the bytes that replace the previous image.
  ///
  /// - Parameter rendering: a rendering of this canvas, which has not been resized or placed an image since.
  package mutating func place(_ rendering: Rendering) -> Data {
    let placement = rendering.placement
    var output = Data()
    // Synchronized output (mode 2026) shows the image at once, without a flickering cursor.
    output.text("\u{1B}[?2026h\u{1B}[?25l")
    if let shown {
      output.text("\u{1B}[\(shown.placement.rows)A\r")
      // The previous image would be visible beside this one, or through it.
      if shown.placement != placement || method == .sixel && !rendering.isOpaque { output.text("\u{1B}[J") }
    }
    if shown?.placement.rows != placement.rows {
      // The window scrolls before drawing, not during it.
      output.text(String(repeating: "\n", count: placement.rows) + "\u{1B}[\(placement.rows)A")
    }
    output.append(rendering.content)
    // The previous image is deleted after the new one covers it.
    if method == .kitty, let shown { output.append(enveloped(KittyGraphics.delete(id: shown.imageID))) }
    output.text("\u{1B}[?25h\u{1B}[?2026l")
    shown = (placement, rendering.imageID)
    nextNumber = nextNumber == .max ? 1 : nextNumber + 1
    return output
  }

  /// Removes the image, and moves the cursor to its start.
  package mutating func erase() -> Data {
    guard let shown else { return Data() }
    var output = Data()
    output.text("\u{1B}[\(shown.placement.rows)A\r\u{1B}[J")
    if method == .kitty { output.append(enveloped(KittyGraphics.delete(id: shown.imageID))) }
    self.shown = nil
    return output
  }

  /// Leaves the image. The next one is drawn below.
  package mutating func release() { shown = nil }

  /// Changes the size of the window. The window is cleared, since the positions of its lines are unknown. The next image is
  /// drawn at the top.
  package mutating func resize(to window: TerminalWindow) -> Data {
    self.window = window
    guard let shown else { return Data() }
    var output = Data()
    if method == .kitty { output.append(enveloped(KittyGraphics.delete(id: shown.imageID))) }
    output.text("\u{1B}[2J\u{1B}[H")
    self.shown = nil
    return output
  }

  /// Returns the bytes that draw the image at the cursor, and move the cursor below it.
  private func content(
    _ image: Bitmap, _ placement: TerminalPlacement, id: UInt32
  ) throws(TerminalImageError) -> Data {
    let size = TerminalSize(columns: placement.columns, rows: placement.rows)
    var output = Data()
    do throws(CodecError) {
      switch method {
      case .text: break
      case .kitty where usesPlaceholders:
        for command in try KittyGraphics.prepare(try scaled(image, to: placement), id: id, cells: size) {
          output.append(enveloped(command))
        }
        output.lines(KittyPlaceholders.lines(id: id, size: size))
      case .kitty:
        // If the size of a cell is unknown, the terminal scales the image.
        let cells = window.cell == nil ? size : nil
        for command in try KittyGraphics.show(try scaled(image, to: placement), id: id, cells: cells) {
          output.append(command)
        }
        output.text("\u{1B}[\(placement.rows)B\r")
      case .sixel:
        // The position of the cursor depends on the terminal.
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
    // `nil` if the image has that size already.
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
