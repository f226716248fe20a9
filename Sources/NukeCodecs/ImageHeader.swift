public import Foundation
public import NukeImaging

/// The facts about an image that are known before any pixel is decoded.
public struct ImageHeader: Sendable {
  /// The color model of the stored pixels.
  public enum ColorModel: String, Sendable {
    case gray, rgb, indexed, cmyk
  }

  /// The format of the file.
  public var format: ImageFormat
  /// The width in pixels as stored, before ``orientation`` is applied.
  public var storedWidth: Int
  /// The height in pixels as stored, before ``orientation`` is applied.
  public var storedHeight: Int
  /// The orientation of the stored pixels.
  public var orientation: Orientation = .up
  /// The color model of the stored pixels.
  public var colorModel: ColorModel = .rgb
  /// Bits of one component as stored: 8 for most.
  public var bitsPerComponent = 8
  /// A Boolean value that indicates whether the file can hold transparent pixels.
  public var hasAlpha = false
  /// A Boolean value that indicates whether the image comes in passes of growing quality (progressive JPEG, interlaced
  /// PNG or GIF).
  public var isProgressive = false
  /// The name of the embedded color profile, "sRGB" where it was recognized as that, `nil` if there is none.
  public var profileName: String?
  /// 1 for a still image; `nil` if finding out would need the whole file.
  public var frameCount: Int? = 1
  /// The number of times an animated image plays; 0 means forever.
  public var loopCount = 1
  /// Seconds one pass of an animated image takes; 0 for a still one, `nil` if finding out would need the whole file.
  public var duration: TimeInterval?
  /// The EXIF metadata; `nil` if there is none.
  public var exif: EXIF?

  /// A header of a format and a size; all else as for a plain RGB image.
  public init(format: ImageFormat, storedWidth: Int, storedHeight: Int) {
    self.format = format
    self.storedWidth = storedWidth
    self.storedHeight = storedHeight
  }

  /// The width of the upright image in pixels.
  public var pixelWidth: Int { orientation.swapsAxes ? storedHeight : storedWidth }
  /// The height of the upright image in pixels.
  public var pixelHeight: Int { orientation.swapsAxes ? storedWidth : storedHeight }
}
