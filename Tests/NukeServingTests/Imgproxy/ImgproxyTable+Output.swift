import NukeCodecs

/// Formats, effects, quality, and how requests are handled and parsed.
extension ImgproxyTable {
  // MARK: - Formats

  /// The color is below the image, the canvas and the padding.
  static let background: [ImgproxyRow] = group(
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
  static let formats: [ImgproxyRow] = group(
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
  static let drawings: [ImgproxyRow] = group(
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
  static let animations: [ImgproxyRow] = group(
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
  static let effects: [ImgproxyRow] = group(
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
  static let quality: [ImgproxyRow] = group(
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
  static let handling: [ImgproxyRow] = group(
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
  static let syntax: [ImgproxyRow] = group(
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
  static let repeated: [ImgproxyRow] = group(
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
  static let booleans: [ImgproxyRow] = group(
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

  static let invalid: [ImgproxyRow] = group(
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
  static let sources: [ImgproxyRow] = group(
    "sources",
    [
      failing("", .missing, 404),
      failing("foo:1", .missing, 404),
      failing("", .text, 422),
      failing("w:-1", .text, 404),
      ending("@png", .text, 422),
      ending("@xyz", .text, 404),
    ])
}
