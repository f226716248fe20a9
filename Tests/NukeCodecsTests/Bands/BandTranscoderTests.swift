import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Transcoding in bands")
struct BandTranscoderTests {
  private struct Full: Error {}

  private static let fixtures = [
    "JPEG/s420.jpg", "JPEG/gray.jpg", "JPEG/cmyk.jpg", "JPEG/profile-wide.jpg", "JPEG/restart.jpg", "PNG/rgb8.png",
    "PNG/rgba8.png", "PNG/gray8.png", "PNG/grayalpha8.png", "PNG/rgba16.png", "PNG/rgb8-trns.png",
    "PNG/iccp-wide-alpha.png", "PNG/iccp-rgb-on-gray.png", "PNG/gama-rgba16.png",
  ]

  private static let writers: [any ImageWriter] = [
    JPEGWriter(quality: 0.9), JPEGWriter(quality: 0.7, subsampling: .yuv444), PNGWriter(compressionLevel: 0),
    PNGWriter(compressionLevel: 1), PNGWriter(compressionLevel: 6), PNGWriter(compressionLevel: 9),
  ]

  /// Writers that do not need the whole image, also for small images.
  private func streaming(_ writer: any ImageWriter) -> any ImageWriter {
    guard var jpeg = writer as? JPEGWriter else { return writer }
    jpeg.optimizesHuffmanTables = false
    return jpeg
  }

  private func geometry(_ width: Int, _ height: Int, to outputWidth: Int, _ outputHeight: Int) -> ResizeGeometry {
    ResizeGeometry(
      sourceWidth: width, sourceHeight: height,
      region: .init(x: 0, y: 0, width: Double(width), height: Double(height)), outputWidth: outputWidth,
      outputHeight: outputHeight)
  }

  private func run(_ transcoder: BandTranscoder) throws -> Data {
    var file = Data()
    try transcoder.run { file.append(contentsOf: $0) }
    return file
  }

  @Test("A JPEG has the bytes, and a PNG the pixels, of transcoding the whole image", arguments: fixtures)
  func equalsWholeImage(name: String) throws {
    let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file(name)))
    let (width, height) = (reader.header.storedWidth, reader.header.storedHeight)
    let image = try reader.decode(.init(orientation: .up))
    for size in [(width, height), (width / 2 + 1, height / 3 + 1), (width * 2 - 1, height + 3), (1, 1)] {
      let geometry = geometry(width, height, to: size.0, size.1)
      let sampling = try #require(RowSampling(sourceWidth: width, sourceHeight: height, geometry: geometry))
      let expected = try #require(image.resized(geometry))
      for writer in Self.writers.map(streaming) {
        let transcoder = try #require(BandTranscoder(reader, sampling: sampling, writer: writer))
        let file = try run(transcoder)
        if writer is JPEGWriter {
          #expect(try file == writer.encode(expected), "\(size)")
        } else {
          #expect(
            try ImageReaders.reader(for: file).decode(.init()).pixelBytes
              == ImageReaders.reader(for: writer.encode(expected)).decode(.init()).pixelBytes, "\(size) \(writer)")
        }
      }
    }
  }

  @Test(
    "libpng and Pillow read PNG files of several bands", .enabled(if: PillowReader.isInstalled),
    arguments: [0, 2, 6], [true, false])
  func severalBands(level: Int, isNoise: Bool) throws {
    let image =
      isNoise
      ? try randomImage(width: 1_021, height: 1_300, isOpaque: false) : try Bitmap.waves(1_021, 1_300, opaque: false)
    let source = try PNGWriter(compressionLevel: 1).encode(image)
    let reader = try ImageReaders.reader(for: source)
    let sampling = try #require(RowSampling(sourceWidth: 1_021, sourceHeight: 1_300))
    let transcoder = try #require(
      BandTranscoder(reader, sampling: sampling, writer: PNGWriter(compressionLevel: level)))
    let file = try run(transcoder)
    #expect(try PNGReader(data: file, limits: .init()).decode(.init()).pixelBytes == image.pixelBytes)
    let frames = try PillowReader.read(file).frames
    #expect(try premultipliedByDefinition(#require(frames.first)) == image.pixelBytes)
  }

  @Test("The file is written while the source is decoded", arguments: [true, false])
  func isStreamed(isJPEG: Bool) throws {
    let image = try randomImage(width: 1_500, height: 2_000, isOpaque: true)
    let source = try PNGWriter(compressionLevel: 1).encode(image)
    // Half of the source is sufficient for half of the file, and the error comes afterwards.
    let reader = try ImageReaders.reader(for: source.prefix(source.count / 2))
    let sampling = try #require(RowSampling(sourceWidth: 1_500, sourceHeight: 2_000))
    let writer: any ImageWriter = isJPEG ? JPEGWriter() : PNGWriter(compressionLevel: 1)
    let transcoder = try #require(BandTranscoder(reader, sampling: sampling, writer: writer))
    var written = 0
    #expect(throws: CodecError.truncated(.png, byteCount: source.count / 2)) {
      try transcoder.run { written += $0.count }
    }
    #expect(written > (try writer.encode(image)).count / 3)
  }

  @Test("The metadata is that of the whole image")
  func metadata() throws {
    let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file("JPEG/camera-II.jpg")))
    var options = EncodeOptions()
    (options.metadata, options.keptMetadata, options.effort) = (reader.metadata, .all, 0)
    let sampling = try #require(
      RowSampling(sourceWidth: reader.header.storedWidth, sourceHeight: reader.header.storedHeight))
    let image = try reader.decode(.init(orientation: .up))
    for format in [ImageFormat.jpeg, .png] {
      let writer = try ImageWriters.writer(for: format, options: options)
      let transcoder = try #require(BandTranscoder(reader, sampling: sampling, writer: writer))
      let written = try ImageReaders.reader(for: run(transcoder)).metadata
      let expected = try ImageReaders.reader(for: writer.encode(image)).metadata
      #expect(written.exif == expected.exif && written.xmp == expected.xmp)
      #expect(written.exif != nil)
    }
  }

  @Test("An error while the file is written stops the transcoder and is passed on", arguments: [true, false])
  func outputError(isJPEG: Bool) throws {
    let source = try JPEGWriter(quality: 0.95).encode(randomImage(width: 1_500, height: 900, isOpaque: true))
    let writer: any ImageWriter = isJPEG ? JPEGWriter() : PNGWriter(compressionLevel: 1)
    let sampling = try #require(RowSampling(sourceWidth: 1_500, sourceHeight: 900))
    let transcoder = try #require(
      BandTranscoder(ImageReaders.reader(for: source), sampling: sampling, writer: writer))
    var calls = 0
    #expect(throws: Full.self) {
      try transcoder.run { _ in
        calls += 1
        if calls == 2 { throw Full() }
      }
    }
    #expect(calls == 2)
  }

  @Test("Options that need the whole image are left to other code")
  func wholeImages() throws {
    let photo = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file("JPEG/s420.jpg")))
    let palette = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file("PNG/indexed8.png")))
    let bits = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file("PNG/gray1.png")))
    func transcodes(_ reader: any ImageReader, _ writer: any ImageWriter) throws -> Bool {
      let sampling = try #require(
        RowSampling(sourceWidth: reader.header.storedWidth, sourceHeight: reader.header.storedHeight))
      return BandTranscoder(reader, sampling: sampling, writer: writer) != nil
    }
    var optimized = JPEGWriter()
    optimized.optimizesHuffmanTables = true
    for writer: any ImageWriter in [
      optimized, JPEGWriter(isProgressive: true), PNGWriter(maximumColorCount: 16), WebPWriter(), GIFWriter(),
    ] {
      #expect(try !transcodes(photo, writer), "\(writer)")
    }
    #expect(try !transcodes(palette, PNGWriter()))
    #expect(try !transcodes(bits, PNGWriter()))
    #expect(try transcodes(palette, streaming(JPEGWriter())))
  }

  @Test("A source of 100 megapixels needs less than 64 MB, in every combination of formats")
  func memory() throws {
    let header = PNGHeader(width: 12_000, height: 8_333)
    let readers = [try header.reader(colorType: 6, depth: 8), try header.reader(colorType: 2, depth: 16)]
    for reader in readers {
      for (width, height) in [(12_000, 8_333), (6_000, 4_167), (400, 278), (16_000, 11_111)] {
        let sampling = try #require(
          RowSampling(
            sourceWidth: 12_000, sourceHeight: 8_333, geometry: geometry(12_000, 8_333, to: width, height)))
        for writer: any ImageWriter in [JPEGWriter(), PNGWriter()] {
          guard let transcoder = BandTranscoder(reader, sampling: sampling, writer: writer) else {
            // Optimized tables of a small JPEG.
            #expect(width == 400)
            continue
          }
          #expect(transcoder.byteCount < 64 << 20, "\(width)x\(height) \(writer)")
        }
      }
    }
  }
}

/// A PNG of any size without its pixels.
private struct PNGHeader {
  let width: UInt32
  let height: UInt32

  func reader(colorType: UInt8, depth: UInt8) throws -> any ImageReader {
    var builder = PNGBuilder()
    builder.addHeader(width: width, height: height, depth: depth, colorType: colorType)
    builder.add("IDAT", Data([0x78]))
    return try ImageReaders.reader(for: builder.data)
  }
}
