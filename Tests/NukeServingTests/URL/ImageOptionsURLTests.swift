import NukeCodecs
import Testing

@testable import NukeServing

@Suite("Options in URLs")
struct ImageOptionsURLTests {
  @Test("Of two options for the same value the later one applies, and an empty argument sets the default")
  func order() throws {
    #expect(try options("w:10/rs:fit:20").width == 20)
    #expect(try options("rs:fit:20/w:10").width == 10)
    #expect(try options("w:10/w:").width == 0)
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
    #expect(try options("fl:1:1/fl:0") == ImageOptions { $0.flipsVertically = true })
    #expect(try options("t:10:ff0000:1/t:20").trim == .init(threshold: 20, isEqualHorizontally: true))
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
    rules.defaults = ImageOptions { ($0.autoRotates, $0.skippedFormats) = (false, [.gif]) }
    #expect(
      try rules.options("w:1") == ImageOptions { ($0.autoRotates, $0.skippedFormats, $0.width) = (false, [.gif], 1) })
    #expect(try rules.options("ar:1/skp:svg") == ImageOptions { $0.skippedFormats = [.gif, .svg] })
    #expect(try !rules.options("ar:1/ar:").autoRotates)
  }

  @Test("If options are restricted, others are rejected by any name, except in presets")
  func allowedOptions() throws {
    var rules = URLRules()
    rules.presets = try ImagePresets(["small": "w:10"])
    rules.allowedOptions = ["rs", "preset", "enlarge"]
    #expect(try rules.options("resize:fit:5/el:1").width == 5)
    #expect(try rules.options("pr:small").width == 10)
    #expect(throws: ServingError.invalidOption("width", "the server does not allow it in URLs")) {
      try rules.options("rs:fit:5/width:3")
    }
    #expect(throws: ServingError.invalidOption("nothing", "there is no such option")) { try rules.options("nothing:1") }
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

extension URLRules {
  /// Returns the options of a URL of an image, with these rules.
  fileprivate func options(_ text: String) throws -> ImageOptions {
    try options(of: url(path: "/x/\(text)/plain/http://a"), now: 0)
  }
}
