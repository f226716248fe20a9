import NukeCodecs
import Testing

@testable import NukeServing

@Suite("Options for files, responses and limits in URLs")
struct FileOptionsTests {
  @Test("Options for the file and the response are parsed")
  func files() throws {
    #expect(
      try options("f:jpg/q:80/fq:webp:60:avif:50/mb:20000/jpgo:1/sm:0/kcr:1/skp:svg:gif/raw:1")
        == ImageOptions {
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
        == ImageOptions {
          $0.filename = "cat"; $0.isAttachment = true; $0.cacheBuster = "v2"
        })
    #expect(try options("fn:YSBiL2M:1").filename == "a b/c")
    #expect(try options("placeholder:blurhash").placeholder == .blurHash)
    #expect(try options("q:0").quality == nil)
  }

  @Test("A format, the best format, and goals for the quality are parsed")
  func goals() throws {
    #expect(try options("f:best") == ImageOptions { $0.bestFormats = [] })
    #expect(try options("f:best/f:png") == ImageOptions { $0.format = .png })
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

  @Test("The options of one format, with the arguments of imgproxy")
  func formatOptions() throws {
    #expect(try options("jpgo::1") == ImageOptions { $0.chromaSubsampling = [.jpeg: .yuv444] })
    #expect(
      try options("jpeg_options:1:0:0:0:0:0")
        == ImageOptions {
          $0.isProgressive = true
          $0.chromaSubsampling = [.jpeg: .yuv420]
        })
    #expect(try options("jpgo:1:1/jpgo:") == ImageOptions())
    #expect(try options("pngo:0:1") == ImageOptions { $0.maximumColorCount = 256 })
    #expect(try options("png_options::1:16") == ImageOptions { $0.maximumColorCount = 16 })
    #expect(try options("pngo::0:16") == ImageOptions { $0.maximumColorCount = 0 })
    #expect(try options("pngo::1/pngo:0") == ImageOptions())
    #expect(try options("webpo:lossless") == ImageOptions { $0.isLosslessWebP = true })
    #expect(try options("webp_options:lossy:0:default") == ImageOptions { $0.isLosslessWebP = false })
    #expect(try options("avifo:on") == ImageOptions { $0.chromaSubsampling = [.avif: .yuv420] })
    #expect(try options("avif_options:off") == ImageOptions { $0.chromaSubsampling = [.avif: .yuv444] })
    #expect(try options("avifo:off/avifo:auto") == ImageOptions())
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

  @Test("Limits are parsed, in megapixels, bytes, frames and pixels, and 0 means none")
  func limits() throws {
    #expect(
      try options("msr:1.5/msfs:1000/maf:3/mafr:0.25/mrd:640")
        == ImageOptions {
          $0.limits.sourcePixels = 1_500_000
          $0.limits.sourceBytes = 1000
          $0.limits.frames = 3
          $0.limits.framePixels = 250_000
          $0.limits.resultSide = 640
        })
    #expect(try options("msr:1.5/maf:3/msr:0/maf:") == ImageOptions())
  }
}
