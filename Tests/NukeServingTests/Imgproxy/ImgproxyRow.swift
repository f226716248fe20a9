import NukeCodecs

/// What imgproxy 4 answers for one URL.
struct ImgproxyRow: Sendable {
  var group = ""
  /// The part of the path between the signature and `plain`, without slashes at its ends. It may be empty.
  var options: String
  var source: ImgproxySource
  /// What follows the source: "@png", or nothing.
  var suffix = ""
  var accept: String?
  var status = 200
  var width: Int?
  var height: Int?
  var format: ImageFormat?
  var pixels: [ImgproxyPixel] = []
  /// Why the row is uncertain, or where it depends on something that the table does not state.
  var note: String?
}

struct ImgproxyPixel: Sendable {
  var x: Int
  var y: Int
  var red: Int
  var green: Int
  var blue: Int
}

enum ImgproxySource: String, Sendable, CaseIterable {
  /// JPEG 800x600.
  case landscape
  /// JPEG 600x800.
  case portrait
  /// JPEG 500x500.
  case square
  /// JPEG 1000x250.
  case wide
  /// JPEG 50x40.
  case tiny
  /// JPEG 333x251.
  case odd
  /// JPEG that is stored as 600x400 and shown as 400x600 (EXIF orientation 6).
  case rotated
  /// PNG 400x300 with transparency.
  case alpha
  /// Opaque PNG 200x100; the pixel (x, y) has the color (x, y, 0).
  case grid
  /// PNG 400x300, white, with a red rectangle at x 60..<260, y 120..<200.
  case bordered
  /// GIF 120x80 of 5 frames.
  case animated
  /// WebP 120x80 of 5 frames.
  case animatedWebP
  /// SVG 200x100.
  case drawing
  /// BMP 300x200.
  case bitmap
  /// A file that is not an image.
  case text
  /// A file that does not exist.
  case missing

  /// The format of the result if the URL has none.
  ///
  /// imgproxy keeps the format of a source that is one of its preferred formats: JPEG, PNG, GIF. Otherwise it takes
  /// the first of them that can hold animation, if there is one, and transparency. An SVG is sent as it is.
  var resultFormat: ImageFormat? {
    switch self {
    case .landscape, .portrait, .square, .wide, .tiny, .odd, .rotated, .bitmap: .jpeg
    case .alpha, .grid, .bordered: .png
    case .animated, .animatedWebP: .gif
    case .drawing: .svg
    case .text, .missing: nil
    }
  }
}
