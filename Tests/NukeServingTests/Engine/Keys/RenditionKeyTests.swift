import Foundation
import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("The key of a rendition")
struct RenditionKeyTests {
  private let request = ServiceFixture.request(width: 320)

  @Test("The key is equal in each version and on each machine")
  func isStable() {
    var request = request
    request.options.resizing = .fill
    request.options.gravity = ImageOptions.Gravity(.northWest, offset: .init(10, 0.25))
    request.options.dpr = 1.5
    request.options.formatQuality = [.webp: 70, .avif: 50]
    let key = RenditionKey(request)
    #expect(
      key.text == "2 webp rt:fill/w:320/dpr:1.5/g:nowe:10:0.25/fq:avif:50/fq:webp:70 https://images.example/a.jpg ")
    // By `printf '…' | sha1sum`.
    #expect(key.name == "r2-934465d00e67bc0fc0491dd6e2863ad3853b9546")
  }

  @Test("Options that affect only the response do not change the key")
  func leavesOutTheAnswer() {
    var other = request
    other.options.filename = "holiday"
    other.options.isAttachment = true
    other.options.expires = 2_000_000_000
    other.options.cacheTags = ["a"]
    other.options.fallbackSource = "https://images.example/b.jpg"
    #expect(RenditionKey(other) == RenditionKey(request))
  }

  @Test("The format of the options applies if the request has none")
  func formats() {
    var other = request
    other.format = nil
    #expect(RenditionKey(other) != RenditionKey(request))
    other.options.format = .webp
    #expect(RenditionKey(other) == RenditionKey(request))
  }

  @Test("The format for animated sources changes the key")
  func movingFormats() {
    let requests = [nil, ImageFormat.gif, .webp].map { moving in
      var other = request
      (other.format, other.movingFormat) = (.avif, moving)
      return other
    }
    #expect(Set(requests.map { RenditionKey($0).name }).count == 3)
    #expect(RenditionKey(requests[2]).text.hasPrefix("2 avif+webp "))
  }

  @Test("The source and the renderer's settings change the key")
  func sources() {
    let other = ServiceFixture.request(width: 320, URL(string: "https://images.example/b.jpg")!)
    let names = [RenditionKey(request), RenditionKey(other), RenditionKey(request, renderer: "q75")].map(\.name)
    #expect(Set(names).count == 3)
  }

  @Test("The fields that the source receives change the key, which contains only a hash of them")
  func fields() {
    let changes: [[String: String]] = [
      [:], ["cookie": "a=secret"], ["cookie": "a=other"], ["authorization": "a=secret"],
      ["cookie": "a=secret", "x-user": "1"], ["x-user": "1\ncookie:a=secret"],
    ]
    let keys = changes.map { fields in
      var other = request
      other.sourceFields = fields
      return RenditionKey(other)
    }
    #expect(Set(keys.map(\.name)).count == changes.count)
    #expect(keys.allSatisfy { !$0.text.contains("secret") })
    // By `printf 'cookie:a=secret' | sha1sum`.
    #expect(keys[1].text.hasPrefix("2 webp~4f17d12b6f26bacd08948c0397ca1874a5464a9f w:320 "))
    var facts = RenditionRequest.facts(of: request.source)
    let plain = RenditionKey(facts)
    facts.sourceFields = ["cookie": "a=secret"]
    #expect(RenditionKey(facts) != plain)
  }

  /// Each changes one option.
  private static let changes: [@Sendable (inout ImageOptions) -> Void] = [
    { _ in },
    { $0.resizing = .fill }, { $0.resizing = .fillDown }, { $0.resizing = .force }, { $0.resizing = .auto },
    { $0.width = 321 }, { $0.height = 320 }, { $0.minimumWidth = 320 }, { $0.minimumHeight = 320 },
    { $0.zoom = .init(2, 1) }, { $0.zoom = .init(1, 2) }, { $0.dpr = 2 }, { $0.dpr = 2.25 }, { $0.enlarges = true },
    { $0.extend = .init() }, { $0.extend = .init(.north) }, { $0.extendAspectRatio = .init() },
    { $0.gravity = .init(.smart) }, { $0.gravity = .init(.center, offset: .init(1, 0)) },
    { $0.gravity = .init(.center, offset: .init(0, 1)) },
    { $0.crop = .init(width: 10, height: 20) }, { $0.crop = .init(width: 20, height: 10) },
    { $0.crop = .init(width: 10, height: 20, gravity: .init()) },
    { $0.cropAspectRatio = .init(1.5) }, { $0.cropAspectRatio = .init(1.5, enlarges: true) },
    { $0.pixelsPerInch = 72 }, { $0.pixelsPerInch = 300 },
    { $0.trim = .init(threshold: 10) }, { $0.trim = .init(threshold: 10, color: .black) },
    { $0.trim = .init(threshold: 10, isEqualHorizontally: true) },
    { $0.trim = .init(threshold: 10, isEqualVertically: true) },
    { $0.padding = .init(top: 1, right: 0, bottom: 0, left: 0) },
    { $0.padding = .init(top: 0, right: 0, bottom: 0, left: 1) },
    { $0.autoRotates = false }, { $0.rotation = 90 }, { $0.flipsHorizontally = true }, { $0.flipsVertically = true },
    { $0.videoSecond = 2 }, { $0.videoSecond = 2.5 },
    { $0.background = .white }, { $0.background = Color(red: 1, green: 1, blue: 1, alpha: 0.999) },
    { $0.blur = 1 }, { $0.blur = 1.5 }, { $0.sharpen = 1 }, { $0.pixelate = 8 }, { $0.brightness = 8 },
    { $0.brightness = -8 }, { $0.contrast = 1.5 }, { $0.saturation = 1.5 },
    { $0.unsharpMask = .init() }, { $0.unsharpMask = .init(.always) }, { $0.unsharpMask = .init(weight: 2) },
    { $0.unsharpMask = .init(divider: 2) },
    { $0.blurAreas = .init(sigma: 1, areas: [.init(x: 0, y: 0, width: 1, height: 1)]) },
    { $0.blurAreas = .init(sigma: 2, areas: [.init(x: 0, y: 0, width: 1, height: 1)]) },
    { $0.blurAreas = .init(sigma: 1, areas: [.init(x: 0, y: 0, width: 1, height: 0.5)]) },
    {
      $0.blurAreas = .init(
        sigma: 1, areas: [.init(x: 0, y: 0, width: 1, height: 1), .init(x: 0, y: 0, width: 1, height: 1)])
    },
    { $0.monochrome = .init(intensity: 0.5) }, { $0.monochrome = .init(intensity: 0.5, color: .red) },
    { $0.duotone = .init(intensity: 0.5) }, { $0.duotone = .init(intensity: 0.5, dark: .red) },
    { $0.duotone = .init(intensity: 0.5, light: .red) },
    { $0.colorize = .init(opacity: 0.5) }, { $0.colorize = .init(opacity: 0.5, color: .red) },
    { $0.colorize = .init(opacity: 0.5, keepsAlpha: true) },
    { $0.gradient = .init(opacity: 0.5) }, { $0.gradient = .init(opacity: 0.5, color: .red) },
    { $0.gradient = .init(opacity: 0.5, angle: 90) }, { $0.gradient = .init(opacity: 0.5, start: 0.5) },
    { $0.gradient = .init(opacity: 0.5, stop: 0.5) },
    { $0.watermark = .init(opacity: 0.5) }, { $0.watermark = .init(opacity: 0.5, position: .at(.north)) },
    { $0.watermark = .init(opacity: 0.5, position: .repeated) },
    { $0.watermark = .init(opacity: 0.5, position: .chessboard) },
    { $0.watermark = .init(opacity: 0.5, offset: .init(3, 0)) }, { $0.watermark = .init(opacity: 0.5, scale: 0.2) },
    { $0.watermarkText = "a" }, { $0.watermarkText = "a/q:5" },
    { $0.watermarkWidth = 10 }, { $0.watermarkHeight = 10 }, { $0.watermarkRotation = 10 }, { $0.watermarkShadow = 10 },
    { $0.style = "a" }, { $0.style = "a/q:5" },
    { $0.watermarkSource = "https://images.example/logo.png" }, { $0.watermarkSource = "https://images.example/b/q:5" },
    { $0.videoFrames = .init(.tiles(columns: 2, rows: 3), step: 1, width: 4, height: 5) },
    { $0.videoFrames = .init(.tiles(columns: 3, rows: 2), step: 1, width: 4, height: 5) },
    { $0.videoFrames = .init(.animation(count: 2, delay: 3), step: 1, width: 4, height: 5) },
    { $0.videoFrames = .init(.tiles(columns: 2, rows: 3), step: 2, width: 4, height: 5) },
    { $0.videoFrames = .init(.tiles(columns: 2, rows: 3), step: 1, width: 5, height: 4) },
    {
      $0.videoFrames = .init(.tiles(columns: 2, rows: 3), step: 1, width: 4, height: 5)
      $0.videoFrames?.extends = true
    },
    {
      $0.videoFrames = .init(.tiles(columns: 2, rows: 3), step: 1, width: 4, height: 5)
      $0.videoFrames?.trims = true
    },
    {
      $0.videoFrames = .init(.tiles(columns: 2, rows: 3), step: 1, width: 4, height: 5)
      $0.videoFrames?.fills = true
    },
    { $0.page = 1 }, { $0.pageCount = 2 }, { $0.disablesAnimation = true },
    { $0.usesThumbnail = true }, { $0.usesThumbnail = false },
    { $0.quality = 50 }, { $0.formatQuality = [.webp: 50] }, { $0.formatQuality = [.jpeg: 50] },
    { $0.maximumBytes = 10_000 }, { $0.isProgressive = true }, { $0.isProgressive = false },
    { $0.chromaSubsampling = [.jpeg: .yuv420] }, { $0.chromaSubsampling = [.jpeg: .yuv444] },
    { $0.chromaSubsampling = [.avif: .yuv444] }, { $0.maximumColorCount = 16 }, { $0.maximumColorCount = 256 },
    { $0.maximumColorCount = 0 },
    { $0.isLosslessWebP = true }, { $0.isLosslessWebP = false },
    { $0.limits.sourcePixels = 9 }, { $0.limits.sourceBytes = 9 }, { $0.limits.frames = 9 },
    { $0.limits.framePixels = 9 }, { $0.limits.resultSide = 9 },
    { $0.sourceHash = SourceHash(.md5, Array(0..<16)) }, { $0.sourceHash = SourceHash(.md5, Array(1..<17)) },
    { $0.sourceHash = SourceHash(.sha1, Array(0..<20)) },
    { $0.bestFormats = [] }, { $0.bestFormats = [.jpeg] }, { $0.bestFormats = [.jpeg, .png] },
    { $0.autoQuality = .init(.size(1)) }, { $0.autoQuality = .init(.similarity(1)) },
    { $0.autoQuality = .init(.similarity(1), qualities: 2...100) },
    { $0.autoQuality = .init(.similarity(1), tolerance: 0) },
    { $0.stripsMetadata = true }, { $0.stripsMetadata = false },
    { $0.keepsCopyright = true }, { $0.keepsCopyright = false }, { $0.skippedFormats = [.gif] },
    { $0.skippedFormats = [.gif, .svg] }, { $0.isRaw = true }, { $0.placeholder = .blurHash },
    { $0.placeholder = .preview }, { $0.cacheBuster = "2" }, { $0.cacheBuster = "2/sm:1" },
  ]

  @Test("The format of the URL is in the key if it decides whether the source is sent unchanged")
  func skippedFormats() {
    func key(_ named: ImageFormat?, _ format: ImageFormat?, skips: Bool = true) -> RenditionKey {
      var changed = request
      changed.options.skippedFormats = skips ? [.gif] : []
      (changed.options.format, changed.format) = (named, format)
      return RenditionKey(changed)
    }
    #expect(key(nil, .webp) != key(.webp, .webp))
    #expect(key(.gif, .webp) != key(nil, .webp))
    #expect(key(.webp, nil) == key(.webp, .webp))
    #expect(key(nil, .webp, skips: false) == key(.webp, .webp, skips: false))
  }

  @Test("Each option that affects the file changes the key")
  func changesWithTheFile() {
    var names: Set<String> = []
    for change in Self.changes {
      var changed = request
      change(&changed.options)
      names.insert(RenditionKey(changed).name)
    }
    #expect(names.count == Self.changes.count)
    #expect(names.allSatisfy { $0.utf8.count == 43 })
  }

  @Test("Every option is in the key or affects only the response; this test fails if a new one is neither")
  func everyField() {
    let plain = ImageOptions()
    let inKey = Self.changes.flatMap { change in
      var changed = plain
      change(&changed)
      return Self.differingFields(changed, plain)
    }
    var answer = plain
    answer.cacheTags = ["a"]
    (answer.expires, answer.filename, answer.isAttachment, answer.fallbackSource) = (1, "a", true, "https://a")
    let inAnswer = Self.differingFields(answer, answer.ofFile)
    #expect(Set(inKey).isDisjoint(with: inAnswer))
    // The format stands before the options.
    let known = Set(inKey + inAnswer + ["format"])
    #expect(Mirror(reflecting: plain).children.compactMap(\.label).filter { !known.contains($0) } == [])
  }

  private static func differingFields(_ one: ImageOptions, _ other: ImageOptions) -> [String] {
    zip(Mirror(reflecting: one).children, Mirror(reflecting: other).children)
      .filter { "\($0.value)" != "\($1.value)" }.compactMap { $0.0.label }
  }
}
