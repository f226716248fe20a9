public import NukeCodecs
public import NukeImaging

/// The processing options of a URL, with the defaults of imgproxy's grammar.
///
/// Lengths are in pixels before ``dpr`` is applied, unless stated otherwise. A length of 0 means that it follows from
/// the others.
public struct ImageOptions: Sendable, Hashable, Codable {
  // MARK: Size

  public var resizing = Resizing.fit
  public var width = 0
  public var height = 0
  /// The minimum width of the result. The image is scaled up to reach it.
  public var minimumWidth = 0
  public var minimumHeight = 0
  /// Factors for ``width`` and ``height``.
  public var zoom = Pair(1, 1)
  /// The number of pixels per CSS pixel: a factor for all lengths of the result.
  public var dpr = 1.0
  /// A Boolean value that indicates whether an image that is smaller than the requested size is enlarged.
  public var enlarges = false
  /// The position of an image that is smaller than the requested size, on a canvas of that size. `nil` for no canvas.
  public var extend: Gravity?
  /// The position of the image on a canvas with the requested aspect ratio. `nil` for no canvas.
  public var extendAspectRatio: Gravity?
  /// The gravity by which the image is cropped; see ``Resizing/fill``.
  public var gravity = Gravity()

  // MARK: Before and after resizing

  public var crop: Crop?
  /// The aspect ratio to which the region of ``crop`` is changed; `nil` for that of the region. Without ``crop``, the
  /// region is the whole image.
  public var cropAspectRatio: CropAspectRatio?
  public var trim: Trim?
  /// The padding at the top, right, bottom and left.
  public var padding: Padding?
  /// A Boolean value that indicates whether the orientation in the file's metadata is applied.
  public var autoRotates = true
  /// The rotation in degrees clockwise: 0, 90, 180 or 270.
  public var rotation = 0
  public var flipsHorizontally = false
  public var flipsVertically = false
  /// The color of transparent pixels, padding and the canvas; `nil` leaves them transparent if the format can.
  public var background: Color?

  /// The time of the video frame to render, in seconds from the start.
  public var videoSecond = 0.0
  /// The frames of a video to render instead of one.
  public var videoFrames: VideoFrames?
  /// The index of the frame to render of an animated image, if the result is not animated. The first one is 0.
  public var page = 0
  /// The number of frames to render below each other, if the result is not animated.
  public var pageCount = 1
  /// A Boolean value that indicates whether results are never animated.
  public var disablesAnimation = false
  /// A Boolean value that indicates whether the thumbnail in a HEIC or AVIF file is rendered in place of its image, if
  /// there is one; `nil` for the server's default.
  public var usesThumbnail: Bool?

  // MARK: Effects

  /// The standard deviation of a Gaussian blur, in pixels.
  public var blur = 0.0
  /// The standard deviation of the sharpening mask, in pixels.
  public var sharpen = 0.0
  public var unsharpMask: UnsharpMask?
  public var blurAreas: BlurAreas?
  /// The side of the squares that replace the pixels, in pixels; 0 or 1 for none.
  public var pixelate = 0
  /// The brightness, from -255 to 255.
  public var brightness = 0
  /// The contrast as a factor; 1 for no change.
  public var contrast = 1.0
  /// The saturation as a factor; 1 for no change.
  public var saturation = 1.0
  public var monochrome: Monochrome?
  public var duotone: Duotone?
  public var colorize: Colorize?
  public var gradient: Gradient?
  public var watermark: Watermark?
  /// The URL of the image that is drawn as the watermark; `nil` for the server's image. The same rules apply as for
  /// sources. It has no effect without ``watermark``.
  public var watermarkSource: String?
  /// The text that is drawn as the watermark, in Pango's markup; `nil` for an image. It has no effect without
  /// ``watermark``.
  public var watermarkText: String?
  /// The width into which the watermark is scaled, if ``Watermark/scale`` is 0; 0 for no limit. It keeps its aspect ratio,
  /// and is not larger than the result.
  public var watermarkWidth = 0
  public var watermarkHeight = 0
  /// The rotation of the watermark in degrees clockwise.
  public var watermarkRotation = 0.0
  /// The standard deviation of the watermark's shadow, in pixels; 0 for no shadow.
  public var watermarkShadow = 0.0
  /// A style sheet that is added to a drawing (SVG), before those in it.
  public var style: String?

  // MARK: The file

  /// The format to write; `nil` lets the server choose.
  public var format: ImageFormat?
  /// The formats of which the one with the smallest file is sent; `nil` for ``format``. In a URL, the list is empty: the
  /// formats that the client accepts are added when the request arrives.
  public var bestFormats: [ImageFormat]?
  /// The goal that decides the quality; `nil` for ``quality``.
  public var autoQuality: AutoQuality?
  /// The quality, from 1 to 100, of the JPEG that the result looks like; `nil` for ``formatQuality`` or the server's
  /// default.
  public var quality: Int?
  /// The quality for each format on the scale of the format's library, from 1 to 100. Formats without an entry have the
  /// server's default.
  public var formatQuality: [ImageFormat: Int] = [:]
  /// The maximum size of the file in bytes, reached by reducing the quality; `nil` for no limit.
  public var maximumBytes: Int?
  /// A Boolean value that indicates whether a JPEG is progressive; `nil` for the server's default.
  public var isProgressive: Bool?
  /// The chroma subsampling of JPEG and AVIF; without an entry, the writer's default.
  public var chromaSubsampling: [ImageFormat: ChromaSubsampling] = [:]
  /// The maximum number of colors of PNG and GIF, 2...256; 0 for the format's limit; `nil` for the server's default.
  public var maximumColorCount: Int?
  /// A Boolean value that indicates whether WebP is lossless; `nil` for lossless if the source has a palette whose pixels
  /// are not mixed.
  public var isLosslessWebP: Bool?
  /// A Boolean value that indicates whether EXIF, XMP and comments are removed; `nil` for the server's default.
  public var stripsMetadata: Bool?
  /// A Boolean value that indicates whether the copyright is kept if metadata is removed; `nil` for the server's
  /// default.
  public var keepsCopyright: Bool?
  /// The resolution that JPEG, PNG and TIFF state, in pixels per inch; `nil` for that of kept metadata, or the writer's.
  public var pixelsPerInch: Double?
  /// The formats whose files are sent unchanged if the source has one of them.
  public var skippedFormats: Set<ImageFormat> = []
  /// A Boolean value that indicates whether the source is sent unchanged.
  public var isRaw = false
  /// The placeholder to send as text instead of the image.
  public var placeholder: Placeholder?

  // MARK: Limits

  /// The hash that the source's file must have; `nil` for any.
  public var sourceHash: SourceHash?
  /// The limits of the source and the result. They apply in addition to the server's, so they can only be lower.
  public var limits = Limits()

  // MARK: The response

  /// The time after which the URL is rejected, in seconds since 1970.
  public var expires: Int?
  /// The suggested file name, without an extension.
  public var filename: String?
  /// The URL of the image that is sent if the source cannot be loaded; `nil` for the server's image. The same rules apply
  /// as for sources.
  public var fallbackSource: String?
  /// A Boolean value that indicates whether browsers save the file instead of showing it; `nil` for the server's
  /// default.
  public var isAttachment: Bool?
  /// Tags that the response states, by which caches in front of the server can purge it.
  public var cacheTags: [String] = []
  /// A value that identifies the version of the source. With a new one, no cache returns an image of an earlier version:
  /// the source is validated before it is rendered.
  public var cacheBuster: String?

  public init() {}
}

extension ImageOptions {
  public enum Resizing: String, Sendable, Hashable, CaseIterable, Codable {
    /// Scales the image to fit the size, keeping its aspect ratio.
    case fit
    /// Fills the size and crops the image to it.
    case fill
    /// Like ``fill``. If the image is smaller than the size, the result has the size's aspect ratio and no more pixels
    /// than the image.
    case fillDown = "fill-down"
    /// Scales the image to exactly the size, ignoring its aspect ratio.
    case force
    /// ``fill`` if the image and the size are both portrait or both landscape; otherwise ``fit``.
    case auto
  }

  /// Limits of the source and the result; `nil` for the server's.
  public struct Limits: Sendable, Hashable, Codable {
    /// The maximum number of pixels of the source.
    public var sourcePixels: Int?
    /// The maximum size of the source's file, in bytes.
    public var sourceBytes: Int?
    /// The maximum number of frames of the result. The following frames are dropped.
    public var frames: Int?
    /// The maximum number of pixels of a frame, if the source is animated.
    public var framePixels: Int?
    /// The maximum side of the result, in pixels. A larger result is scaled down.
    public var resultSide: Int?

    public init() {}
  }

  /// A goal that is reached by trying several qualities. It applies to still JPEG, WebP, AVIF and JPEG XL.
  public struct AutoQuality: Sendable, Hashable, Codable {
    public enum Goal: Sendable, Hashable, Codable {
      /// The highest quality with at most this many bytes.
      case size(Int)
      /// The lowest quality with at least this structural similarity, from 0 to 1; see
      /// `Bitmap.structuralSimilarity(to:)`.
      case similarity(Double)
    }

    public var goal: Goal
    /// The qualities to choose from, within 1...100.
    public var qualities: ClosedRange<Int>
    /// The search ends early if the structural similarity differs from the goal by less.
    public var tolerance: Double

    public init(_ goal: Goal, qualities: ClosedRange<Int> = 1...100, tolerance: Double = 0.001) {
      self.goal = goal
      self.qualities = qualities
      self.tolerance = tolerance
    }
  }

  public struct Pair: Sendable, Hashable, Codable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// A position in an image or on a canvas.
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
      /// The region with the most detail.
      case smart = "sm"
      /// The point at ``Gravity/offset``, with coordinates from 0 to 1, is moved to the center.
      case focusPoint = "fp"
    }

    public var place: Place
    /// The distance from the edges, in pixels; magnitudes below 1 are fractions of the side.
    public var offset: Pair

    public init(_ place: Place = .center, offset: Pair = Pair(0, 0)) {
      self.place = place
      self.offset = offset
    }
  }

  /// A region of the source. Lengths are in pixels of the source, or fractions of its side if less than 1; 0 for the
  /// whole side.
  public struct Crop: Sendable, Hashable, Codable {
    public var width: Double
    public var height: Double
    /// The position of the region; `nil` for the gravity of the options.
    public var gravity: Gravity?

    public init(width: Double, height: Double, gravity: Gravity? = nil) {
      self.width = width
      self.height = height
      self.gravity = gravity
    }
  }

  /// The options for removing borders of one color.
  public struct Trim: Sendable, Hashable, Codable {
    /// The maximum difference from the border's color, from 0 to 255.
    public var threshold: Double
    /// The color of the border; `nil` for the color of the upper left pixel.
    public var color: Color?
    /// A Boolean value that indicates whether equal widths are removed on the left and right.
    public var isEqualHorizontally: Bool
    /// A Boolean value that indicates whether equal heights are removed at the top and bottom.
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

  /// How an image is drawn over the result: the server's, or that of ``watermarkSource``.
  public struct Watermark: Sendable, Hashable, Codable {
    public enum Position: Sendable, Hashable, Codable {
      case at(Gravity.Place)
      /// Repeated over the whole result.
      case repeated
      /// Repeated over the whole result, with every second row shifted by half a step.
      case chessboard
    }

    /// The opacity, from 0 to 1.
    public var opacity: Double
    public var position: Position
    /// The offset from the edges in pixels, or as a fraction of the result's side if its magnitude is less than 1.
    public var offset: Pair
    /// The watermark's size as a fraction of the result's; 0 for its original size.
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
    /// The dominant color as `#rrggbb`.
    case dominantColor = "color"
    /// A `data:` URL of a few hundred bytes.
    case preview
  }
}
