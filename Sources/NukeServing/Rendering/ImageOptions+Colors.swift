public import Foundation
public import NukeImaging

// Changes of colors, and colors that are drawn over the result.
extension ImageOptions {
  /// Replaces colors by those of a palette, which the luminance of BT.709 selects: black, the color at the middle, and
  /// white.
  public struct Monochrome: Sendable, Hashable, Codable {
    /// The share of the new color, from 0 to 1.
    public var intensity: Double
    public var color: Color

    public init(intensity: Double, color: Color = Color(white: 179.0 / 255)) {
      self.intensity = intensity
      self.color = color
    }
  }

  /// Replaces colors by those between two, which the luminance of BT.709 selects.
  public struct Duotone: Sendable, Hashable, Codable {
    /// The share of the new color, from 0 to 1.
    public var intensity: Double
    /// The color in place of black.
    public var dark: Color
    /// The color in place of white.
    public var light: Color

    public init(intensity: Double, dark: Color = .black, light: Color = .white) {
      self.intensity = intensity
      self.dark = dark
      self.light = light
    }
  }

  /// A color over the whole result.
  public struct Colorize: Sendable, Hashable, Codable {
    /// The opacity, from 0 to 1.
    public var opacity: Double
    public var color: Color
    /// A Boolean value that indicates whether transparent pixels stay transparent.
    public var keepsAlpha: Bool

    public init(opacity: Double, color: Color = .black, keepsAlpha: Bool = false) {
      self.opacity = opacity
      self.color = color
      self.keepsAlpha = keepsAlpha
    }
  }

  /// A color over the result, whose opacity grows in one direction.
  public struct Gradient: Sendable, Hashable, Codable {
    /// The opacity at ``stop`` and behind it, from 0 to 1.
    public var opacity: Double
    public var color: Color
    /// The direction in which the opacity grows, in degrees clockwise: 0 is down, 90 is to the left.
    public var angle: Double
    /// The position up to which the color is transparent. Along the direction, 0 is where the image begins, and 1 where
    /// it ends.
    public var start: Double
    /// The position from which the color has its full opacity.
    public var stop: Double

    public init(opacity: Double, color: Color = .black, angle: Double = 0, start: Double = 0, stop: Double = 1) {
      self.opacity = opacity
      self.color = color
      self.angle = angle
      self.start = start
      self.stop = stop
    }
  }
}
