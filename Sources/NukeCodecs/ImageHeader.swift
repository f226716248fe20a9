public import Foundation
public import NukeImaging

/// The properties of an image that are known before its pixels are decoded.
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
  /// The number of bits per stored component; 8 for most images.
  public var bitsPerComponent = 8
  /// A Boolean value that indicates whether the file can hold transparent pixels.
  public var hasAlpha = false
  /// A Boolean value that indicates whether the image is stored in passes of increasing quality (progressive JPEG,
  /// interlaced PNG or GIF).
  public var isProgressive = false
  /// The name of the embedded color profile: "sRGB" if it equals sRGB, `nil` if there is none.
  public var profileName: String?
  /// The number of frames: 1 for a still image; `nil` if the whole file would be needed to find out.
  public var frameCount: Int? = 1
  /// The number of times an animated image plays; 0 means forever.
  public var loopCount = 1
  /// The duration of one loop of an animated image in seconds: 0 for a still image, `nil` if the whole file would be
  /// needed to find out.
  public var duration: TimeInterval?
  /// The EXIF metadata; `nil` if there is none.
  public var exif: EXIF?

  /// Creates a header with a format and a size. All other properties are those of a simple RGB image.
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
