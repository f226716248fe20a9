public import NukeCodecs
public import NukeImaging

/// The processing options of a URL, with the defaults of imgproxy's grammar.
///
/// Lengths are in pixels before ``dpr`` is applied, unless said otherwise; 0 stands for "as it comes out".
public struct ImageOptions: Sendable, Hashable, Codable {
  // MARK: Size

  public var resizing = Resizing.fit
  public var width = 0
  public var height = 0
  /// The result is scaled so that it is no smaller than this.
  public var minimumWidth = 0
  public var minimumHeight = 0
  /// Factors on ``width`` and ``height``.
  public var zoom = Pair(1, 1)
  /// Pixels a CSS pixel: a factor on all lengths of the result.
  public var dpr = 1.0
  /// A Boolean value that indicates whether an image that is smaller than asked for is enlarged.
  public var enlarges = false
  /// A Boolean value that indicates whether an image that is smaller than asked for is put on a canvas of that size,
  /// and where on it.
  public var extend: Gravity?
  /// The same, but only to the ratio of the sides that are asked for.
  public var extendAspectRatio: Gravity?
  /// The gravity by which the image is cropped; see ``Resizing/fill``.
  public var gravity = Gravity()

  // MARK: Before and after the resize

  public var crop: Crop?
  public var trim: Trim?
  /// Added at top, right, bottom and left.
  public var padding: Padding?
  /// A Boolean value that indicates whether the orientation that the file's metadata tells is applied.
  public var autoRotates = true
  /// Degrees clockwise: 0, 90, 180 or 270.
  public var rotation = 0
  public var flipsHorizontally = false
  public var flipsVertically = false
  /// The color of transparent pixels, padding and the canvas; `nil` leaves them transparent if the format can.
  public var background: Color?

  // MARK: Effects

  /// The standard deviation of a Gaussian blur, in pixels.
  public var blur = 0.0
  /// The standard deviation of the mask that sharpens, in pixels.
  public var sharpen = 0.0
  /// The side of the squares that the image is made of, in pixels; 0 or 1 for none.
  public var pixelate = 0
  /// The brightness, from -255 to 255.
  public var brightness = 0
  /// A factor, 1 for none.
  public var contrast = 1.0
  /// A factor, 1 for none.
  public var saturation = 1.0
  public var watermark: Watermark?

  // MARK: The file

  /// The format to write; `nil` lets the server choose.
  public var format: ImageFormat?
  /// The quality, from 1 to 100; `nil` for ``formatQuality`` or the server's default.
  public var quality: Int?
  /// By format, from 1 to 100.
  public var formatQuality: [ImageFormat: Int] = [:]
  /// The largest file in bytes, met by lower quality; `nil` for no limit.
  public var maximumBytes: Int?
  /// A Boolean value that indicates whether a JPEG is written so that it is seen coarse first; `nil` for the server's
  /// default.
  public var isProgressive: Bool?
  /// The chroma subsampling of JPEG and AVIF; without an entry, the writer's default.
  public var chromaSubsampling: [ImageFormat: ChromaSubsampling] = [:]
  /// The maximum number of colors of PNG and GIF, 2...256; `nil` for the format's limit.
  public var maximumColorCount: Int?
  /// A Boolean value that indicates whether WebP is lossless; `nil` for lossless if the source has a palette whose pixels
  /// are not mixed.
  public var isLosslessWebP: Bool?
  /// A Boolean value that indicates whether EXIF, XMP and comments are left out; `nil` for the server's default.
  public var stripsMetadata: Bool?
  /// A Boolean value that indicates whether the copyright is kept where metadata is left out; `nil` for the server's
  /// default.
  public var keepsCopyright: Bool?
  /// Formats whose files are sent as they are, if the source has one of them.
  public var skippedFormats: Set<ImageFormat> = []
  /// A Boolean value that indicates whether the source is sent as it is.
  public var isRaw = false
  /// A short description in place of the image, as text.
  public var placeholder: Placeholder?

  // MARK: The answer

  /// Seconds since 1970 after which the URL is refused.
  public var expires: Int?
  /// The file's name for whoever saves it, without an extension.
  public var filename: String?
  /// A Boolean value that indicates whether browsers are told to save the file; `nil` for the server's default.
  public var isAttachment: Bool?
  /// A value without an effect but another URL.
  public var cacheBuster: String?

  public init() {}
}

extension ImageOptions {
  public enum Resizing: String, Sendable, Hashable, CaseIterable, Codable {
    /// Scales the image to fit the size, keeping its aspect ratio.
    case fit
    /// Fills the size and is cut to it.
    case fill
    /// The same, but where the image is smaller than the size, the result has its ratio of the sides and no more
    /// pixels.
    case fillDown = "fill-down"
    /// Exactly the size, whatever becomes of the ratio.
    case force
    /// `fill` where both are portrait or both landscape, else `fit`.
    case auto
  }

  public struct Pair: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// The position of something in an image or on a canvas.
  public struct Gravity: Sendable, Hashable, Codable {
    public enum Place: String, Sendable, Hashable, CaseIterable, Codable {
      case center = "ce"
      case north = "no"
      case south = "so"
      case east = "ea"
      case west = "we"
      case northEast = "noea"
      case northWest = "nowe"
      case southEast = "soea"
      case southWest = "sowe"
      /// The part with the most detail.
      case smart = "sm"
      /// ``Gravity/offset`` from 0 to 1 is the point that comes to the middle.
      case focusPoint = "fp"
    }

    public var place: Place
    /// Moves the place inwards: pixels, or a part of the side where the magnitude is less than 1.
    public var offset: Pair

    public init(_ place: Place = .center, offset: Pair = Pair(0, 0)) {
      self.place = place
      self.offset = offset
    }
  }

  /// A part of the source: pixels of the source, or a part of its side where less than 1; 0 for the whole side.
  public struct Crop: Sendable, Hashable, Codable {
    public var width: Double
    public var height: Double
    /// `nil` for the gravity of the options.
    public var gravity: Gravity?

    public init(width: Double, height: Double, gravity: Gravity? = nil) {
      self.width = width
      self.height = height
      self.gravity = gravity
    }
  }

  /// Takes away borders of one color.
  public struct Trim: Sendable, Hashable, Codable {
    /// The largest difference from the border's color, from 0 to 255.
    public var threshold: Double
    /// `nil` for the color of the pixel at the top left.
    public var color: Color?
    /// A Boolean value that indicates whether the same is taken from left and right.
    public var isEqualHorizontally: Bool
    /// A Boolean value that indicates whether the same is taken from top and bottom.
    public var isEqualVertically: Bool

    public init(
      threshold: Double, color: Color? = nil, isEqualHorizontally: Bool = false, isEqualVertically: Bool = false
    ) {
      self.threshold = threshold
      self.color = color
      self.isEqualHorizontally = isEqualHorizontally
      self.isEqualVertically = isEqualVertically
    }
  }

  public struct Padding: Sendable, Hashable, Codable {
    public var top: Int
    public var right: Int
    public var bottom: Int
    public var left: Int

    public init(top: Int, right: Int, bottom: Int, left: Int) {
      self.top = top
      self.right = right
      self.bottom = bottom
      self.left = left
    }
  }

  /// The server's watermark, laid over the result.
  public struct Watermark: Sendable, Hashable, Codable {
    public enum Position: Sendable, Hashable, Codable {
      case at(Gravity.Place)
      /// Repeated all over.
      case repeated
      /// Repeated, each second row moved by half.
      case chessboard
    }

    /// The opacity, from 0 to 1.
    public var opacity: Double
    public var position: Position
    /// The offset from the edges in pixels, or as a fraction of the result's side if its magnitude is less than 1.
    public var offset: Pair
    /// The watermark's size as a part of the result's; 0 for the size it has.
    public var scale: Double

    public init(opacity: Double, position: Position = .at(.center), offset: Pair = Pair(0, 0), scale: Double = 0) {
      self.opacity = opacity
      self.position = position
      self.offset = offset
      self.scale = scale
    }
  }

  /// The placeholder to return instead of the image.
  public enum Placeholder: String, Sendable, Hashable, CaseIterable, Codable {
    case blurHash = "blurhash"
    case thumbHash = "thumbhash"
    /// `#rrggbb`.
    case dominantColor = "color"
    /// A `data:` URL of a few hundred bytes.
    case preview
  }
}
