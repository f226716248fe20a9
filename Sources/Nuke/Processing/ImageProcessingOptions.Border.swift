public import Foundation
public import NukeImaging

extension ImageProcessingOptions {
  /// A line of constant width along the inside of a shape's edge.
  public struct Border: Sendable, Hashable, CustomStringConvertible {
    /// The color, composited over the image with its alpha, at 8 bits per channel.
    public let color: PlatformColor
    /// The width in pixels, regardless of the unit it was created with. 0 if it was negative or not a number.
    public let width: CGFloat

    /// - Parameters:
    ///   - color: the color of the line.
    ///   - width: the width of the line.
    ///   - unit: the unit of `width`: pixels, or points of the current ``DisplayScale/current``.
    public init(color: PlatformColor, width: CGFloat = 1, unit: Unit = .points) {
      self.color = color
      let pixels = width * unit.pixelsPerUnit
      self.width = pixels > 0 ? pixels : 0
    }

    public var description: String { "Border(color: \(color.hex), width: \(Double(width)) pixels)" }

    /// The part of a processor's identifier that describes the border.
    var identifier: String { "\(color.hex)/\(Double(width))" }

    var outline: Bitmap.Outline { Bitmap.Outline(color: color, width: Double(width)) }
  }
}
