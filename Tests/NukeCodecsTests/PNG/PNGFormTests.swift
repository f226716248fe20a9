import CNukeCodecs
import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// An image that a PNG can store in fewer bits than RGBA takes, and the form it should have.
struct PNGForm: Sendable, CustomTestStringConvertible {
  let name: String
  /// By PNG's numbers: 0 gray, 2 RGB, 3 indexed, 4 gray and alpha, 6 RGBA.
  let colorType: UInt8
  let bitDepth: UInt8
  /// Straight RGBA by the number of the pixel.
  let pixel: @Sendable (Int) -> [UInt8]

  var testDescription: String { name }

  private static func gray(_ value: Int, _ alpha: Int = 255) -> [UInt8] {
    [UInt8(value), UInt8(value), UInt8(value), UInt8(alpha)]
  }

  /// One of `count` colors, in an order without a pattern.
  private static func color(_ index: Int, of count: Int) -> [UInt8] {
    let number = index * 7919 % 10_007 % count
    return [UInt8(number % 256), UInt8(number * 31 % 256), UInt8(number / 256), 255]
  }

  static let all = [
    PNGForm(name: "black and white", colorType: 0, bitDepth: 1) { gray($0 % 7 < 3 ? 255 : 0) },
    PNGForm(name: "white", colorType: 0, bitDepth: 1) { _ in gray(255) },
    PNGForm(name: "4 grays", colorType: 0, bitDepth: 2) { gray($0 % 4 * 85) },
    PNGForm(name: "16 grays", colorType: 0, bitDepth: 4) { gray($0 % 16 * 17) },
    PNGForm(name: "256 grays", colorType: 0, bitDepth: 8) { gray($0 * 3 % 256) },
    PNGForm(name: "5 grays between", colorType: 3, bitDepth: 4) { gray(100 + $0 % 5) },
    PNGForm(name: "gray and alpha", colorType: 4, bitDepth: 8) { gray($0 * 3 % 256, 255 - $0 % 250) },
    PNGForm(name: "2 colors", colorType: 3, bitDepth: 1) { color($0, of: 2) },
    PNGForm(name: "3 colors", colorType: 3, bitDepth: 2) { color($0, of: 3) },
    PNGForm(name: "16 colors", colorType: 3, bitDepth: 4) { color($0, of: 16) },
    PNGForm(name: "17 colors", colorType: 3, bitDepth: 8) { color($0, of: 17) },
    PNGForm(name: "256 colors", colorType: 3, bitDepth: 8) { color($0, of: 256) },
    PNGForm(name: "257 colors", colorType: 2, bitDepth: 8) { color($0, of: 257) },
    PNGForm(name: "transparent and 2 colors", colorType: 3, bitDepth: 2) {
      $0 % 5 == 0 ? [0, 0, 0, 0] : color($0, of: 2)
    },
    PNGForm(name: "a color under 40 alphas", colorType: 3, bitDepth: 8) { [255, 0, 51, UInt8(255 - $0 % 40 * 5)] },
    PNGForm(name: "all transparent", colorType: 3, bitDepth: 1) { _ in [0, 0, 0, 0] },
    PNGForm(name: "257 colors and one alpha", colorType: 6, bitDepth: 8) {
      $0 == 1 ? [0, 255, 0, 51] : color($0, of: 257)
    },
  ]

  func image(width: Int, height: Int) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height) { bytes in
        bytes.copyBytes(from: premultipliedByDefinition((0..<width * height).flatMap(pixel)))
      })
  }
}

/// The pixels that libpng reads, premultiplied.
func readByLibpng(_ data: Data) throws -> [UInt8] {
  let fields = [UInt8](data[16..<24]).map(UInt32.init)
  let width = fields[0] << 24 | fields[1] << 16 | fields[2] << 8 | fields[3]
  let height = fields[4] << 24 | fields[5] << 16 | fields[6] << 8 | fields[7]
  var pixels = [UInt8](repeating: 0xEE, count: Int(width) * Int(height) * 4)
  let result = [UInt8](data).withUnsafeBufferPointer { bytes in
    pixels.withUnsafeMutableBufferPointer {
      nuke_png_decode_by_libpng(bytes.baseAddress, bytes.count, width, height, $0.baseAddress, nil, nil)
    }
  }
  try #require(result.status == NUKE_PNG_OK)
  return premultipliedByDefinition(pixels)
}

/// The content of all chunks of a type, one after another.
func pngChunks(_ type: String, of data: Data) -> [Data] {
  var found: [Data] = []
  var rest = data.dropFirst(8)
  while rest.count >= 12 {
    let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    if rest.dropFirst(4).prefix(4) == Data(type.utf8) { found.append(Data(rest.dropFirst(8).prefix(count))) }
    rest = rest.dropFirst(count + 12)
  }
  return found
}

@Suite("The pixel formats of PNG")
struct PNGFormTests {
  @Test("An image is stored in the smallest format that contains it exactly", arguments: PNGForm.all)
  func form(_ form: PNGForm) throws {
    let image = try form.image(width: 123, height: 67)
    let data = try PNGWriter().encode(image)
    #expect(data[24] == form.bitDepth)
    #expect(data[25] == form.colorType)
    #expect(try readByLibpng(data) == image.pixelBytes)
    #expect(try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions()).pixelBytes == image.pixelBytes)
    #expect(try PNGWriter().encode(image) == data)
  }

  @Test("Every format is read back at every level", arguments: PNGForm.all)
  func levels(_ form: PNGForm) throws {
    let image = try form.image(width: 61, height: 47)
    for level in 0...9 {
      #expect(try readByLibpng(PNGWriter(compressionLevel: level).encode(image)) == image.pixelBytes)
    }
  }

  @Test("Single rows and columns of every format are read back", arguments: PNGForm.all)
  func lines(_ form: PNGForm) throws {
    for length in [1, 2, 3, 7, 8, 9, 31, 1000] {
      for (width, height) in [(length, 1), (1, length)] {
        let image = try form.image(width: width, height: height)
        #expect(try readByLibpng(PNGWriter().encode(image)) == image.pixelBytes, "\(width)x\(height)")
      }
    }
  }

  @Test(
    "ImageMagick reads every form", .enabled(if: ImageMagick.isInstalled), arguments: PNGForm.all)
  func interchange(_ form: PNGForm) throws {
    let image = try form.image(width: 61, height: 47)
    let pixels = try ImageMagick.straightRGBA(PNGWriter().encode(image), fileExtension: "png")
    #expect(premultipliedByDefinition(pixels) == image.pixelBytes)
  }

  @Test("Colors that are not opaque come first in the palette, and only they have an alpha")
  func transparency() throws {
    let form = try #require(PNGForm.all.first { $0.name == "transparent and 2 colors" })
    let data = try PNGWriter().encode(form.image(width: 90, height: 90))
    #expect(pngChunks("tRNS", of: data) == [Data([0])])
    #expect(pngChunks("PLTE", of: data).first?.count == 9)
    #expect(pngChunks("sRGB", of: data) == [Data([0])])
  }

  @Test("A palette that needs more bytes than it saves is not written")
  func smallImages() throws {
    let form = try #require(PNGForm.all.first { $0.name == "256 colors" })
    #expect(try PNGWriter().encode(form.image(width: 5, height: 4))[25] == 2)
  }
}
