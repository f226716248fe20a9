public import Foundation
import Synchronization

/// A namespace for the options of processors.
public enum ImageProcessingOptions: Sendable {
  /// The unit of a length.
  public enum Unit: String, Sendable, Hashable, CustomStringConvertible {
    /// Points. One point is ``DisplayScale/current`` pixels.
    case points
    case pixels

    public var description: String { rawValue }

    /// The number of pixels per unit, at present.
    var pixelsPerUnit: CGFloat { self == .points ? DisplayScale.current : 1 }
  }

  /// How an image is scaled to a size.
  public enum ContentMode: String, Sendable, Hashable, CustomStringConvertible {
    /// Scales the image to fill the size. Parts outside of it may be cropped.
    case aspectFill
    /// Scales the image to fit into the size.
    case aspectFit

    public var description: String { "." + rawValue }
  }
}

/// The number of pixels per point in this process. Set it once at the start of a program for high-density displays.
public enum DisplayScale {
  private static let bits = Atomic<UInt64>(Double(1).bitPattern)

  /// The default is 1. Values that are not positive numbers are ignored.
  public static var current: CGFloat {
    get { CGFloat(Double(bitPattern: bits.load(ordering: .relaxed))) }
    set { if newValue.isFinite, newValue > 0 { bits.store(Double(newValue).bitPattern, ordering: .relaxed) } }
  }
}
