/// Sizes, areas, padding and orientation.
extension ImgproxyTable {
  // MARK: - Scaling

  /// The size is the source's times the scale, each side rounded by itself, and at least 1.
  static let fitting: [ImgproxyRow] = group(
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
  static let filling: [ImgproxyRow] = group(
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
  static let forcing: [ImgproxyRow] = group(
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
  static let automatic: [ImgproxyRow] = group(
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
  static let zooming: [ImgproxyRow] = group(
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
  static let density: [ImgproxyRow] = group(
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
  static let minimums: [ImgproxyRow] = group(
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
  static let extending: [ImgproxyRow] = group(
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
  static let aspectRatio: [ImgproxyRow] = group(
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
  static let cropping: [ImgproxyRow] = group(
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
  static let cropPlaces: [ImgproxyRow] = group(
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
  static let fillPlaces: [ImgproxyRow] = group(
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
  static let trimming: [ImgproxyRow] = group(
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
  static let padding: [ImgproxyRow] = group(
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
  static let orientation: [ImgproxyRow] = group(
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
  static let turnedPixels: [ImgproxyRow] = group(
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
}
