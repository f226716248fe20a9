#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite struct GeometryTests {
    /// The results of ImageMagick 6.9.11 (`convert -size SOURCE xc:red -resize GEOMETRY -format %wx%h info:`), except the
    /// three marked ones.
    private static let sizes: [(String, String, String)] = [
      ("1600x1200", "300x200", "267x200"), ("1600x1200", "200x300", "200x150"), ("40x30", "300x200", "267x200"),
      ("1600x1200", "300X200", "267x200"), ("1000x1", "300x200", "300x1"), ("1x1000", "300x200", "1x200"),
      ("333x500", "100x100", "67x100"), ("7x5", "3x3", "3x2"), ("640x480", "640x480", "640x480"),
      ("40x30", "300x200>", "40x30"), ("40x300", "300x200>", "27x200"), ("1600x1200", "300x200>", "267x200"),
      ("640x480", "640x480>", "640x480"), ("1600x1200", "300x", "300x225"), ("1600x1200", "x200", "267x200"),
      ("40x30", "300x", "300x225"), ("500x333", "100x", "100x67"), ("500x333", "x100", "150x100"),
      ("40x30", "300x>", "40x30"), ("40x30", "x200>", "40x30"), ("1600x1200", "300x>", "300x225"),
      ("1600x1200", "50%", "800x600"), ("41x31", "50%", "21x16"), ("41x30", "12.5%", "5x4"),
      ("40x30", "250%", "100x75"), ("101x67", "33.3%", "34x22"), ("640x480", "100%", "640x480"),
      ("1600x1200", "300x200^", "300x225"), ("1200x1600", "300x200^", "300x400"), ("40x30", "300x200^", "300x225"),
      ("333x500", "100x100^", "100x150"), ("40x30", "300x200^>", "40x30"), ("40x30", "300x200>^", "40x30"),
      ("400x30", "300x200^>", "400x30"), ("1600x1200", "300x200^>", "300x225"), ("1600x1200", "300x200!", "300x200"),
      ("40x30", "300x200!", "300x200"), ("640x480", "640x480!", "640x480"),
      // ImageMagick refuses a side of 0.1 pixels, and its policy on Debian the third one.
      ("3x3", "10%", "1x1"), ("3x3", "1%", "1x1"), ("2000x10", "30x20^", "4000x20"),
    ]

    @Test("An image gets the size that ImageMagick gives it", arguments: Self.sizes)
    func size(source: String, geometry: String, result: String) throws {
      let size = try #require(PixelSize(argument: source))
      let image = try #require(Bitmap(pixelWidth: size.width, pixelHeight: size.height) { _ in })
      let resized = try #require(try Geometry(parsing: geometry).processor().process(image))
      #expect("\(resized.pixelWidth)x\(resized.pixelHeight)" == result)
    }

    @Test(
      "A text that is not a geometry is rejected with the reason",
      arguments: [
        ("", "it is not a size, such as 300x200, 300x, x200 or 50%"), ("abc", "it is not a size"),
        ("wide", "it is not a size"), ("10y20", "it is not a size"), ("1x2x3", "it is not a size"),
        ("300 x200", "it is not a size"), ("300?", "it is not a size"), ("1.5", "it is not a size"),
        ("-5", "it is not a size"), ("0", "it is not a size"), ("70000", "it is not a size"),
        ("abc%", "it is not a size"), ("３00x200", "it is not a size"),
        ("300", "write 300x for a width, x300 for a height, or 300x300 for both"),
        ("300^", "write 300x for a width, x300 for a height, or 300x300 for both"),
        ("x", "it has neither a width nor a height"), ("x^", "it has neither a width nor a height"),
        ("0x200", "the width must be an integer from 1 to 65500"), ("300x0", "the height must be an integer"),
        ("-5x5", "the width must be an integer"), ("70000x1", "the width must be an integer"),
        ("1.5x2", "the width must be an integer"), ("999999999999999999999x1", "the width must be an integer"),
        ("100x100?", "\"?\" is unknown: the flags are ^, ! and >"), ("100x?", "\"?\" is unknown"),
        ("100x100cm", "\"c\" is unknown"), ("300x200<", "\"<\" is unknown"), ("300x200@", "\"@\" is unknown"),
        ("300x200+8+8", "\"+\" is unknown"), ("300x200>>", "a flag is specified twice"),
        ("300x200!>", "! cannot be combined with another flag"),
        ("300x200!^", "! cannot be combined with another flag"), ("300x^", "^ needs a width and a height"),
        ("x200!", "! needs a width and a height"), ("0%", "a percentage must be more than 0%"),
        ("-50%", "a percentage must be more than 0%"), ("%", "a percentage must be more than 0%"),
        ("10001%", "at most 10000%"), ("1.2.3%", "such as 50%"), ("50%x25%", "a percentage must be"),
        ("50%x", "a percentage must be"), ("50%>", "a percentage has no flags"), ("50%?", "a percentage has no flags"),
      ])
    func reject(text: String, reason: String) throws {
      let failure = #expect(throws: Geometry.Failure.self) { _ = try Geometry(parsing: text) }
      #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    }

    /// Loads an image with a processor as the first one.
    private func load(
      _ data: Data, _ processor: any ImageProcessing
    ) async throws -> (width: Int, height: Int, denominator: Int) {
      let pipeline = ImagePipeline { $0.imageCache = nil }
      let task = pipeline.imageTask(with: ImageRequest(id: "image", bytes: data, processors: [processor]))
      let image = try await task.response.image
      return (image.pixelWidth, image.pixelHeight, task.facts.scaleDenominator)
    }

    @Test(
      "A JPEG is decoded at a reduced size for every geometry",
      arguments: [
        ("160x120", 8), ("160x", 8), ("160x120^", 8), ("160x90!", 8), ("10%", 8), ("12.5%", 8), ("13%", 4), ("25%", 4),
        ("50%", 2), ("51%", 1), ("100%", 1), ("150%", 1),
      ])
    func reduction(geometry: String, denominator: Int) async throws {
      let processor = try Geometry(parsing: geometry).processor()
      #expect(try await load(Sample.data("lake.jpg"), processor).denominator == denominator)
      let composition = ImageProcessors.Composition([processor])
      let composed = try await load(Sample.data("lake.jpg"), composition)
      #expect(composed.denominator == denominator)
      let single = try await load(Sample.data("lake.jpg"), processor)
      #expect((composed.width, composed.height) == (single.width, single.height))
    }

    @Test("A percentage in linear light, or with nearest, uses every pixel of a JPEG")
    func wholeImage() async throws {
      let geometry = try Geometry(parsing: "25%")
      for processor in [geometry.processor(linearLight: true), geometry.processor(filter: .nearest)] {
        let image = try await load(Sample.data("lake.jpg"), processor)
        #expect((image.width, image.height) == (400, 300) && image.denominator == 1)
      }
    }

    /// The sides of the source, the percentage, the result and the reduction of formats that can be reduced. The
    /// results are the sides times the percentage, rounded half up. If the reduced sides were multiplied, most results
    /// would be a pixel larger.
    private static let reduced: [(Int, Int, Double, Int, Int, Int)] = [
      (257, 129, 50, 129, 65, 2), (257, 129, 25, 64, 32, 4), (257, 129, 12.5, 32, 16, 8), (249, 121, 25, 62, 30, 4),
      (241, 117, 33, 80, 39, 2), (1001, 3, 12.5, 125, 1, 8), (1001, 3, 1, 10, 1, 8),
    ]

    @Test("An image that is decoded at a reduced size gets the percentage of its own size", arguments: Self.reduced)
    func reducedSize(
      width: Int, height: Int, percent: Double, resultWidth: Int, resultHeight: Int, denominator: Int
    ) async throws {
      let bitmap = try #require(
        Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
          bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(0xFF30_A060).littleEndian)
        })
      let processor = try Geometry(parsing: "\(percent)%").processor()
      for format in [ImageFormat.jpeg, .webp, .png] {
        let data = try ImageWriters.writer(for: format, options: EncodeOptions(quality: 0.8)).encode(bitmap)
        let image = try await load(data, processor)
        #expect((image.width, image.height) == (resultWidth, resultHeight), "\(format)")
        #expect(image.denominator == (format == .png ? 1 : denominator), "\(format)")
      }
      // Turned by 90°, by the orientation in EXIF.
      let jpeg = try ImageWriters.writer(for: .jpeg, options: EncodeOptions(quality: 0.8)).encode(bitmap)
      let turned = try await load(Self.turned(jpeg), processor)
      #expect((turned.width, turned.height) == (resultHeight, resultWidth))
      #expect(turned.denominator == denominator)
    }

    /// Adds an APP1 segment with a TIFF directory that contains the orientation 6.
    private static func turned(_ jpeg: Data) -> Data {
      let tiff: [UInt8] = [
        0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
      ]
      let exif = Data("Exif\0\0".utf8) + tiff
      return jpeg.prefix(2) + Data([0xFF, 0xE1, 0, UInt8(exif.count + 2)]) + exif + jpeg.dropFirst(2)
    }

    @Test("An SVG is drawn at the percentage of its size", .enabled(if: ImageFormat.svg.isReadable))
    func vector() async throws {
      let svg = Data(
        #"<svg xmlns="http://www.w3.org/2000/svg" width="21" height="10"><rect width="21" height="10"/></svg>"#.utf8)
      for (geometry, width, height) in [("50%", 11, 5), ("300%", 63, 30)] {
        let image = try await load(svg, try Geometry(parsing: geometry).processor())
        #expect((image.width, image.height) == (width, height))
      }
    }
  }
#endif
