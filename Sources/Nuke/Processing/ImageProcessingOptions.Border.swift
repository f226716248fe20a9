public import Foundation
public import NukeImaging

extension ImageProcessingOptions {
  /// A line along the edge of a shape, as wide inside of it everywhere.
  public struct Border: Sendable, Hashable, CustomStringConvertible {
    /// Drawn over the image, so that a transparent color lets it through. It counts with 8 bits a channel.
    public let color: PlatformColor
    /// In pixels, whatever unit it was given in. Zero where it was negative or no number.
    public let width: CGFloat

    /// - Parameters:
    ///   - color: the color of the line.
    ///   - width: how wide it is.
    ///   - unit: whether `width` is in points (of ``DisplayScale/current`` at this moment) or pixels.
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
