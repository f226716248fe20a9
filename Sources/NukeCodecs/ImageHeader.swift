public import Foundation
public import NukeImaging

/// What a picture says of itself before any pixel is decoded.
public struct ImageHeader: Sendable {
  /// How the colours are stored in the file.
  public enum ColorModel: String, Sendable {
    case gray, rgb, indexed, cmyk
  }

  /// The format of the file.
  public var format: ImageFormat
  /// The width in pixels as stored, before ``orientation`` is applied.
  public var storedWidth: Int
  /// The height in pixels as stored, before ``orientation`` is applied.
  public var storedHeight: Int
  /// How the stored pixels are to be turned to stand upright.
  public var orientation: Orientation = .up
  /// How the colours are stored.
  public var colorModel: ColorModel = .rgb
  /// Bits of one component as stored: 8 for most.
  public var bitsPerComponent = 8
  /// Whether the file can hold transparent pixels.
  public var hasAlpha = false
  /// Whether the picture comes in passes of growing quality (progressive JPEG, interlaced PNG or GIF).
  public var isProgressive = false
  /// The name of the embedded colour profile, "sRGB" where it was recognised as that, nil where there is none.
  public var profileName: String?
  /// 1 for a still picture; nil where finding out would need the whole file.
  public var frameCount: Int? = 1
  /// How often a moving picture is played; 0 means for ever.
  public var loopCount = 1
  /// Seconds one pass of a moving picture takes; 0 for a still one, nil where finding out would need the whole file.
  public var duration: TimeInterval?
  /// What the camera wrote, if anything.
  public var exif: EXIF?

  /// A header of a format and a size; all else as for a plain RGB picture.
  public init(format: ImageFormat, storedWidth: Int, storedHeight: Int) {
    self.format = format
    self.storedWidth = storedWidth
    self.storedHeight = storedHeight
  }

  /// The width of the upright picture in pixels.
  public var pixelWidth: Int { orientation.swapsAxes ? storedHeight : storedWidth }
  /// The height of the upright picture in pixels.
  public var pixelHeight: Int { orientation.swapsAxes ? storedWidth : storedHeight }
}
