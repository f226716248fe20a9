public import Foundation
import Synchronization

/// Values that several processors share.
public enum ImageProcessingOptions: Sendable {
  /// The unit of a length.
  public enum Unit: String, Sendable, Hashable, CustomStringConvertible {
    /// Lengths on the display: pixels are ``DisplayScale/current`` times as many.
    case points
    case pixels

    public var description: String { rawValue }

    /// Pixels of one unit, now.
    var pixelsPerUnit: CGFloat { self == .points ? DisplayScale.current : 1 }
  }

  /// The way an image is fitted to a size.
  public enum ContentMode: String, Sendable, Hashable, CustomStringConvertible {
    /// It covers the whole size; what juts out may be cropped.
    case aspectFill
    /// It fits into the size as a whole.
    case aspectFit

    public var description: String { "." + rawValue }
  }
}

/// Pixels a point, for the whole process. A program that shows images on a dense display sets it once at its start.
public enum DisplayScale {
  private static let bits = Atomic<UInt64>(Double(1).bitPattern)

  /// 1 unless set. Values that are not positive numbers are ignored.
  public static var current: CGFloat {
    get { CGFloat(Double(bitPattern: bits.load(ordering: .relaxed))) }
    set { if newValue.isFinite, newValue > 0 { bits.store(Double(newValue).bitPattern, ordering: .relaxed) } }
  }
}
