#if GTK
  package import Foundation

  extension Int32 {
    /// Returns a length for GTK: rounded up, from 0 to 1,000,000, so that GTK can add several. `length` is in points. One
    /// that is not a number counts as 0.
    package init(points length: CGFloat) { self = length > 0 ? Int32(Swift.min(length.rounded(.up), 1_000_000)) : 0 }
  }

  extension UInt32 {
    /// Returns a delay for GLib in milliseconds: rounded up, and at most 49 days. Less than 0, and what is not a number,
    /// counts as 0.
    package init(milliseconds seconds: TimeInterval) {
      self = seconds > 0 ? UInt32(Swift.min((seconds * 1000).rounded(.up), Double(UInt32.max))) : 0
    }
  }
#endif
