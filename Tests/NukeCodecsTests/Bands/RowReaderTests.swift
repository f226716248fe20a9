import CNukeJPEGSamples
import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Decoding in bands")
struct RowReaderTests {
  /// Files of all kinds, by their names.
  private static let files: [URL] = ["JPEG", "PNG", "Color", "APNG"].flatMap { folder in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.file(folder).path)) ?? []
    return names.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }.sorted()
      .map { Fixtures.file("\(folder)/\($0)") }
  }

  @Test("Rows and opacity equal those of the whole image, for every kind of file at every scale")
  func equalsWholeImage() throws {
    var (decoded, left) = (0, 0)
    for file in Self.files {
      let name = file.lastPathComponent
      let reader = try #require(ImageReaders.reader(for: Data(contentsOf: file)) as? any RowReader)
      for scale in reader.scaleDenominators {
        guard reader.decodesRows else {
          left += 1
          continue
        }
        let options = DecodeOptions(scaleDenominator: scale, orientation: .up)
        let sink = CollectingSink(width: (reader.header.storedWidth + scale - 1) / scale)
        let isOpaque = try reader.decodeRows(options, to: sink)
        let whole = try reader.decode(options)
        try #require(sink.bytes == whole.pixelBytes, "\(name) at 1/\(scale)")
        #expect(isOpaque == whole.isOpaque, "\(name)")
        #expect(!reader.rowContents.isOpaque || whole.isOpaque, "\(name)")
        #expect(!reader.rowContents.isGray || whole.isGray, "\(name)")
        decoded += 1
      }
    }
    #expect(decoded > 150 && left > 20)
  }

  @Test("Interlaced PNG and JPEG with several scans are not decoded in bands")
  func wholeImages() throws {
    for name in ["JPEG/s420-progressive.jpg", "JPEG/three-scans.jpg", "PNG/rgb8-interlaced.png"] {
      let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file(name)))
      let size = (reader.header.storedWidth, reader.header.storedHeight)
      let sampling = try #require(RowSampling(sourceWidth: size.0, sourceHeight: size.1))
      #expect(try reader.decodeInBands(.init(orientation: .up), sampling) == nil, "\(name)")
    }
  }

  @Test("Our JPEG decoder and libjpeg report the same rows, at every scale")
  func decoders() throws {
    var random = SplitMix64(state: 11)
    for _ in 0..<40 {
      let draw = JPEGDraw(isProgressive: false, &random)
      let reader = try JPEGReader(data: draw.data)
      for scale in reader.scaleDenominators {
        let options = DecodeOptions(scaleDenominator: scale, orientation: .up)
        let whole = try reader.decode(options)
        for decoder in [JPEGReader.Decoder.own, .libjpeg] {
          let sink = CollectingSink(width: whole.pixelWidth)
          _ = try reader.decodeRows(options, by: decoder, to: sink)
          try #require(sink.bytes == whole.pixelBytes, "\(draw) at 1/\(scale)")
        }
      }
    }
  }

  @Test("Damaged and truncated files cause the errors of decoding the whole image, and no row is delivered twice")
  func damaged() throws {
    var random = SplitMix64(state: 12)
    var errors = 0
    var files = (0..<60).map { _ in JPEGDraw(isProgressive: false, &random).damaged(&random) }
    for image in [try Bitmap.waves(67, 301, opaque: true), try .waves(67, 301, opaque: false)] {
      let file = try PNGWriter(compressionLevel: 3).encode(image)
      files += stride(from: 60, to: file.count, by: file.count / 25).map { file.prefix($0) }
      for _ in 0..<30 {
        var damaged = file
        damaged[Int.random(in: 40..<file.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        files.append(damaged)
      }
    }
    let limits = CodecLimits(maximumPixelCount: 1 << 20, maximumSide: 4096)
    for file in files {
      // A copy of its own, so that a sanitizer detects reads past the end.
      let data = Data(Array(file))
      guard let reader = try? ImageReaders.reader(for: data, limits: limits) as? any RowReader, reader.decodesRows
      else { continue }
      let options = DecodeOptions(orientation: .up)
      let sink = CollectingSink(width: reader.header.storedWidth)
      let whole = Result { () throws(CodecError) in try reader.decode(options).pixelBytes }
      let rows = Result { () throws(CodecError) in
        _ = try reader.decodeRows(options, to: sink)
        return sink.bytes
      }
      try #require(rows == whole)
      #expect(sink.bytes.count <= reader.header.storedWidth * reader.header.storedHeight * 4)
      if case .failure = rows { errors += 1 }
    }
    #expect(errors > 40)
  }

  @Test("A band has few rows, and decoding stops when the sink throws", arguments: [true, false])
  func bands(isJPEG: Bool) throws {
    let image = try Bitmap.waves(2_000, 400, opaque: true)
    let data = try isJPEG ? JPEGWriter().encode(image) : PNGWriter(compressionLevel: 1).encode(image)
    let reader = try #require(ImageReaders.reader(for: data) as? any RowReader)
    let sink = CollectingSink(width: 2_000)
    sink.rowLimit = 100
    #expect(throws: CodecError.encodingFailed(.gif, reason: "enough")) {
      try reader.decodeRows(.init(orientation: .up), to: sink)
    }
    #expect((100..<140).contains(sink.rowCount))
    #expect(sink.largestBand <= 32)
  }

  @Test("Decoding is canceled between bands", arguments: [true, false])
  func cancellation(isJPEG: Bool) throws {
    let image = try Bitmap.waves(2_000, 400, opaque: true)
    let data = try isJPEG ? JPEGWriter().encode(image) : PNGWriter(compressionLevel: 1).encode(image)
    let reader = try #require(ImageReaders.reader(for: data) as? any RowReader)
    let sink = CollectingSink(width: 2_000)
    let calls = CallCounter()
    let options = DecodeOptions(orientation: .up) { calls.next() > 5 }
    #expect(throws: CodecError.cancelled(isJPEG ? .jpeg : .png)) { try reader.decodeRows(options, to: sink) }
    #expect(sink.rowCount > 0 && sink.rowCount < 200)
  }

  @Test("An image is cropped and resized while it is decoded", arguments: ["PNG/rgba8.png", "JPEG/s420.jpg"])
  func sampling(name: String) throws {
    let reader = try ImageReaders.reader(for: Data(contentsOf: Fixtures.file(name)))
    let whole = try reader.decode(.init(orientation: .up))
    let geometry = try #require(
      try ResizeGeometry(
        sourceWidth: whole.pixelWidth, sourceHeight: whole.pixelHeight, target: CGSize(width: 17, height: 9),
        contentMode: .fill))
    let sampling = try #require(
      RowSampling(sourceWidth: whole.pixelWidth, sourceHeight: whole.pixelHeight, geometry: geometry))
    let image = try #require(try reader.decodeInBands(.init(orientation: .up), sampling))
    let expected = try #require(whole.resized(geometry))
    #expect(image.pixelBytes == expected.pixelBytes)
    #expect(image.isOpaque == expected.isOpaque)
  }
}

/// Collects the rows that it receives.
final class CollectingSink: RowSink {
  private let width: Int
  private(set) var bytes: [UInt8] = []
  private(set) var largestBand = 0
  var rowLimit = Int.max
  var rowCount: Int { bytes.count / (width * 4) }

  init(width: Int) { self.width = width }

  func write(_ rows: UnsafePointer<UInt8>, count: Int) throws(CodecError) {
    bytes += UnsafeBufferPointer(start: rows, count: count * width * 4)
    largestBand = max(largestBand, count)
    if rowCount >= rowLimit { throw .encodingFailed(.gif, reason: "enough") }
  }
}

extension Bitmap {
  fileprivate var isGray: Bool {
    let bytes = pixelBytes
    return stride(from: 0, to: bytes.count, by: 4).allSatisfy { index in
      let (red, green, blue) = (bytes[index], bytes[index + 1], bytes[index + 2])
      return red == green && red == blue
    }
  }
}
