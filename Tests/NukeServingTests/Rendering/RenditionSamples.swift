import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

/// Renders files as the server does, without a server.
enum Rendering {
  static let source = URL(string: "local:///image")!

  static func render(
    _ data: Data, with renderer: Renderer = Renderer(), as format: ImageFormat? = nil,
    in pipeline: ImagePipeline = .rendering, _ ask: (inout ImageOptions) -> Void = { _ in }
  ) async throws(ServingError) -> RenderedFile {
    let request = RenditionRequest(source: source, options: ImageOptions(ask), format: format)
    return try await renderer.render(try renderer.plan(for: request, source: data), in: pipeline)
  }

  static func image(_ file: RenderedFile) throws -> Bitmap {
    let reader = try ImageReaders.reader(for: file.data)
    #expect(file.contentType == reader.header.format.mediaType)
    return try reader.decode(DecodeOptions())
  }

  static func encoded(_ image: Bitmap, as format: ImageFormat) throws -> Data {
    try ImageWriters.writer(for: format, options: EncodeOptions(isLossless: true)).encode(image)
  }
}

extension Bitmap {
  /// An image whose pixel at a place is that of `color`, straight.
  static func painted(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> Color) -> Bitmap {
    let colors = (0..<height).flatMap { y in (0..<width).map { x in color(x, y) } }
    return Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: colors.allSatisfy { $0.alpha == 1 }) { bytes in
      for (place, color) in colors.enumerated() {
        let (red, green, blue, alpha) = color.premultipliedRGBA8
        for (channel, value) in [red, green, blue, alpha].enumerated() { bytes[place * 4 + channel] = value }
      }
    } ?? Bitmap()
  }

  static func even(_ color: Color, _ width: Int, _ height: Int) -> Bitmap { painted(width, height) { _, _ in color } }

  var pixelBytes: [UInt8] { withUnsafeBytes(Array.init) }
  var distinctColorCount: Int { withUnsafeBytes { Set($0.bindMemory(to: UInt32.self)).count } }

  /// Premultiplied red, green, blue and alpha.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    withUnsafeBytes { Array($0[(y * pixelWidth + x) * 4..<(y * pixelWidth + x) * 4 + 4]) }
  }

  var size: [Int] { [pixelWidth, pixelHeight] }
}

extension ImageOptions {
  init(_ ask: (inout ImageOptions) -> Void) {
    self.init()
    ask(&self)
  }
}

extension ImagePipeline {
  /// A pipeline that loads nothing and keeps nothing.
  static var rendering: ImagePipeline { .fake(imageCache: nil) }
}
