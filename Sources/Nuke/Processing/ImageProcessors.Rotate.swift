public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Rotates an image about its center.
  ///
  /// Multiples of 90° move pixels unchanged, and an opaque image stays opaque. With other angles, the result is the
  /// smallest whole number of pixels on each side that contains the rotated image, and it is transparent around the image.
  /// For an image of w x h pixels and the angle a, the width is w · |cos a| + h · |sin a| and the height is
  /// w · |sin a| + h · |cos a|, both rounded up: 1600 x 1200 pixels rotated by 10° become 1785 x 1460.
  public struct Rotate: SimpleProcessing, Hashable, CustomStringConvertible {
    private let degrees: Double

    /// Creates a processor that rotates images.
    ///
    /// - Parameter degrees: the clockwise angle. If it is not a finite number, images are unchanged.
    public init(degrees: CGFloat) {
      let turn = degrees.isFinite ? Double(degrees).truncatingRemainder(dividingBy: 360) : 0
      self.degrees = turn < 0 ? turn + 360 : turn
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { image.rotated(degrees: degrees) }

    public var identifier: String { "org.nuke.rotate?degrees=\(degrees)" }
    public var description: String { "Rotate(degrees: \(degrees))" }
  }

  /// Mirrors an image.
  public struct Flip: SimpleProcessing, Hashable, CustomStringConvertible {
    /// The direction in which an image is mirrored.
    public enum Direction: String, Sendable, Hashable {
      /// Left and right.
      case horizontal
      /// Top and bottom.
      case vertical
    }

    private let direction: Direction

    /// Creates a processor that mirrors images.
    public init(_ direction: Direction) { self.direction = direction }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.turned(direction == .horizontal ? .upMirrored : .downMirrored)
    }

    public var identifier: String { "org.nuke.flip?direction=\(direction.rawValue)" }
    public var description: String { "Flip(.\(direction.rawValue))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Rotate {
  /// Rotates an image clockwise about its center. See ``ImageProcessors/Rotate``.
  public static func rotate(degrees: CGFloat) -> ImageProcessors.Rotate { ImageProcessors.Rotate(degrees: degrees) }
}

extension ImageProcessing where Self == ImageProcessors.Flip {
  /// Mirrors an image. See ``ImageProcessors/Flip``.
  public static func flip(_ direction: ImageProcessors.Flip.Direction) -> ImageProcessors.Flip {
    ImageProcessors.Flip(direction)
  }
}
