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
        ("", "use WIDTHxHEIGHT, WIDTHx, xHEIGHT or PERCENT%, such as 300x200"),
        ("wide", "\"w\" is unknown: the flags are ^, ! and >"),
        ("300", "write 300x for a width, x300 for a height, or 300x300 for both"),
        ("300^", "write 300x for a width, x300 for a height, or 300x300 for both"),
        ("x", "it has neither a width nor a height"), ("1x2x3", "use WIDTHxHEIGHT, WIDTHx, xHEIGHT or PERCENT%"),
        ("0x200", "the width must be an integer from 1 to 65500"), ("300x0", "the height must be an integer"),
        ("-5x5", "the width must be an integer"), ("70000x1", "the width must be an integer"),
        ("1.5x2", "the width must be an integer"), ("999999999999999999999x1", "the width must be an integer"),
        ("300x200<", "\"<\" is unknown"), ("300x200@", "\"@\" is unknown"), ("300x200+8+8", "\"+\" is unknown"),
        ("300x200>>", "a flag is specified twice"), ("300x200!>", "! cannot be combined with another flag"),
        ("300x200!^", "! cannot be combined with another flag"), ("300x^", "^ needs a width and a height"),
        ("x200!", "! needs a width and a height"), ("0%", "a percentage must be more than 0%"),
        ("-50%", "a percentage must be more than 0%"), ("%", "a percentage must be more than 0%"),
        ("10001%", "at most 10000%"), ("1.2.3%", "such as 50%"), ("50%x25%", "a percentage must be"),
        ("50%x", "a percentage must be"), ("50%>", "a percentage has no flags"), ("300 x200", "\" \" is unknown"),
        ("３00x200", "\"３\" is unknown"),
      ])
    func reject(text: String, reason: String) throws {
      let failure = #expect(throws: Geometry.Failure.self) { _ = try Geometry(parsing: text) }
      #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    }

    @Test("A JPEG is decoded at a reduced size for every geometry but a percentage")
    func reduction() async throws {
      let url = URL(fileURLWithPath: Sample.path("lake.jpg"))
      for (geometry, denominator) in [("160x120", 8), ("160x", 8), ("160x120^", 8), ("160x90!", 8), ("10%", 1)] {
        let pipeline = ImagePipeline { $0.imageCache = nil }
        let task = pipeline.imageTask(
          with: ImageRequest(url: url, processors: [try Geometry(parsing: geometry).processor()]))
        _ = try await task.response
        #expect(task.facts.scaleDenominator == denominator, "\(geometry)")
      }
    }
  }
#endif
