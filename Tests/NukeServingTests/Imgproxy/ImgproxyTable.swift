import NukeCodecs
import NukeServing

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

/// What imgproxy 4 answers, worked out by hand from its documentation and, for rounding, from its source.
///
/// Settings are imgproxy's defaults, without keys, with `IMGPROXY_MAX_ANIMATION_FRAMES=250`.
///
/// Two roundings occur. Sizes are rounded to the nearest number, and halves up (166.5 is 167). Offsets and padding
/// are rounded to the nearest number, and halves to the even one (12.5 is 12, 17.5 is 18).
enum ImgproxyTable {
  static let rows: [ImgproxyRow] =
    fitting + filling + forcing + automatic + zooming + density + minimums + extending + aspectRatio + cropping
    + cropPlaces + fillPlaces + trimming + padding + orientation + turnedPixels + background + formats + drawings
    + animations + effects + quality + handling + syntax + repeated + booleans + invalid + sources

  // MARK: - Scaling

  /// The size is the source's times the scale, each side rounded by itself, and at least 1.
  private static let fitting: [ImgproxyRow] = group(
    "fit",
    [
      row("", .landscape, 800, 600),
      row("rs:fit:300:300", .landscape, 300, 225),
      row("rs:fit:300:300", .portrait, 225, 300),
      row("rs:fit:100:100", .odd, 100, 75),
      row("rs:fit:799:600", .landscape, 799, 599),
      row("w:300", .landscape, 300, 225),
      row("h:100", .odd, 133, 100),
      row("w:0/h:0", .landscape, 800, 600),
      row("w:1", .wide, 1, 1),
      row("h:1", .wide, 4, 1),
      row("rs:fit:3:3", .wide, 3, 1),
      row("rs:fit:801:601", .landscape, 800, 600),
      row("rs:fit:1000:1000:1", .landscape, 1000, 750),
      row("w:1600", .landscape, 800, 600),
      row("h:60/el:1", .tiny, 75, 60),
    ])

  /// An image that is too small is not scaled, and then cropped to the sides that it exceeds: 800x600 fills 1000x400
  /// as 800x400. `fill-down` crops it to the aspect ratio instead.
  private static let filling: [ImgproxyRow] = group(
    "fill",
    [
      row("rs:fill:100:100", .landscape, 100, 100),
      row("rs:fill:300:200", .portrait, 300, 200),
      row("rs:fill:100:100", .odd, 100, 100),
      row("rs:fill:1:600", .landscape, 1, 600),
      row("rs:fill:0:200", .landscape, 267, 200),
      row("rs:fill:1000:400", .landscape, 800, 400),
      row("rs:fill:1000:1000:1", .landscape, 1000, 1000),
      row("rs:fill:300:300", .wide, 300, 250),
      row("rs:fill-down:1000:1000", .landscape, 600, 600),
      row("rs:fill-down:1000:500", .landscape, 800, 400),
      row("rs:fill-down:500:1000", .landscape, 300, 600),
      row("rs:fill-down:900:300", .landscape, 800, 267),
      row("rs:fill-down:1600:1200", .landscape, 800, 600),
      row("rs:fill-down:1000:500:1", .landscape, 1000, 500),
      row("rs:fill-down:1000:0", .landscape, 800, 600),
    ])

  /// A side of 0 is the source's side. Without `el`, both sides are divided by the larger of the two enlargements:
  /// 800x600 forced to 1000x300 is 800x240, and forced to 1000x1000 it is 600x600.
  private static let forcing: [ImgproxyRow] = group(
    "force",
    [
      row("rs:force:300:300", .landscape, 300, 300),
      row("rs:force:1000:300", .landscape, 800, 240),
      row("rs:force:300:1000", .landscape, 180, 600),
      row("rs:force:1000:1000", .landscape, 600, 600),
      row("rs:force:1000:1000:1", .landscape, 1000, 1000),
      row("rs:force:300:0", .landscape, 300, 600),
      row("rs:force:0:300", .landscape, 800, 300),
      row("rs:force:1000:0", .landscape, 800, 480),
      row("rs:force:200:500/dpr:2", .landscape, 240, 600),
    ])

  /// A square counts as landscape, both as a source and as a size: `fill` if both are wide or square, or both are
  /// tall, and `fit` otherwise.
  private static let automatic: [ImgproxyRow] = group(
    "auto",
    [
      row("rs:auto:300:200", .landscape, 300, 200),
      row("rs:auto:200:300", .landscape, 200, 150),
      row("rs:auto:300:300", .landscape, 300, 300),
      row("rs:auto:300:300", .portrait, 225, 300),
      row("rs:auto:300:200", .portrait, 150, 200),
      row("rs:auto:300:200", .square, 300, 200),
      row("rs:auto:200:300", .square, 200, 200),
      row("rs:auto:300:0", .landscape, 300, 225),
      row("rs:auto:1000:400", .landscape, 800, 400),
      row("rs:auto:300:200", .rotated, 133, 200),
      row("rs:auto:200:300", .rotated, 200, 300),
    ])

  /// The factors multiply the scale of the size, and the size to which the result is cropped. Without `el`, both
  /// scales are divided by the larger of the two enlargements: 2:0.5 becomes 1:0.25.
  private static let zooming: [ImgproxyRow] = group(
    "zoom",
    [
      row("z:0.5", .landscape, 400, 300),
      row("z:0.5", .odd, 167, 126),
      row("z:2", .landscape, 800, 600),
      row("z:2/el:1", .landscape, 1600, 1200),
      row("z:2:0.5", .landscape, 800, 150),
      row("rs:fit:400:400/z:0.5", .landscape, 200, 150),
      row("rs:fill:100:100/z:2", .landscape, 200, 200),
      row("rs:fill:100:100/z:2:3", .landscape, 200, 300),
      row("w:400/h:300/z:2:1", .landscape, 800, 300),
    ])

  /// Without `el`, the factor is at most the one that makes the image as large as the source. If the size is larger
  /// than the source, the factor is first multiplied by the enlargement that is left out, also a factor below 1:
  /// 1600x1600 at 0.5 is the size 800x800. That is not done with `ex`.
  private static let density: [ImgproxyRow] = group(
    "dpr",
    [
      row("dpr:2", .landscape, 800, 600),
      row("dpr:2/el:1", .landscape, 1600, 1200),
      row("dpr:0.5", .landscape, 400, 300),
      row("w:200/dpr:2", .landscape, 400, 300),
      row("w:101/dpr:3", .landscape, 303, 227),
      row("w:600/dpr:2", .landscape, 800, 600),
      row("rs:fill:300:300/dpr:3", .landscape, 600, 600),
      row("rs:fill:600:600/dpr:2/el:1", .landscape, 1200, 1200),
      row("rs:fill-down:300:300/dpr:4", .landscape, 600, 600),
      row("rs:fit:1600:1600/dpr:0.5", .landscape, 800, 600),
      row("rs:fit:1000:1000/dpr:0.5", .landscape, 500, 375),
      row("rs:fill:1000:1000/dpr:0.5", .landscape, 667, 500),
      row("rs:fit:1600:1600/dpr:0.5/ex:1", .landscape, 800, 800),
      row("w:200/z:2/dpr:2", .landscape, 800, 600),
    ])

  /// The image is scaled up to the least sides, even beyond its own size without `el`, and then cropped to the size,
  /// with every resizing type. The factor of `dpr` is limited before that.
  private static let minimums: [ImgproxyRow] = group(
    "min-width, min-height",
    [
      row("mw:1000", .landscape, 1000, 750),
      row("mh:900", .landscape, 1200, 900),
      row("mw:1000/mh:1200", .landscape, 1600, 1200),
      row("min-height:900", .landscape, 1200, 900),
      row("w:200/mw:400", .landscape, 200, 300),
      row("w:200/mw:400/dpr:2", .landscape, 400, 600),
      row("w:100/mh:100", .landscape, 100, 100),
      row("rs:force:200:200/mw:400", .landscape, 200, 200),
      failing("min_width:100", .landscape, 404),
    ])

  // MARK: - Canvas

  /// Of a gap of F pixels, (F + 1) / 2 are before the image, halves to the even number: 50 of 100, but 52 of 102,
  /// 51 of 101, 2 of 2 and 1 of 1. Relative offsets are fractions of the canvas.
  private static let extending: [ImgproxyRow] = group(
    "extend",
    [
      row("rs:fit:1000:1000/ex:1", .landscape, 1000, 1000),
      row("rs:fill:1000:400/ex:1", .landscape, 1000, 400),
      row("rs:fit:1000:1000/ex:1/dpr:2", .landscape, 1000, 1000),
      row("w:1000/ex:1", .landscape, 1000, 600),
      row("ex:1", .landscape, 800, 600),
      row("rs:fit:300:300/extend:1", .landscape, 300, 300),
      row("rs:fit:300:200/ex:1", .grid, 300, 200, [at(60, 70, 10, 20)]),
      row("rs:fit:302:102/ex:1", .grid, 302, 102, [at(62, 22, 10, 20)]),
      row("rs:fit:301:101/ex:1", .grid, 301, 101, [at(61, 21, 10, 20)]),
      row("rs:fit:300:200/ex:1:soea", .grid, 300, 200, [at(110, 120, 10, 20)]),
      row("rs:fit:300:200/ex:1:noea:10:5", .grid, 300, 200, [at(100, 25, 10, 20)]),
      row("rs:fit:300:200/ex:1:nowe:0.1:0.1", .grid, 300, 200, [at(40, 40, 10, 20)]),
      row("rs:fit:300:200/ex:1:nowe:500:500", .grid, 300, 200, [at(110, 120, 10, 20)]),
      row("rs:fit:302:102/ex:1:fp:0.5:0.5", .grid, 302, 102, [at(61, 21, 10, 20)]),
      row("rs:fit:300:200/ex:1:fp:0:1", .grid, 300, 200, [at(10, 120, 10, 20)]),
      row("rs:fit:300:200/ex:1/g:nowe", .grid, 300, 200, [at(60, 70, 10, 20)]),
      row("rs:fit:150:100/ex:1:nowe:10:5/dpr:2", .grid, 200, 133, [at(10, 27, 10, 20)]),
      row("rs:fit:300:200:0:1:nowe:10:20", .grid, 300, 200, [at(20, 40, 10, 20)]),
      failing("ex:1:sm", .landscape, 404),
      failing("ex:1:ce:0:0:0", .landscape, 404),
    ])

  /// The canvas is the smallest of the aspect ratio that holds the image. It needs both sides.
  private static let aspectRatio: [ImgproxyRow] = group(
    "extend_aspect_ratio",
    [
      row("rs:fit:1000:1000/exar:1", .landscape, 800, 800),
      row("rs:fit:1600:1000/exar:1", .landscape, 960, 600),
      row("rs:fill:1000:400/exar:1", .landscape, 1000, 400),
      row("rs:fit:1000:1000/exar:1/dpr:0.5", .landscape, 500, 500),
      row("rs:fit:1000:1000/exar:1/ex:1", .landscape, 1000, 1000),
      row("rs:fit:1000:0/exar:1", .landscape, 800, 600),
      row("rs:fit:1000:1000/extend_aspect_ratio:1", .landscape, 800, 800),
      row("rs:fit:1000:1000/extend_ar:1", .landscape, 800, 800, note: "Our document does not list extend_ar."),
      row("rs:fit:200:200/exar:1", .grid, 200, 200, [at(10, 70, 10, 20)]),
      row("rs:fit:200:200/exar:1:so:0:10", .grid, 200, 200, [at(10, 110, 10, 20)]),
      failing("exar:1:sm", .landscape, 404),
    ])

  // MARK: - Cropping

  /// A side from 1 on is in pixels, without its fraction. A side below 1 is a fraction of the source's, rounded, and
  /// at least one pixel.
  private static let cropping: [ImgproxyRow] = group(
    "crop",
    [
      row("c:300:200", .landscape, 300, 200),
      row("c:0.5:0.5", .odd, 167, 126),
      row("c:0.999:0.999", .landscape, 799, 599),
      row("c:0.001:0.0001", .landscape, 1, 1),
      row("c:1:1", .landscape, 1, 1),
      row("c:1.9:100", .landscape, 1, 100),
      row("c:300", .landscape, 300, 600),
      row("c:0:200", .landscape, 800, 200),
      row("c:1000:100", .landscape, 800, 100),
      row("c:300:200:sm", .landscape, 300, 200),
      row("c:400:300/w:200", .landscape, 200, 150),
      row("c:300:300/rs:fit:600:600", .landscape, 300, 300),
      row("c:1000:100/rs:fill:400:400", .landscape, 400, 100),
      row("c:300:200/dpr:2", .landscape, 300, 200),
      row("c:0.5:0.25", .rotated, 200, 150),
      row("c:300:200/rot:90", .landscape, 300, 200),
      failing("c:-1:100", .landscape, 404),
      failing("c::100", .landscape, 404),
      failing("c:100:100:xx", .landscape, 404),
      failing("c:100:100:fp:2:0", .landscape, 404),
    ])

  /// Of F pixels to remove, (F + 1) / 2 are before a centered area, halves to the even number: 30 of 60, 76 of 150,
  /// 75 of 149, 74 of 148, 30 of 58. A focus point has no such rule: the area starts at the point minus half of the
  /// area's side, rounded down. Relative offsets are fractions of the image, not of F, halves to the even number.
  /// From 1 on, an offset is in pixels.
  private static let cropPlaces: [ImgproxyRow] = group(
    "place of a crop",
    [
      row("c:50:40", .grid, 50, 40, [at(0, 0, 76, 30), at(49, 39, 125, 69)]),
      row("c:51:41", .grid, 51, 41, [at(0, 0, 75, 30)]),
      row("c:52:42", .grid, 52, 42, [at(0, 0, 74, 30)]),
      row("c:198:98", .grid, 198, 98, [at(0, 0, 2, 2)]),
      row("c:50:40:no", .grid, 50, 40, [at(0, 0, 76, 0)]),
      row("c:50:40:we", .grid, 50, 40, [at(0, 0, 0, 30)]),
      row("c:50:40:soea", .grid, 50, 40, [at(0, 0, 150, 60)]),
      row("c:50:40:ce:-10:-20", .grid, 50, 40, [at(0, 0, 66, 10)]),
      row("c:50:40:no:10:20", .grid, 50, 40, [at(0, 0, 86, 20)]),
      row("c:50:40:ea:10:20", .grid, 50, 40, [at(0, 0, 140, 50)]),
      row("c:50:40:nowe:10:20", .grid, 50, 40, [at(0, 0, 10, 20)]),
      row("c:50:40:soea:10:20", .grid, 50, 40, [at(0, 0, 140, 40)]),
      row("c:50:40:nowe:500:500", .grid, 50, 40, [at(0, 0, 150, 60)]),
      row("c:50:40:soea:0.1:0.25", .grid, 50, 40, [at(0, 0, 130, 35)]),
      row("c:50:40:ce:0.1:0.1", .grid, 50, 40, [at(0, 0, 96, 40)]),
      row("c:50:40:nowe:0.3125:0.125", .grid, 50, 40, [at(0, 0, 62, 12)]),
      row("c:50:40:nowe:0.4375:0.375", .grid, 50, 40, [at(0, 0, 88, 38)]),
      row("c:50:40:nowe:1:1", .grid, 50, 40, [at(0, 0, 1, 1)]),
      row("c:50:40:nowe:1.5:2.5", .grid, 50, 40, [at(0, 0, 2, 2)]),
      row("c:50:40:fp:0.5:0.5", .grid, 50, 40, [at(0, 0, 75, 30)]),
      row("c:50:40:fp:0:1", .grid, 50, 40, [at(0, 0, 0, 60)]),
      row("c:50:40:nowe/g:soea", .grid, 50, 40, [at(0, 0, 0, 0)]),
      row("c:50:40:nowe/rs:fill:30:40/g:ea", .grid, 30, 40, [at(0, 0, 20, 0)]),
      row("c:100:50:nowe:10:5/w:50/dpr:2", .grid, 100, 50, [at(0, 0, 10, 5)]),
    ])

  /// Nothing is scaled in these rows. Offsets in pixels are multiplied by the applied factor of `dpr`, and rounded,
  /// halves to the even number: 10 at 1.25 is 12, and 14 at 1.25 is 18. Offsets of a crop are not multiplied.
  private static let fillPlaces: [ImgproxyRow] = group(
    "gravity",
    [
      row("rs:fill:200:50", .grid, 200, 50, [at(10, 0, 10, 26)]),
      row("rs:fill:200:49", .grid, 200, 49, [at(10, 0, 10, 26)]),
      row("rs:fill:200:99", .grid, 200, 99, [at(10, 0, 10, 1)]),
      row("rs:fill:200:50/g:so", .grid, 200, 50, [at(10, 0, 10, 50)]),
      row("rs:fill:100:100/g:ea", .grid, 100, 100, [at(0, 10, 100, 10)]),
      row("rs:fill:200:50/g:ce:0:0.1", .grid, 200, 50, [at(10, 0, 10, 36)]),
      row("rs:fill:200:50/g:ce::10", .grid, 200, 50, [at(10, 0, 10, 36)]),
      row("rs:fill:200:50/g:so:0:10", .grid, 200, 50, [at(10, 0, 10, 40)]),
      row("rs:fill:200:50/g:no:", .grid, 200, 50, [at(10, 0, 10, 0)]),
      row("rs:fill:98:100/g:fp:0.5:0.5", .grid, 98, 100, [at(0, 10, 51, 10)]),
      row("rs:fill:100:100/g:fp:0.3:0.5", .grid, 100, 100, [at(0, 10, 10, 10)]),
      row("rs:fill:50:50/g:we:10/dpr:2", .grid, 100, 100, [at(0, 10, 20, 10)]),
      row("rs:fill:50:50/g:we:10/dpr:4", .grid, 100, 100, [at(0, 10, 20, 10)]),
      row("rs:fill:50:50/g:we:0.1/dpr:2", .grid, 100, 100, [at(0, 10, 20, 10)]),
      row("rs:fill:80:80/g:we:10/dpr:1.25", .grid, 100, 100, [at(0, 10, 12, 10)]),
      row("rs:fill:80:80/g:we:14/dpr:1.25", .grid, 100, 100, [at(0, 10, 18, 10)]),
      row("rs:fill-down:400:100/g:no", .grid, 200, 50, [at(10, 0, 10, 0)]),
      row("rs:fill:100:100/g:sm", .landscape, 100, 100),
      failing("g:xx", .landscape, 404),
      failing("g:", .landscape, 404),
      failing("g:ce:a", .landscape, 404),
      failing("g:sm:1", .landscape, 404),
      failing("g:fp:0.5", .landscape, 404),
      failing("g:fp:1.1:0", .landscape, 404),
    ])

  /// The image is smoothed by a median of 3x3 pixels, and a pixel belongs to the content if one of its channels
  /// differs by more than the threshold: white and red differ by 255. An empty threshold means no trimming, and an
  /// image of only background stays whole.
  private static let trimming: [ImgproxyRow] = group(
    "trim",
    [
      row("t:10", .bordered, 200, 80, [at(0, 0, 255, 0, 0), at(199, 79, 255, 0, 0)]),
      row("t:0", .bordered, 200, 80),
      row("t:10:", .bordered, 200, 80),
      row("t:255", .bordered, 400, 300),
      row("t:", .bordered, 400, 300),
      row("t:10:FFF", .bordered, 200, 80),
      row("t:10:ff0000", .bordered, 400, 300),
      row("t:10::1", .bordered, 280, 80, [at(0, 0, 255, 0, 0), at(279, 0, 255, 255, 255)]),
      row("t:10::0:1", .bordered, 200, 100, [at(0, 0, 255, 255, 255), at(0, 20, 255, 0, 0)]),
      row("t:10:ffffff:t:true", .bordered, 280, 100),
      row("t:10/w:100", .bordered, 100, 40),
      row("t:10/rs:fit:400:400", .bordered, 200, 80),
      row("t:10/w:100/dpr:2", .bordered, 200, 80),
      row("t:10/c:0.5:0.5", .bordered, 100, 40),
      row("t:10/rot:90", .bordered, 80, 200),
      row("t:10", .animated, 120, 80),
      failing("t:a", .bordered, 404),
      failing("t:10:xyz", .bordered, 404),
      failing("t:10:ffffff:1:1:1", .bordered, 404),
    ])

  // MARK: - Padding

  /// Each side is multiplied by the applied factor of `dpr`, and rounded, halves to the even number: 5 at 0.5 is 2,
  /// and 7 at 0.5 is 4.
  private static let padding: [ImgproxyRow] = group(
    "padding",
    [
      row("pd:10", .landscape, 820, 620),
      row("pd:10:20", .landscape, 840, 620),
      row("pd:10:20:30", .landscape, 840, 640),
      row("pd:1:2:3:4", .landscape, 806, 604),
      row("pd::20", .landscape, 840, 600),
      row("pd::::40", .landscape, 840, 600),
      row("pd:10:", .landscape, 820, 620),
      row("pd:", .landscape, 800, 600),
      row("w:200/pd:10/dpr:2", .landscape, 440, 340),
      row("pd:10/dpr:2", .landscape, 820, 620),
      row("pd:5/dpr:0.5", .landscape, 404, 304),
      row("pd:7/dpr:0.5", .landscape, 408, 308),
      row("rs:fit:600:600/dpr:2/pd:15", .landscape, 840, 640),
      row("rs:fit:1600:1600/dpr:0.5/pd:10", .landscape, 820, 620),
      row("rs:fit:100:100/exar:1/pd:10", .grid, 120, 120),
      row("pd:10", .alpha, 420, 320),
      row("pd:10:20:30:40", .grid, 260, 140, [at(50, 30, 10, 20)]),
      row("rs:fit:300:200/ex:1/pd:10", .grid, 320, 220, [at(70, 80, 10, 20)]),
      failing("pd:-1", .landscape, 404),
      failing("pd:1:2:3:4:5", .landscape, 404),
    ])

  // MARK: - Orientation

  /// All sizes and areas are those after the orientation of the file and `rot`. Padding is added after turning.
  private static let orientation: [ImgproxyRow] = group(
    "orientation",
    [
      row("", .rotated, 400, 600),
      row("ar:0", .rotated, 600, 400),
      row("w:100", .rotated, 100, 150),
      row("rs:fit:300:300/ar:0", .rotated, 300, 200),
      row("rs:fill:300:200", .rotated, 300, 200),
      row("rot:90", .rotated, 600, 400),
      row("rot:90", .landscape, 600, 800),
      row("rot:270", .landscape, 600, 800),
      row("rot:360", .landscape, 800, 600),
      row("rot:450", .landscape, 600, 800),
      row("rot:90/w:300", .landscape, 300, 400),
      row("rot:90/rs:fill:300:200", .landscape, 300, 200),
      row("rot:90/rs:auto:300:400", .landscape, 300, 400),
      row("rot:90/pd:10:20", .landscape, 640, 820),
      failing("rot:45", .landscape, 404),
    ])

  /// Turning is clockwise, and `fl` applies after it. The area of a crop is chosen before turning, with its gravity
  /// turned back, so that an uneven gap is on the other side than if it were chosen after turning.
  private static let turnedPixels: [ImgproxyRow] = group(
    "rotate and flip",
    [
      row("rot:90", .grid, 100, 200, [at(0, 0, 0, 99), at(10, 20, 20, 89)]),
      row("rot:180", .grid, 200, 100, [at(10, 20, 189, 79)]),
      row("rot:270", .grid, 100, 200, [at(10, 20, 179, 10)]),
      row("fl:1", .grid, 200, 100, [at(10, 20, 189, 20)]),
      row("fl::1", .grid, 200, 100, [at(10, 20, 10, 79)]),
      row("flip:1:1", .grid, 200, 100, [at(10, 20, 189, 79)]),
      row("rot:90/fl:1", .grid, 100, 200, [at(10, 20, 20, 10)]),
      row("fl:1/rot:90", .grid, 100, 200, [at(10, 20, 20, 10)]),
      row("c:50:40:nowe/rot:90", .grid, 50, 40, [at(10, 20, 20, 89)]),
      row("c:50:40/rot:90", .grid, 50, 40, [at(0, 0, 80, 75)]),
      row("c:50:100/fl:1", .grid, 50, 100, [at(0, 0, 125, 0)]),
      row("c:50:40:no:10:0/fl:1", .grid, 50, 40, [at(0, 0, 115, 0)]),
      row("c:50:40:fp:0.25:0.5/fl:1", .grid, 50, 40, [at(0, 0, 174, 30)]),
      row("rs:fill:100:100/g:we/fl:1", .grid, 100, 100, [at(0, 10, 199, 10)]),
      failing("fl:1:1:1", .grid, 404),
    ])

  // MARK: - Formats

  /// The color is below the image, the canvas and the padding.
  private static let background: [ImgproxyRow] = group(
    "background",
    [
      row("bg:ff0000", .alpha, 400, 300),
      row("bg:ff0000", .alpha, to: "jpg", 400, 300),
      row("bg:255:0:0", .alpha, to: "webp", 400, 300),
      row("bg:", .alpha, 400, 300),
      row("bg:ff0000", .grid, 200, 100, [at(10, 20, 10, 20)]),
      row("pd:10/bg:ff0000", .alpha, 420, 320, [at(0, 0, 255, 0, 0)]),
      row("pd:10/bg:f80", .grid, 220, 120, [at(0, 0, 255, 136, 0), at(20, 30, 10, 20)]),
      row("pd:10/bg:0:128:255", .grid, 220, 120, [at(0, 0, 0, 128, 255)]),
      row("rs:fit:300:200/ex:1/bg:00ff00", .grid, 300, 200, [at(0, 0, 0, 255, 0), at(60, 70, 10, 20)]),
      row("bg:ff0000/bga:0.5", .alpha, 400, 300, note: pro),
      failing("bg:gg0000", .alpha, 404),
      failing("bg:256:0:0", .alpha, 404),
      failing("bg:1:2", .alpha, 404),
      failing("bg:::", .alpha, 404),
    ])

  /// A BMP becomes JPEG, but PNG if it may become transparent: by padding, or by `ex`, even if `ex` adds nothing, and
  /// not by `exar`. With a background it stays JPEG.
  private static let formats: [ImgproxyRow] = group(
    "format",
    [
      row("w:100", .landscape, to: "png", 100, 75),
      row("w:100", .landscape, to: "webp", 100, 75),
      row("w:100", .landscape, to: "gif", 100, 75),
      row("w:100", .landscape, to: "bmp", 100, 75),
      row("w:100", .landscape, to: "jpeg", 100, 75),
      row("w:100/f:png", .landscape, 100, 75, as: .png),
      row("w:100/format:webp", .landscape, 100, 75, as: .webp),
      row("w:100/ext:gif", .landscape, 100, 75, as: .gif),
      row("w:100/f:webp", .landscape, to: "png", 100, 75),
      row("w:100", .alpha, to: "gif", 100, 75),
      row("", .grid, to: "jpg", 200, 100),
      row("", .bitmap, 300, 200, note: bitmap),
      row("", .bitmap, to: "bmp", 300, 200),
      row("pd:10", .bitmap, 320, 220, as: .png),
      row("ex:1", .bitmap, 300, 200, as: .png),
      row("pd:10/bg:ffffff", .bitmap, 320, 220, note: bitmap),
      row("rs:fit:300:300/exar:1", .bitmap, 300, 300, note: bitmap),
      row("w:100", .landscape, 100, 75, accept: "image/webp,image/avif,*/*"),
      row("rt:force/w:20000/h:100/el:1", .tiny, to: "webp", 16383, 82, note: limit),
      ending("@", .landscape, 200, 800, 600, .jpeg),
      ending("@PNG", .landscape, 404),
      ending("@xyz", .landscape, 404),
      ending("@png@webp", .landscape, 404),
      failing("f:PNG", .landscape, 404),
      failing("f:xyz", .landscape, 404),
      failing("f:", .landscape, 404),
      failing("f:svg", .landscape, 422),
    ])

  /// A drawing that becomes an image of pixels is drawn at any size without `el`. If the URL has no format, it is
  /// sent as it is, and options that would change it have no effect.
  private static let drawings: [ImgproxyRow] = group(
    "SVG",
    [
      row("", .drawing, 200, 100, note: drawing),
      row("w:400", .drawing, 200, 100, note: drawing),
      row("", .drawing, to: "png", 200, 100),
      row("w:400", .drawing, to: "png", 400, 200),
      row("rs:fill:300:300", .drawing, to: "png", 300, 300),
      row("rs:force:300:400", .drawing, to: "png", 300, 400),
      row("dpr:2", .drawing, to: "png", 400, 200),
      row("w:400/pd:10/dpr:2", .drawing, to: "png", 840, 440),
      row("c:50:50/w:100", .drawing, to: "png", 100, 100),
    ])

  /// Every step applies to each frame, except trimming. A format without animation shows the first frame.
  private static let animations: [ImgproxyRow] = group(
    "animation",
    [
      row("", .animated, 120, 80),
      row("w:60", .animated, 60, 40),
      row("rs:fill:50:50", .animated, 50, 50),
      row("rs:fit:300:300/ex:1", .animated, 300, 300),
      row("c:50:30", .animated, 50, 30),
      row("rot:90", .animated, 80, 120),
      row("pd:10", .animated, 140, 100),
      row("w:60", .animated, to: "webp", 60, 40),
      row("w:60", .animated, to: "jpg", 60, 40),
      row("w:60", .animated, to: "png", 60, 40),
      row("", .animatedWebP, 120, 80),
      row("w:60", .animatedWebP, to: "webp", 60, 40),
      row("t:10", .animatedWebP, 120, 80),
    ])

  // MARK: - Effects and quality

  /// A square of 51 pixels of the grid has a mean of exactly 25 in both channels. `dpr` does not change its side.
  private static let effects: [ImgproxyRow] = group(
    "effects",
    [
      row("bl:5", .landscape, 800, 600),
      row("blur:0.5", .alpha, 400, 300),
      row("sh:1", .landscape, 800, 600),
      row("sharpen:0.5", .odd, 333, 251),
      row("pix:10", .odd, 333, 251),
      row("pix:1000", .tiny, 50, 40),
      row("pix:0", .grid, 200, 100, [at(10, 20, 10, 20)]),
      row("pix:51", .grid, 200, 100, [at(0, 0, 25, 25), at(50, 50, 25, 25), at(51, 0, 76, 25)]),
      row("w:100/dpr:2/pix:51", .grid, 200, 100, [at(0, 0, 25, 25), at(51, 0, 76, 25)]),
      row("br:50", .landscape, 800, 600, note: pro),
      row("br:0", .grid, 200, 100, [at(10, 20, 10, 20)], note: pro),
      row("a:10:1.2:0.8", .landscape, 800, 600, note: pro),
      failing("br:256", .landscape, 404, note: pro),
      failing("bl:-1", .landscape, 404),
      failing("sh:-1", .landscape, 404),
      failing("pix:-1", .landscape, 404),
    ])

  /// 0 is a valid quality, and means the default.
  private static let quality: [ImgproxyRow] = group(
    "quality and metadata",
    [
      row("q:50", .landscape, 800, 600),
      row("q:0", .landscape, 800, 600),
      row("fq:jpeg:50:webp:60", .landscape, 800, 600),
      row("format_quality:jpg:50", .landscape, 800, 600),
      row("mb:10000", .landscape, 800, 600),
      row("max_bytes:100/w:100", .landscape, 100, 75),
      row("sm:0/ar:0", .rotated, 600, 400, note: tag),
      row("strip_metadata:1/kcr:0", .rotated, 400, 600),
      row("jpgo:1", .landscape, 800, 600, note: pro),
      row("pngo:0:1:64/w:100", .landscape, to: "png", 100, 75, note: pro),
      failing("q:101", .landscape, 404),
      failing("q:", .landscape, 404),
      failing("fq:jpeg", .landscape, 404),
      failing("fq:xyz:50", .landscape, 404),
      failing("mb:-1", .landscape, 404),
    ])

  // MARK: - Handling

  /// `raw` sends anything, and ignores the ending of the source, even one that is no format.
  private static let handling: [ImgproxyRow] = group(
    "handling",
    [
      row("skp:jpg/w:100", .landscape, 800, 600),
      row("skip_processing:jpeg/w:100", .landscape, 800, 600),
      row("skp:jpg/skp:png/w:100", .landscape, 800, 600),
      row("skp:png/w:100", .landscape, 100, 75),
      row("skp:jpg/w:100", .landscape, to: "png", 100, 75),
      row("skp:jpg/w:100", .landscape, to: "jpg", 800, 600),
      failing("skp:xyz", .landscape, 404),
      row("raw:1/w:100", .landscape, 800, 600),
      row("raw:1", .landscape, to: "png", 800, 600, as: .jpeg),
      ending("@xyz", .landscape, 200, 800, 600, .jpeg, "raw:1"),
      row("raw:1", .bitmap, 300, 200, as: .bmp),
      failing("raw:1", .text, 200, note: "imgproxy sends any file; we send only images."),
      failing("raw:1", .missing, 404),
      row("exp:4102444800/w:100", .landscape, 100, 75),
      row("expires:0/w:100", .landscape, 100, 75),
      row("exp:-1/w:100", .landscape, 100, 75),
      failing("exp:1", .landscape, 404),
      failing("exp:a", .landscape, 404),
      row("fn:test/w:100", .landscape, 100, 75),
      row("filename:dGVzdA:1/w:100", .landscape, 100, 75),
      failing("fn:a!:1", .landscape, 404),
      row("cb:123/w:100", .landscape, 100, 75),
      failing("cb:a:b", .landscape, 404),
      row("att:1/w:100", .landscape, 100, 75),
    ])

  // MARK: - Grammar

  /// Empty arguments are skipped only by options that set several values, and not by `c` and `z`. An argument too
  /// many is an error, also if it is empty. A segment without a colon starts the source.
  private static let syntax: [ImgproxyRow] = group(
    "syntax",
    [
      row("resize:fill:300:200:1:0", .landscape, 300, 200),
      row("resizing_type:fill/width:300/height:200", .landscape, 300, 200),
      row("size:300:200", .landscape, 267, 200),
      row("s:1600:1600:1", .landscape, 1600, 1200),
      row("s::100", .landscape, 133, 100),
      row("rs:", .landscape, 800, 600),
      row("rs:fill:100", .landscape, 100, 75),
      row("rs::100:50", .landscape, 67, 50),
      row("rs:fill::200", .landscape, 267, 200),
      row("rs:fill:100:50:", .landscape, 100, 50),
      row("rs%3Afill%3A100%3A50", .landscape, 100, 50),
      failing("rs%3afill%3a100%3a50", .landscape, 404),
      failing("rs:fill:100:50:0:0:", .landscape, 404),
      failing("rs:fit:300:300:0:1:ce:0:0:0", .landscape, 404),
      failing("rs:xyz:100:100", .landscape, 404),
      failing("w:100:", .landscape, 404),
      failing("el:1:", .landscape, 404),
      failing("c:100:100:", .landscape, 404),
      failing("w:100//h:50", .landscape, 404),
      failing("foo", .landscape, 404),
      failing("foo:1", .landscape, 404),
      failing("pr:unknown", .landscape, 404),
      failing("fill/100/100/ce/0", .landscape, 404),
    ])

  /// The last value applies, but an option that omits an argument does not reset it: `g:nowe` keeps the offsets of an
  /// earlier `g`, and `c` its gravity. `t` resets its color and `z` its second factor.
  private static let repeated: [ImgproxyRow] = group(
    "repeated options",
    [
      row("w:100/w:200", .landscape, 200, 150),
      row("rs:fill:100:100/rs:fit", .landscape, 100, 75),
      row("h:50/rs:fill:100", .landscape, 100, 50),
      row("z:0.5:0.25/z:0.5", .landscape, 400, 300),
      row("pd:10:20:30:40/pd:5", .landscape, 810, 610),
      row("ex:1:nowe/ex:1/rs:fit:300:200", .grid, 300, 200, [at(10, 20, 10, 20)]),
      row("g:nowe:10:20/g:nowe/c:50:40", .grid, 50, 40, [at(0, 0, 10, 20)]),
      row("c:50:40:nowe:10:20/c:60:30", .grid, 60, 30, [at(0, 0, 10, 20)]),
      row("fl:1:1/fl:0", .grid, 200, 100, [at(10, 20, 10, 79)]),
      row("t:10::1/t:10", .bordered, 280, 80),
      row("t:10:ff0000/t:10", .bordered, 200, 80),
    ])

  /// True is 1, t, T, true, True and TRUE. Everything else is false, without an error.
  private static let booleans: [ImgproxyRow] = group(
    "booleans",
    [
      row("w:1600/el:t", .landscape, 1600, 1200),
      row("w:1600/el:true", .landscape, 1600, 1200),
      row("w:1600/el:True", .landscape, 1600, 1200),
      row("w:1600/el:false", .landscape, 800, 600),
      row("w:1600/el:tRUE", .landscape, 800, 600),
      row("w:1600/el:", .landscape, 800, 600),
      row("rs:fit:300:300/ex:yes", .landscape, 300, 225),
      row("t:10::x", .bordered, 200, 80),
      row("fl:x:1", .grid, 200, 100, [at(10, 20, 10, 79)]),
      failing("el:1:1", .landscape, 404),
    ])

  private static let invalid: [ImgproxyRow] = group(
    "invalid arguments",
    [
      failing("w:-1", .landscape, 404),
      failing("w:", .landscape, 404),
      failing("w:100.5", .landscape, 404),
      failing("w:100:200", .landscape, 404),
      failing("w:99999999999999999999", .landscape, 404),
      failing("h:-1", .landscape, 404),
      failing("mh:a", .landscape, 404),
      failing("z:0", .landscape, 404),
      failing("z:1:0", .landscape, 404),
      failing("dpr:0", .landscape, 404),
      failing("dpr:a", .landscape, 404),
      failing("wm:2", .landscape, 404),
      failing("wm:0.5:xx", .landscape, 404),
      failing("wm:0.5:ce:0:0:-1", .landscape, 404),
      row("wm:0/w:100", .landscape, 100, 75),
      row("wm:0.5:ce:10:10:0.2/w:100", .landscape, 100, 75, note: "imgproxy ignores it without a watermark image."),
      row("eth:1/w:100", .landscape, 100, 75, note: "Only thumbnails of HEIC and AVIF are used."),
    ])

  /// An option is rejected before the source is loaded.
  private static let sources: [ImgproxyRow] = group(
    "sources",
    [
      failing("", .missing, 404),
      failing("foo:1", .missing, 404),
      failing("", .text, 422),
      failing("w:-1", .text, 404),
      ending("@png", .text, 422),
      ending("@xyz", .text, 404),
    ])

  // MARK: - Notes

  private static let pro = "Only the documentation says this, as the source of imgproxy Pro is not public."
  private static let bitmap = "PNG instead if the BMP has 32 bits per pixel with alpha."
  private static let tag = "Stored size. imgproxy's source keeps the tag here; its documentation says it is removed."
  private static let limit = "imgproxy scales the result down to the largest WebP, and we reject it."
  private static let drawing = "imgproxy sends the file without scripts; we draw it unless --send-svg is set."

  // MARK: - Rows

  private static func group(_ name: String, _ rows: [ImgproxyRow]) -> [ImgproxyRow] {
    rows.map { row in
      var row = row
      row.group = name
      return row
    }
  }

  /// An image; `to` is the ending of the source, and `as` the format if it is neither that nor the default.
  private static func row(
    _ options: String, _ source: ImgproxySource, to ending: String? = nil, _ width: Int, _ height: Int,
    _ pixels: [ImgproxyPixel] = [], as format: ImageFormat? = nil, accept: String? = nil, note: String? = nil
  ) -> ImgproxyRow {
    ImgproxyRow(
      options: options, source: source, suffix: ending.map { "@" + $0 } ?? "", accept: accept, width: width,
      height: height, format: format ?? ending.flatMap { formatsByEnding[$0] } ?? source.resultFormat,
      pixels: pixels, note: note)
  }

  /// A status without an image that could be measured.
  private static func failing(
    _ options: String, _ source: ImgproxySource, _ status: Int, note: String? = nil
  ) -> ImgproxyRow {
    ImgproxyRow(options: options, source: source, status: status, note: note)
  }

  /// An ending of the source that is not the name of a format.
  private static func ending(
    _ suffix: String, _ source: ImgproxySource, _ status: Int, _ width: Int? = nil, _ height: Int? = nil,
    _ format: ImageFormat? = nil, _ options: String = ""
  ) -> ImgproxyRow {
    ImgproxyRow(
      options: options, source: source, suffix: suffix, status: status, width: width, height: height, format: format)
  }

  private static func at(_ x: Int, _ y: Int, _ red: Int, _ green: Int, _ blue: Int = 0) -> ImgproxyPixel {
    ImgproxyPixel(x: x, y: y, red: red, green: green, blue: blue)
  }

  private static let formatsByEnding: [String: ImageFormat] = [
    "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "webp": .webp, "gif": .gif, "bmp": .bmp,
  ]
}
