import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("URLs that imgproxy answers, too")
struct ImgproxyTests {
  /// How our answer differs.
  private enum Difference {
    /// imgproxy rejects the URL.
    case accepted
    case status(Int)
    case format(ImageFormat, Int, Int)
  }

  /// The differences that "Coming from imgproxy" lists with their reasons.
  private static let differences: [String: Difference] = [
    "SVG:  of drawing": .format(.png, 200, 100), "SVG: w:400 of drawing": .format(.png, 400, 200),
    "format: ex:1 of bitmap": .format(.jpeg, 300, 200),
    "format: rs:fit:300:300/exar:1 of bitmap": .format(.png, 300, 300),
    "handling: raw:1 of landscape@xyz": .status(404), "handling: raw:1 of text": .status(422),
    "background: bg::: of alpha": .accepted, "crop: c::100 of landscape": .accepted,
    "format:  of landscape@PNG": .accepted, "format: f: of landscape": .accepted,
    "format: f:PNG of landscape": .accepted, "gravity: g: of landscape": .accepted,
    "invalid arguments: w: of landscape": .accepted,
    "min-width, min-height: min_width:100 of landscape": .accepted, "quality and metadata: q: of landscape": .accepted,
    "syntax: c:100:100: of landscape": .accepted, "syntax: rs%3afill%3a100%3a50 of landscape": .accepted,
    "syntax: rs:fill:100:50:0:0: of landscape": .accepted, "syntax: w:100//h:50 of landscape": .accepted,
  ]

  @Test("Each listed difference is that of a row")
  func listedDifferences() {
    let names = ImgproxyTable.rows.map { Self.name($0) }
    #expect(Set(names).count == names.count)
    #expect(Set(Self.differences.keys).subtracting(names) == [])
    #expect(names.count > 400)
  }

  private static func name(_ row: ImgproxyRow) -> String {
    "\(row.group): \(row.options) of \(row.source.rawValue)\(row.suffix)\(row.accept.map { " for \($0)" } ?? "")"
  }

  @Test("Status, size, format and pixels are those of imgproxy", arguments: ImgproxyTable.rows.map(\.group).unique)
  func rows(group: String) async throws {
    for var row in ImgproxyTable.rows where row.group == group {
      let name = Self.name(row)
      switch Self.differences[name] {
      case nil: break
      case .accepted: row.status = 200
      case .status(let status): row.status = status
      case .format(let format, let width, let height): (row.format, row.width, row.height) = (format, width, height)
      }
      do throws(ServingError) {
        let file = try await render(row)
        guard row.status == 200 else {
          Issue.record("\(name) is answered with 200 instead of \(row.status)")
          continue
        }
        try check(file, row, name)
      } catch {
        // imgproxy says 404 for URLs that it cannot read.
        let status = error.status == 400 ? 404 : error.status
        #expect(status == row.status, "\(name): \(error)")
      }
    }
  }

  private func render(_ row: ImgproxyRow) async throws(ServingError) -> RenderedFile {
    let options = row.options.isEmpty ? "" : row.options + "/"
    let url = try ImageURL(path: "/unsafe/\(options)plain/local:///\(row.source.rawValue)\(row.suffix)")
    let parsed = try url.imageOptions(now: 1_700_000_000)
    guard let data = ImgproxySource.files[row.source] else { throw .sourceNotFound(row.source.rawValue) }
    var settings = AnswerSettings()
    settings.offeredFormats = []
    var head = RequestHead(.get)
    if let accept = row.accept { head.append(.accept, accept) }
    let negotiated = ResponseRules(settings).negotiate(
      RenditionRequest(source: URL(string: url.source)!, options: parsed), hasDPR: true, isSigned: false, head)
    let renderer = Renderer()
    return try await renderer.render(try renderer.plan(for: negotiated.request, source: data), in: .rendering)
  }

  private func check(_ file: RenderedFile, _ row: ImgproxyRow, _ name: String) throws(ServingError) {
    let reader: any ImageReader
    let image: Bitmap
    do {
      reader = try ImageReaders.reader(for: file.data)
      image = try reader.decode(DecodeOptions())
    } catch {
      throw ServingError(loading: error)
    }
    if let format = row.format { #expect(reader.header.format == format, "\(name)") }
    if let width = row.width { #expect(image.pixelWidth == width, "the width of \(name)") }
    if let height = row.height { #expect(image.pixelHeight == height, "the height of \(name)") }
    for pixel in row.pixels where pixel.x < image.pixelWidth && pixel.y < image.pixelHeight {
      #expect(
        Array(image.pixel(pixel.x, pixel.y).prefix(3)) == [pixel.red, pixel.green, pixel.blue].map { UInt8($0) },
        "the pixel (\(pixel.x), \(pixel.y)) of \(name)")
    }
  }
}

extension ImgproxySource {
  fileprivate static let files: [ImgproxySource: Data] = {
    var files: [ImgproxySource: Data] = [:]
    for source in allCases { files[source] = try? source.data }
    return files
  }()

  /// The file; `nil` if there is none.
  private var data: Data? {
    get throws {
      switch self {
      case .landscape: SampleImage.jpeg(width: 800, height: 600)
      case .portrait: SampleImage.jpeg(width: 600, height: 800)
      case .square: SampleImage.jpeg(width: 500, height: 500)
      case .wide: SampleImage.jpeg(width: 1000, height: 250)
      case .tiny: SampleImage.jpeg(width: 50, height: 40)
      case .odd: SampleImage.jpeg(width: 333, height: 251)
      case .rotated: Self.turned(SampleImage.jpeg(width: 600, height: 400))
      case .alpha: SampleImage.png(width: 400, height: 300, isOpaque: false)
      case .grid: try Rendering.encoded(Self.coordinates, as: .png)
      case .bordered:
        try Rendering.encoded(
          .painted(400, 300) { x, y in (60..<260).contains(x) && (120..<200).contains(y) ? .red : .white }, as: .png)
      case .animated: try GIFWriter().encode(Self.animation)
      case .animatedWebP: try WebPWriter(quality: 1, isLossless: true).encode(Self.animation)
      case .drawing: Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"/>"#.utf8)
      case .bitmap: try Rendering.encoded(SampleImage.bitmap(width: 300, height: 200), as: .bmp)
      case .text: Data("hello".utf8)
      case .missing: nil
      }
    }
  }

  private static var animation: Animation {
    get throws {
      try #require(
        Animation(
          frames: [Color.red, .green, .blue, .white, .black].map { .even($0, 120, 80) },
          delays: [Double](repeating: 0.1, count: 5)))
    }
  }

  private static var coordinates: Bitmap {
    Bitmap(pixelWidth: 200, pixelHeight: 100, isOpaque: true) { pixels in
      for index in pixels.indices {
        let (x, y) = (index / 4 % 200, index / 800)
        pixels[index] = [UInt8(x), UInt8(y), 0, 255][index % 4]
      }
    }!
  }

  /// Returns a JPEG file with an EXIF orientation of 6.
  private static func turned(_ file: Data) -> Data {
    let exif: [UInt8] = [
      0xFF, 0xE1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0,
      1, 0, 6, 0, 0, 0, 0, 0, 0,
    ]
    return file.prefix(2) + exif + file.dropFirst(2)
  }
}

extension Sequence<String> {
  fileprivate var unique: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
