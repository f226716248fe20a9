import Foundation
import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("Options in URLs")
struct ImageOptionsURLTests {
  private func options(_ text: String, presets: [String: String] = [:]) throws -> ImageOptions {
    try ImageURL(path: "/x/" + text + "/plain/http://a").imageOptions(presets: ImagePresets(presets), now: 1000)
  }

  private func changed(_ change: (inout ImageOptions) -> Void) -> ImageOptions {
    var options = ImageOptions()
    change(&options)
    return options
  }

  @Test("resize and size set what they name, and leave the rest unchanged")
  func named() throws {
    #expect(try options("rt:fill/rs::300") == options("rt:fill/w:300"))
    #expect(try options("h:200/rs:fill:300") == options("rt:fill/w:300/h:200"))
    #expect(try options("el:1/ex:1/rs:fit:300:200") == options("rs:fit:300:200:1:1"))
    #expect(try options("el:1/ex:1/s:300:200:0:0") == options("s:300:200"))
    #expect(try options("pr:default/rs:fit:30", presets: ["default": "el:1"]).enlarges)
  }

  @Test("resize has the arguments type, size, enlarging and extending")
  func resize() throws {
    #expect(
      try options("rs:fill:300:400:1:1:no:0:10")
        == changed {
          $0.resizing = .fill
          $0.width = 300
          $0.height = 400
          $0.enlarges = true
          $0.extend = .init(.north, offset: .init(0, 10))
        })
    #expect(try options("resize::300") == changed { $0.width = 300 })
    #expect(try options("s:20:30") == options("w:20/h:30"))
    #expect(try options("size:20:30:t") == options("width:20/height:30/el:true"))
    for type in ImageOptions.Resizing.allCases {
      #expect(try options("rt:\(type.rawValue)").resizing == type)
    }
  }

  @Test("Of two options for the same value the later one applies, and an empty argument sets the default")
  func order() throws {
    #expect(try options("w:10/rs:fit:20").width == 20)
    #expect(try options("rs:fit:20/w:10").width == 10)
    #expect(try options("w:10/w:").width == 0)
  }

  @Test("Lengths less than one, offsets and focus points are fractions")
  func places() throws {
    #expect(
      try options("c:0.5:100:fp:0.25:0.75").crop
        == .init(width: 0.5, height: 100, gravity: .init(.focusPoint, offset: .init(0.25, 0.75))))
    #expect(try options("c:10:20").crop?.gravity == nil)
    #expect(try options("c:0:0").crop == nil)
    #expect(try options("g:sowe:-5:0.1").gravity == .init(.southWest, offset: .init(-5, 0.1)))
    #expect(try options("g:sm").gravity.place == .smart)
  }

  @Test("The sides of padding are in the order of CSS")
  func padding() throws {
    #expect(try options("pd:10").padding == .init(top: 10, right: 10, bottom: 10, left: 10))
    #expect(try options("pd:10:20").padding == .init(top: 10, right: 20, bottom: 10, left: 20))
    #expect(try options("pd::20").padding == .init(top: 0, right: 20, bottom: 0, left: 20))
    #expect(try options("pd:1:2:3:4").padding == .init(top: 1, right: 2, bottom: 3, left: 4))
    #expect(try options("pd:0").padding == nil)
  }

  @Test("Colors are three numbers or hexadecimal digits, and their alpha may precede them")
  func colors() throws {
    let teal = Color(red: 0, green: 128.0 / 255, blue: 1)
    #expect(try options("bg:0:128:255").background == teal)
    #expect(try options("bg:0080ff").background == teal)
    #expect(try options("bg:0F0").background == .green)
    #expect(try options("bga:0.5/bg:0080FF").background == teal.withAlphaComponent(0.5))
    #expect(try options("bg:0F0/bg:").background == nil)
  }

  @Test("Rotations are multiples of 90°, in both directions")
  func rotations() throws {
    #expect(try options("rot:450").rotation == 90)
    #expect(try options("rot:-90").rotation == 270)
    #expect(try options("fl:1").flipsHorizontally)
    #expect(try options("fl:0:t") == changed { $0.flipsVertically = true })
    #expect(try !options("ar:0").autoRotates)
  }

  @Test("The time of a video's frame is parsed")
  func videoSecond() throws {
    #expect(try options("vts:2") == changed { $0.videoSecond = 2 })
    #expect(try options("video_thumbnail_second:0.5").videoSecond == 0.5)
    #expect(try options("eth:1").usesThumbnail == true && options("enforce_thumbnail:0").usesThumbnail == false)
    #expect(try options("eth:1/eth:").usesThumbnail == nil)
    #expect(try options("vts:2/vts:").videoSecond == 0)
    #expect(throws: ServingError.self) { try options("vts:-1") }
  }

  @Test("Frames of a video are parsed, and their number is limited")
  func videoFrames() throws {
    #expect(
      try options("vtt:2:3:4:160:90").videoFrames
        == .init(.tiles(columns: 3, rows: 4), step: 2, width: 160, height: 90))
    var frames = ImageOptions.VideoFrames(.animation(count: 5, delay: 200), step: -1, width: 160, height: 0)
    (frames.extends, frames.trims, frames.fills, frames.focus) = (true, true, true, .init(0.25, 0.75))
    #expect(try options("vta:-1:200:5:160:0:1:1:1:0.25:0.75").videoFrames == frames)
    #expect(try options("video_thumbnail_animation:0.5:200:5") == options("vta:0.5:200:5"))
    #expect(try options("vtt:-20:1:1").videoFrames?.step == -1)
    #expect(try options("video_thumbnail_tile:1:2:2/vtt:0").videoFrames == nil)
    for text in [
      "vtt:1", "vtt:1:0:1", "vtt:1:16:17", "vta:1:100:257", "vtt:1:1:1:-1", "vtt:1:2:2:3:4:0:0:1:2:0",
      "vta:1:60001:1",
    ] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Pages are parsed")
  func pages() throws {
    #expect(try options("pg:2/pgs:3/da:1") == options("page:2/pages:3/disable_animation:t"))
    #expect(
      try options("pg:2/pgs:3/da:1")
        == changed {
          ($0.page, $0.pageCount, $0.disablesAnimation) = (2, 3, true)
        })
    #expect(try options("pg:2/pg:/pgs:3/pgs:/da:1/da:") == ImageOptions())
    for text in ["pg:-1", "pg:x", "pgs:0", "pgs:99999999999", "da:1:1"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Effects are parsed")
  func effects() throws {
    #expect(
      try options("bl:1.5/sh:0.7/pix:8/a:20:1.5:0.2")
        == changed {
          $0.blur = 1.5
          $0.sharpen = 0.7
          $0.pixelate = 8
          $0.brightness = 20
          $0.contrast = 1.5
          $0.saturation = 0.2
        })
    #expect(
      try options("wm:0.5:soea:10:-0.1:0.2").watermark
        == .init(opacity: 0.5, position: .at(.southEast), offset: .init(10, -0.1), scale: 0.2))
    #expect(try options("wm:1:re").watermark?.position == .repeated)
    #expect(try options("wm:1:ch").watermark?.position == .chessboard)
    #expect(try options("wm:0").watermark == nil)
  }

  @Test("Palettes, colors and gradients are parsed, with imgproxy's defaults")
  func overlays() throws {
    let teal = Color(red: 0, green: 128.0 / 255, blue: 1)
    #expect(try options("mc:0.5").monochrome == .init(intensity: 0.5, color: Color(white: 179.0 / 255)))
    #expect(try options("monochrome:1:0080ff").monochrome == .init(intensity: 1, color: teal))
    #expect(try options("dt:1").duotone == .init(intensity: 1, dark: .black, light: .white))
    #expect(try options("duotone:0.2:f00:0080ff").duotone == .init(intensity: 0.2, dark: .red, light: teal))
    #expect(try options("col:0.7").colorize == .init(opacity: 0.7, color: .black, keepsAlpha: false))
    #expect(try options("colorize:1:f00:t").colorize == .init(opacity: 1, color: .red, keepsAlpha: true))
    #expect(
      try options("gr:0.5").gradient == .init(opacity: 0.5, color: .black, angle: 0, start: 0, stop: 1))
    #expect(
      try options("gradient:0.5:f00:33.5:0.25:0.75").gradient
        == .init(opacity: 0.5, color: .red, angle: 33.5, start: 0.25, stop: 0.75))
    let angles = ["down": 0.0, "left": 90, "up": 180, "right": 270, "-90": 270, "450": 90, "360": 0]
    for (text, angle) in angles { #expect(try options("gr:1::\(text)").gradient?.angle == angle, "\(text)") }
    #expect(try options("mc:1/mc:0/dt:1/dt:/col:1/col:0:f00/gr:1/gr:0") == ImageOptions())
    for text in ["mc:1.1", "mc:1:red", "dt:1:f00:0f0:00f", "col:-1", "gr:1:f00:north", "gr:1::0:-1", "gr:1::0:0:2"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("The size, rotation and shadow of a watermark, and styles, are parsed")
  func marks() throws {
    #expect(try options("wms:10:20") == changed { ($0.watermarkWidth, $0.watermarkHeight) = (10, 20) })
    #expect(try options("watermark_size::20") == changed { $0.watermarkHeight = 20 })
    #expect(try options("wmr:450") == options("watermark_rotate:90") && options("wm_rot:90").watermarkRotation == 90)
    #expect(try options("wmsh:2.5") == options("watermark_shadow:2.5") && options("wmsh:2.5").watermarkShadow == 2.5)
    // "a{}" in Base64.
    #expect(try options("st:YXt9") == options("style:YXt9") && options("st:YXt9").style == "a{}")
    #expect(try options("wms:1:1/wms:/wmr:1/wmr:/wmsh:1/wmsh:/st:YXt9/st:") == ImageOptions())
    for text in ["wms:-1", "wms:1:1:1", "wmr:x", "wmsh:-1", "wmsh:101", "st:!"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Aspect ratios, resolutions and tags are parsed, and limited")
  func limited() throws {
    #expect(try options("car:1.5").cropAspectRatio == .init(1.5, enlarges: false))
    #expect(try options("crop_aspect_ratio:0.5:t") == options("crop_ar:0.5:1"))
    #expect(try options("crop_ar:0.5:1").cropAspectRatio == .init(0.5, enlarges: true))
    #expect(try options("car:1/car:0").cropAspectRatio == nil)
    #expect(try options("dpi:300").pixelsPerInch == 300 && options("dpi:72.5/dpi:0").pixelsPerInch == nil)
    #expect(try options("ct:a:b-1").cacheTags == ["a", "b-1"] && options("cache_tags:a/ct:").cacheTags == [])
    let many = Array(repeating: "a", count: 33).joined(separator: ":")
    for text in [
      "car:-1", "car:0.00001", "car:10001", "car:1:1:1", "dpi:-1", "dpi:0.5", "dpi:65536", "dpi:72:72", "ct:a,b",
      "ct:a%20b", "ct:%C3%A9", "ct:" + many, "ct:" + String(repeating: "a", count: 129),
    ] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  #if Server
    @Test("Hashes of sources are hexadecimal, and as long as the algorithm says")
    func hashes() throws {
      let bytes = (0..<64).map { UInt8($0) }
      let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      for (name, count) in ["md5": 16, "sha1": 20, "sha256": 32, "sha512": 64] {
        let hash = try options("hs:\(name):\(digits.prefix(2 * count))").sourceHash
        #expect(hash?.algorithm.rawValue == name && hash?.bytes == Array(bytes.prefix(count)))
        for digits in [digits.prefix(2 * count - 2), digits.prefix(2 * count) + "00"] {
          #expect(throws: ServingError.self) { try options("hashsum:\(name):\(digits)") }
        }
      }
      #expect(try options("hs:md5:\(digits.prefix(32))/hs:none").sourceHash == nil)
      #expect(try options("hs:none:x/hs:").sourceHash == nil)
      for text in ["hs:md5", "hs:crc:00", "hs:md5:\(digits.prefix(31))g"] {
        #expect(throws: ServingError.self) { try options(text) }
      }
    }
  #endif

  @Test("Unsharp masking is parsed, and has the defaults of imgproxy's settings")
  func unsharpMask() throws {
    #expect(try options("ush:always").unsharpMask == .init(.always, weight: 1, divider: 24))
    #expect(try options("unsharp_masking:none:2:12.5").unsharpMask == .init(.none, weight: 2, divider: 12.5))
    #expect(try options("ush::2").unsharpMask == .init(.auto, weight: 2, divider: 24))
    #expect(try options("ush:always/ush:").unsharpMask == nil)
    for text in ["ush:on", "ush:always:0", "ush:always:1:0", "ush:always:1:1:1"] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Areas to blur are groups of four fractions")
  func blurAreas() throws {
    let (one, two) = (
      ImageOptions.BlurAreas.Area(x: 0.1, y: 0.2, width: 0.3, height: 0.4),
      ImageOptions.BlurAreas.Area(x: 0, y: 0, width: 1, height: 0.5)
    )
    #expect(try options("ba:5:0.1:0.2:0.3:0.4").blurAreas == .init(sigma: 5, areas: [one]))
    #expect(
      try options("blur_areas:5:0.1:0.2:0.3:0.4:0:0:1:0.5").blurAreas == .init(sigma: 5, areas: [one, two]))
    #expect(try options("ba:5:0:0:1:1/ba:").blurAreas == nil && options("ba:0:0:0:1:1").blurAreas == nil)
    #expect(try options("ba:5").blurAreas == nil)
    let most = String(repeating: ":0:0:1:1", count: 64)
    #expect(try options("ba:5" + most).blurAreas?.areas.count == 64)
    for text in [
      "ba:5:0:0:1", "ba:5:0:0:1:1:0", "ba:5:0:0:1:0", "ba:5:0:0:2:1", "ba:-1:0:0:1:1", "ba:5:0:0:1:1" + most,
    ] {
      #expect(throws: ServingError.self) { try options(text) }
    }
  }

  @Test("Options for the file and the response are parsed")
  func files() throws {
    #expect(
      try options("f:jpg/q:80/fq:webp:60:avif:50/mb:20000/jpgo:1/sm:0/kcr:1/skp:svg:gif/raw:1")
        == changed {
          $0.format = .jpeg
          $0.quality = 80
          $0.formatQuality = [.webp: 60, .avif: 50]
          $0.maximumBytes = 20000
          $0.isProgressive = true
          $0.stripsMetadata = false
          $0.keepsCopyright = true
          $0.skippedFormats = [.svg, .gif]
          $0.isRaw = true
        })
    #expect(
      try options("fn:cat/att:1/cb:v2")
        == changed {
          $0.filename = "cat"; $0.isAttachment = true; $0.cacheBuster = "v2"
        })
    #expect(try options("fn:YSBiL2M:1").filename == "a b/c")
    #expect(try options("placeholder:blurhash").placeholder == .blurHash)
    #expect(try options("q:0").quality == nil)
  }

  @Test("Limits are parsed, in megapixels, bytes, frames and pixels, and 0 means none")
  func limits() throws {
    #expect(
      try options("msr:1.5/msfs:1000/maf:3/mafr:0.25/mrd:640")
        == changed {
          $0.limits.sourcePixels = 1_500_000
          $0.limits.sourceBytes = 1000
          $0.limits.frames = 3
          $0.limits.framePixels = 250_000
          $0.limits.resultSide = 640
        })
    #expect(try options("msr:1.5/maf:3/msr:0/maf:") == ImageOptions())
  }

  @Test("A format, the best format, and goals for the quality are parsed")
  func goals() throws {
    #expect(try options("f:best") == changed { $0.bestFormats = [] })
    #expect(try options("f:best/f:png") == changed { $0.format = .png })
    #expect(try options("f:png/f:best").format == nil)
    #expect(try ImageURL(path: "/x/f:png/plain/http://a@best").imageOptions(now: 0).bestFormats == [])
    #expect(
      try options("aq:size:5000:30:80").autoQuality == .init(.size(5000), qualities: 30...80))
    #expect(
      try options("autoquality:ssim:0.95::90:0.01").autoQuality
        == .init(.similarity(0.95), qualities: 1...90, tolerance: 0.01))
    // Dissimilarity is (1 - similarity) / 2.
    #expect(try options("aq:dssim:0.25").autoQuality == .init(.similarity(0.5), tolerance: 0.002))
    #expect(try options("aq:size:5000/aq:none").autoQuality == nil)
  }

  @Test("Everything but 1, t and true is false, as for imgproxy")
  func booleans() throws {
    for text in ["1", "t", "T", "true", "True", "TRUE"] { #expect(try options("el:\(text)").enlarges) }
    for text in ["0", "f", "false", "yes", "2", "tRUE"] { #expect(try !options("el:1/el:\(text)").enlarges) }
  }

  @Test("Arguments that are missing keep the values of an earlier option")
  func earlierArguments() throws {
    #expect(try options("g:nowe:10:20/g:soea").gravity == .init(.southEast, offset: .init(10, 20)))
    #expect(try options("g:fp:0.1:0.2/g:ce").gravity == .init())
    #expect(
      try options("c:50:40:no:1:2/c:60:30").crop
        == .init(width: 60, height: 30, gravity: .init(.north, offset: .init(1, 2))))
    #expect(try options("ex:1:nowe/ex:1").extend == .init(.northWest))
    #expect(try options("fl:1:1/fl:0") == changed { $0.flipsVertically = true })
    #expect(try options("t:10:ff0000:1/t:20").trim == .init(threshold: 20, isEqualHorizontally: true))
  }

  @Test("If options are restricted, others are rejected by any name, except in presets")
  func allowedOptions() throws {
    var rules = URLRules()
    rules.presets = try ImagePresets(["small": "w:10"])
    rules.allowedOptions = ["rs", "preset", "enlarge"]
    func options(_ text: String) throws -> ImageOptions {
      try rules.options(of: try rules.url(path: "/x/\(text)/plain/http://a"), now: 0)
    }
    #expect(try options("resize:fit:5/el:1").width == 5)
    #expect(try options("pr:small").width == 10)
    #expect(throws: ServingError.invalidOption("width", "the server does not allow it in URLs")) {
      try options("rs:fit:5/width:3")
    }
    #expect(throws: ServingError.invalidOption("nothing", "there is no such option")) { try options("nothing:1") }
  }

  @Test("The error of an unknown option names a similar one, unless the name is short")
  func similarNames() {
    func reason(_ name: String) -> String? {
      do {
        _ = try options("\(name):1")
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(reason("hight")?.contains("there is no such option; a similar one is height") == true)
    #expect(reason("resizing_typ")?.contains("a similar one is resizing_type") == true)
    for name in ["rz", "nothing", String(repeating: "height", count: 20)] {
      #expect(reason(name)?.contains("similar") == false, "\(name)")
    }
  }

  @Test("The options of one format, with the arguments of imgproxy")
  func formatOptions() throws {
    #expect(try options("jpgo::1") == changed { $0.chromaSubsampling = [.jpeg: .yuv444] })
    #expect(
      try options("jpeg_options:1:0:0:0:0:0")
        == changed {
          $0.isProgressive = true
          $0.chromaSubsampling = [.jpeg: .yuv420]
        })
    #expect(try options("jpgo:1:1/jpgo:") == ImageOptions())
    #expect(try options("pngo:0:1") == changed { $0.maximumColorCount = 256 })
    #expect(try options("png_options::1:16") == changed { $0.maximumColorCount = 16 })
    #expect(try options("pngo::0:16") == changed { $0.maximumColorCount = 0 })
    #expect(try options("pngo::1/pngo:0") == ImageOptions())
    #expect(try options("webpo:lossless") == changed { $0.isLosslessWebP = true })
    #expect(try options("webp_options:lossy:0:default") == changed { $0.isLosslessWebP = false })
    #expect(try options("avifo:on") == changed { $0.chromaSubsampling = [.avif: .yuv420] })
    #expect(try options("avif_options:off") == changed { $0.chromaSubsampling = [.avif: .yuv444] })
    #expect(try options("avifo:off/avifo:auto") == ImageOptions())
  }

  @Test("A watermark has a URL in Base64, to which the rules of sources apply")
  func watermarkURL() throws {
    func wanted(_ source: String, _ rules: URLRules) throws(ServingError) -> String? {
      let path = "/x/wm:1/wmu:\(Base64URL.encode(source.utf8))/plain/http://a"
      return try rules.options(of: rules.url(path: path), now: 0).watermarkSource
    }
    var rules = URLRules()
    #expect(try wanted("https://A.example/a b%20c.png", rules) == "https://a.example/a%20b%20c.png")
    rules.sources = SourceRules()
    rules.sources?.base = "https://a.example/"
    rules.sources?.allowed = [SourcePattern("https://a.example/")!]
    #expect(try wanted("https://a.example/logo.png", rules) == "https://a.example/logo.png")
    #expect(throws: ServingError.sourceNotAllowed("https://b.example is not among the allowed sources.")) {
      try wanted("https://b.example/logo.png", rules)
    }
    for text in ["logo.png", "https://me@a.example/", "https://a.example/../b"] {
      let error = #expect(throws: ServingError.self) { try wanted(text, rules) }
      #expect(error?.name == "invalidOption")
    }
  }

  @Test("The server's watermark by URL applies to URLs that name none")
  func defaultWatermark() throws {
    var rules = URLRules()
    rules.watermark = URL(string: "https://a.example/own.png")
    let other = Base64URL.encode("https://a.example/other.png".utf8)
    for (text, expected) in [
      ("w:1", nil), ("wm:1", "https://a.example/own.png"), ("wm:1/wmu:\(other)", "https://a.example/other.png"),
      ("wm:0", nil),
    ] as [(String, String?)] {
      let options = try rules.options(of: rules.url(path: "/x/\(text)/plain/http://a"), now: 0)
      #expect(options.watermarkSource == expected)
    }
  }

  @Test("The extension takes precedence over the format option")
  func extensions() throws {
    let url = try ImageURL(path: "/x/f:png/plain/http://a@jpg")
    #expect(try url.imageOptions(now: 0).format == .jpeg)
    #expect(throws: ServingError.invalidOption("extension", "\"exe\" is not the name of a format")) {
      try ImageURL(path: "/x/plain/http://a@exe").imageOptions(now: 0)
    }
  }

  @Test("A URL is rejected from its expiration on")
  func expiry() throws {
    #expect(try options("exp:1001").expires == 1001)
    #expect(throws: ServingError.expired) { try options("exp:1000") }
    #expect(try options("exp:0").expires == nil)
    #expect(try options("exp:-1").expires == nil)
  }

  @Test(
    "An invalid option is an error with its name",
    arguments: [
      "foo:1", "w:x", "w:-1", "w:1.5", "w:1000001", "w:1:2", "rs:stretch:1:1", "dpr:0", "dpr:nan",
      "dpr:inf", "dpr:0x2",
      "z:0", "g:xx", "g:sm:1", "g::1:1", "g:fp:2:0", "g:fp:0:-1", "g:fp", "g:fp:0.5",
      "g:fp::0.5", "c:1:1:fp:0.5", "ex:1:fp", "ex:1:sm", "c:-1:5", "tr:10:red", "tr:256", "pd:-1", "rot:45",
      "bg:1:2", "bg:1:2:256",
      "bg:12345", "bl:-1", "sh:1e9", "wm:2", "wm:1:sm", "q:101", "fq:webp", "fq:webp:-1", "f:exe", "mb:-1", "ph:1",
      "placeholder:nothing", "msr:-1", "msfs:1.5", "maf:x", "maf:-1", "mrd:x", "aq:ssim:2", "aq:size",
      "aq:size:1:60:50",
      "aq:ml",
      "fn:*:1", "wmu:*", "wmu:YQ:1", "watermark_url:_w", "pr:nothere", "jpgo:1:0:1", "jpgo:1:0:0:0:1",
      "jpgo:1:0:0:0:0:2", "jpgo:1:0:0:0:0:0:0", "pngo:1", "pngo:0:1:1", "pngo:0:1:257", "webpo:near_lossless",
      "webpo:lossy:1", "webpo:lossy:0:photo", "avifo:1",
    ])
  func refusals(text: String) throws {
    let name = try #require(text.split(separator: ":").first)
    do {
      _ = try options(text)
      Issue.record("\(text) was accepted")
    } catch ServingError.invalidOption(let option, _) {
      #expect(option == name)
    }
  }

  @Test("Presets are replaced by their options, and may refer to each other")
  func presets() throws {
    let presets = ["small": "rs:fill:96:96", "card": "pr:small/q:70"]
    #expect(try options("pr:card/h:50", presets: presets) == options("rs:fill:96:50/q:70"))
    #expect(try options("preset:small:card", presets: presets) == options("rs:fill:96:96/q:70"))
    #expect(try options("w:5", presets: ["default": "q:40"]) == options("q:40/w:5"))
  }

  @Test("A quality of 0 is the default, and a negative limit is none")
  func resets() throws {
    #expect(try options("fq:png:0:webp:50:webp:0") == ImageOptions())
    #expect(try options("q:50/q:0") == ImageOptions())
    #expect(try options("mrd:9/mrd:-1/msfs:9/msfs:-2") == ImageOptions())
  }

  @Test("Options that nothing sets have the defaults of the server, also after a reset")
  func defaults() throws {
    var rules = URLRules()
    rules.defaults = changed { ($0.autoRotates, $0.skippedFormats) = (false, [.gif]) }
    func options(_ text: String) throws -> ImageOptions {
      try rules.options(of: rules.url(path: "/x/\(text)/plain/http://a"), now: 0)
    }
    #expect(try options("w:1") == changed { ($0.autoRotates, $0.skippedFormats, $0.width) = (false, [.gif], 1) })
    #expect(try options("ar:1/skp:svg") == changed { $0.skippedFormats = [.gif, .svg] })
    #expect(try !options("ar:1/ar:").autoRotates)
  }

  /// The presets that contain the repeated one are those that imgproxy remembers as used.
  @Test(
    "A preset is not applied again within itself, and the operator is told",
    arguments: [
      (["a": "pr:a/w:1"], "pr:a", "w:1", ["a"]), (["a": "pr:b/q:5", "b": "pr:a/w:1"], "pr:b", "q:5/w:1", ["a"]),
      (["a": "pr:b/q:5", "b": "pr:a/w:1"], "pr:a", "w:1/q:5", ["a"]),
      (["default": "pr:default/w:1"], "h:2", "w:1/h:2", ["default"]),
      (["a": "pr:b:c", "b": "pr:c/w:1", "c": "h:2"], "pr:a:a", "w:1/h:2", []),
    ] as [([String: String], String, String, [String])])
  func repetitions(texts: [String: String], asked: String, same: String, named: [String]) throws {
    let presets = try ImagePresets(texts)
    #expect(try options(asked, presets: texts) == options(same))
    #expect(presets.repetitions.count == named.count)
    for (message, name) in zip(presets.repetitions, named) {
      #expect(message.hasPrefix("preset \"\(name)\" contains itself, through "), "\(message)")
    }
  }

  @Test("Presets that contain each other too often are rejected in a short time")
  func multipliedPresets() {
    let names = (0..<12).map { "p\($0)" }
    let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, "pr:" + names.joined(separator: ":")) })
    let error = #expect(throws: ServingError.self) { try ImagePresets(texts) }
    #expect(error?.description.contains("contain each other more than 10000 times") == true)
  }

  @Test(
    "Invalid presets are rejected when the server starts",
    arguments: [
      ["a": "pr:nothere"], ["a": "pr:a:nothere"], ["a": "w:x"], ["a": "nothing"], ["a:b": "w:1"],
    ])
  func badPresets(texts: [String: String]) {
    #expect(throws: ServingError.self) { try ImagePresets(texts) }
  }

  @Test("Every option belongs to one family, with unique names")
  func names() {
    let families = [
      ImageOptions.Draft.sizes, ImageOptions.Draft.geometry, ImageOptions.Draft.effects, ImageOptions.Draft.files,
      ImageOptions.Draft.limits, ImageOptions.Draft.response,
    ]
    let names = families.flatMap { $0.flatMap(\.names) }
    #expect(Set(names).count == names.count)
    #expect(ImageOptions.Draft.readers.count == names.count)
  }
}
