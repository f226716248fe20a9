import CodecLoops
import Foundation
import Nuke

/// An operation to measure. The peers use the same names.
struct Row: Sendable {
  let name: String
  /// Created on first use, so that a run of one row reads only the files it needs.
  let prepare: @Sendable () -> @Sendable () async -> Int
}

/// The operations of this library.
func ownRows(_ corpus: Corpus) -> [Row] {
  var rows: [Row] = []
  for (picture, file) in thumbnailFiles {
    rows.append(
      Row(name: "thumbnail \(picture), pipeline") {
        let pipeline = ImagePipeline {
          $0.dataLoader = ConstantLoader(data: corpus.file(file))
          $0.imageCache = nil
        }
        let request = ImageRequest(
          url: URL(string: "http://test.com/\(file)"),
          processors: [.resize(size: CGSize(width: 320, height: 240), unit: .pixels, crop: true)])
        return { try! await pipeline.image(for: request).byteCount }
      })
    for denominator in [4, 8] {
      rows.append(
        Row(name: "thumbnail \(picture), 1/\(denominator)") {
          let data = corpus.file(file)
          let resize = ImageProcessors.Resize(size: CGSize(width: 320, height: 240), unit: .pixels, crop: true)
          let options = DecodeOptions(scaleDenominator: denominator)
          return { resize.process(try! ImageReaders.reader(for: data).decode(options))!.byteCount }
        })
    }
  }
  for (kind, file) in decodeFiles { rows.append(decodeRow("decode \(kind)", corpus, file)) }
  let deepFiles = [
    ("PNG of 16 bits", "2mp-16.png"), ("WebP, lossless", "2mp-lossless.webp"), ("TIFF, LZW", "2mp-lzw.tiff"),
    ("HEIC", "2mp.heic"), ("JPEG XL", "2mp.jxl"),
  ]
  for (kind, file) in deepFiles { rows.append(decodeRow("decode \(kind)", corpus, file)) }
  rows.append(decodeRow("first frame of a video", corpus, "clip.mp4"))
  rows.append(
    decodeRow(
      "draw SVG of 3,700 paths, 512 px", corpus, "map.svg", DecodeOptions(targetSize: .init(width: 512, height: 384))))
  rows.append(
    Row(name: "decode GIF, 40 frames") {
      let data = corpus.file("moving.gif")
      return {
        let frames = try! ImageReaders.reader(for: data).animation()!.frames()
        var bytes = 0
        while let frame = try! frames.next() { bytes += frame.image.byteCount }
        return bytes
      }
    })
  for (kind, file) in [("opaque", "2mp.png"), ("with alpha", "2mp-alpha.png")] {
    rows.append(
      Row(name: "resize to 640x360, \(kind)") {
        let image = corpus.bitmap(file)
        let resize = ImageProcessors.Resize(size: CGSize(width: 640, height: 360), unit: .pixels)
        return { resize.process(image)!.byteCount }
      })
  }
  for (name, processor) in processors {
    rows.append(
      Row(name: name) {
        let image = corpus.bitmap("2mp.png")
        return { processor.process(image)!.byteCount }
      })
  }
  for radius in [8, 64, 256] {
    rows.append(
      Row(name: "rounded corners of \(radius), 512x512") {
        let image = square(corpus)
        let processor = ImageProcessors.RoundedCorners(radius: CGFloat(radius), unit: .pixels)
        return { processor.process(image)!.byteCount }
      })
  }
  for (kind, writer) in writers {
    rows.append(encodeRow("encode \(kind)", corpus, "2mp.png") { try! writer.encode($0).count })
  }
  for (subject, file) in [("", "2mp.png"), (" of graphics", "graphics.png")] {
    for (effort, level, _) in pngLevels {
      rows.append(
        encodeRow("encode PNG\(subject)\(effort)", corpus, file) {
          try! PNGWriter(compressionLevel: level).encode($0).count
        })
    }
  }
  return rows
}

private func decodeRow(
  _ name: String, _ corpus: Corpus, _ file: String, _ options: DecodeOptions = DecodeOptions()
) -> Row {
  Row(name: name) {
    let data = corpus.file(file)
    return { try! ImageReaders.reader(for: data).decode(options).byteCount }
  }
}

/// The number of bytes is the result.
private func encodeRow(
  _ name: String, _ corpus: Corpus, _ file: String, _ encode: @escaping @Sendable (Bitmap) -> Int
) -> Row {
  Row(name: name) {
    let image = corpus.bitmap(file)
    return { encode(image) }
  }
}

private func square(_ corpus: Corpus) -> Bitmap {
  ImageProcessors.Resize(size: CGSize(width: 512, height: 512), unit: .pixels, crop: true)
    .process(corpus.bitmap("2mp.png"))!
}

private let processors: [(String, any ImageProcessing)] = [
  ("Gaussian blur of 2", .gaussianBlur(radius: 2)), ("Gaussian blur of 8", .gaussianBlur(radius: 8)),
  ("Gaussian blur of 50", .gaussianBlur(radius: 50)), ("sepia", .coreImageFilter(name: "CISepiaTone")),
  (
    "four filters of color in one pass",
    ImageProcessors.Composition([
      .coreImageFilter(name: "CISepiaTone"), .coreImageFilter(name: "CIPhotoEffectFade"),
      .coreImageFilter(name: "CIVibrance", parameters: ["inputAmount": 0.5], identifier: "vivid"),
      .coreImageFilter(name: "CIVignette", parameters: ["inputIntensity": 0.5], identifier: "dim"),
    ])
  ),
]

/// The operations of the system's libraries, called from C.
func bareRows(_ corpus: Corpus) -> [Row] {
  var rows: [Row] = []
  for (picture, file) in thumbnailFiles {
    for denominator in [4, 8] {
      rows.append(bareDecode("decode of thumbnail \(picture), 1/\(denominator)", corpus, file, CInt(denominator)))
    }
  }
  for (kind, file) in decodeFiles { rows.append(bareDecode("decode \(kind)", corpus, file, 1)) }
  for radius in [8, 64, 256] {
    rows.append(
      Row(name: "rounded corners of \(radius), 512x512") {
        let image = square(corpus)
        return {
          image.withUnsafeBytes { pixels in
            free(loop_round_corners(pixels.bindMemory(to: UInt8.self).baseAddress!, 512, Double(radius)))
            return image.byteCount
          }
        }
      })
  }
  typealias Encode = @Sendable (UnsafePointer<UInt8>, CInt, CInt, inout Int) -> UnsafeMutablePointer<UInt8>?
  let encoders: [(String, Encode)] = [
    ("JPEG", { loop_jpeg_encode($0, $1, $2, 80, &$3) }),
    ("WebP", { loop_webp_encode($0, $1, $2, 80, &$3) }),
  ]
  func row(_ name: String, _ file: String, _ encode: @escaping Encode) -> Row {
    encodeRow(name, corpus, file) { image in
      image.withUnsafeBytes { pixels in
        var count = 0
        let base = pixels.bindMemory(to: UInt8.self).baseAddress!
        free(encode(base, CInt(image.pixelWidth), CInt(image.pixelHeight), &count))
        return count
      }
    }
  }
  for (kind, encode) in encoders { rows.append(row("encode \(kind)", "2mp.png", encode)) }
  for (subject, file) in [("", "2mp.png"), (" of graphics", "graphics.png")] {
    for (effort, _, level) in pngLevels {
      rows.append(
        row("encode PNG\(subject)\(effort)", file) { loop_png_encode($0, $1, $2, CInt(level), &$3) })
    }
  }
  return rows
}

private func bareDecode(_ name: String, _ corpus: Corpus, _ file: String, _ denominator: CInt) -> Row {
  Row(name: name) {
    let data = corpus.file(file)
    return {
      data.withUnsafeBytes { bytes in
        let base = bytes.bindMemory(to: UInt8.self).baseAddress!
        var (width, height): (CInt, CInt) = (0, 0)
        switch ImageFormat(sniffing: data) {
        case .jpeg: free(loop_jpeg_decode(base, bytes.count, denominator, &width, &height))
        case .png: free(loop_png_decode(base, bytes.count, &width, &height))
        case .avif: free(loop_avif_decode(base, bytes.count, &width, &height))
        default: free(loop_webp_decode(base, bytes.count, &width, &height))
        }
        return Int(width * height)
      }
    }
  }
}

private let thumbnailFiles = [
  ("12 MP", "12mp.jpg"), ("12 MP progressive", "12mp-progressive.jpg"), ("24 MP", "24mp.jpg"),
]

private let decodeFiles = [
  ("JPEG", "2mp.jpg"), ("JPEG progressive", "2mp-progressive.jpg"), ("PNG", "2mp.png"),
  ("PNG with alpha", "2mp-alpha.png"), ("PNG interlaced", "2mp-interlaced.png"), ("WebP", "2mp.webp"),
  ("AVIF", "2mp.avif"),
]

private let writers: [(String, any ImageWriter)] = [
  ("JPEG", JPEGWriter(quality: 0.8)), ("WebP", WebPWriter(quality: 0.8)),
]

/// Our levels, and zlib's fastest level, its default and its best. Level 8 is compared with the best, since level 9 takes
/// five times as long for 1 % fewer bytes.
private let pngLevels: [(effort: String, own: Int, zlib: Int)] = [(", fast", 1, 1), ("", 6, 6), (", small", 8, 9)]

/// Responds at once with the whole body.
private struct ConstantLoader: DataLoading {
  private final class Nothing: Cancellable { func cancel() {} }
  let data: Data

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    didReceiveData(
      data,
      URLResponse(
        url: request.url!, mimeType: "image/jpeg", expectedContentLength: data.count, textEncodingName: nil))
    completion(nil)
    return Nothing()
  }
}
