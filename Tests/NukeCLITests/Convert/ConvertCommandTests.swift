#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct ConvertCommandTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func decoded(_ name: String) throws -> PlatformImage {
      try #require(PlatformImage(data: place.data(name)))
    }

    @Test(
      "The format is that of the output's extension or --format",
      arguments: [
        (["out.jpg"], ImageFormat.jpeg), (["out.PNG"], .png), (["out.webp"], .webp),
        (["out", "--format", "webp"], .webp),
        (["out.png", "--format", "jpeg"], .jpeg), (["out.bmp"], .bmp),
      ])
    func formats(arguments: [String], format: ImageFormat) async throws {
      let source = try place.image("source.png")
      let outcome = try await Command.succeed(
        ["convert", source, place.path(arguments[0]), "--quiet"] + arguments.dropFirst())
      #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
      #expect(ImageFormat(sniffing: try place.data(arguments[0])) == format)
      #expect(try decoded(arguments[0]).pixelWidth == 40)
    }

    @Test("SVG is read whether it is compressed or not, and becomes PNG", .enabled(if: ImageFormat.svg.isReadable))
    func drawings() async throws {
      // `gzip.compress` of Python for a drawing of 20 by 10 pixels in #00ff00.
      let compressed = try #require(
        Data(
          base64Encoded: "H4sIAAAAAAACA3XMyQ2AMAwF0VYic48/cENJmgGySGERWJjygQI4z9O480rmXup6esoi"
            + "+8CsqlZ7ux2JOwD8CjJaJsmeOpDJc0lZPLWg4I55lJ9oYqnVUwPECBAH963CA2pWSyxyAAAA"))
      let text =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 355572 355572'><path d='M0 0h355572v355572H0'/></svg>"
      let sources = [try place.write(compressed, "a.svgz"), try place.write(Data(text.utf8), "b.svg")]
      for (source, width) in zip(sources, [20, 355_572]) {
        let facts = try #require(try await Command.succeed("info", source, "--json").objects().first)
        #expect(facts["format"] as? String == "svg")
        #expect(facts["width"] as? Int == width)
      }
      try await Command.succeed(["convert"] + sources + [place.path("out/"), "--size", "128x128", "--quiet"])
      for name in ["a", "b"] { #expect(ImageFormat(sniffing: try place.data("out/\(name).png")) == .png) }
      #expect(try decoded("out/b.png").pixelWidth == 128)
    }

    @Test("Lossless WebP keeps every pixel, and quality affects the size of lossy WebP")
    func quality() async throws {
      let file = try place.image("source.png")
      let source = try decoded("source.png")
      _ = try await Command.run("convert", file, place.path("exact.webp"), "--lossless")
      #expect(try decoded("exact.webp").withUnsafeBytes { Data($0) } == source.withUnsafeBytes { Data($0) })
      for quality in ["20", "90"] {
        _ = try await Command.run("convert", file, place.path("\(quality).jpg"), "--quality", quality)
      }
      #expect(try place.data("20.jpg").count < place.data("90.jpg").count)
      let jpeg = try await Command.run("convert", file, place.path("a.jpg"), "--lossless")
      #expect(jpeg.status == 1)
      #expect(jpeg.errors.contains("no lossless form"))
      #expect(try !place.contents().contains("a.jpg"))
    }

    @Test("Colors, effort, chroma and progressive JPEG reach the encoder")
    func encoding() async throws {
      let file = try place.image("source.png")
      try await Command.succeed("convert", file, place.path("few.png"), "--colors", "8", "--no-dithering")
      #expect(try ImageReaders.reader(for: place.data("few.png")).header.colorModel == .indexed)
      try await Command.succeed(
        "convert", file, place.path("a.jpg"), "--chroma", "444", "--progressive-jpeg", "--quality", "90")
      let data = try place.data("a.jpg")
      let frame = try #require(data.firstRange(of: Data([0xFF, 0xC2]))).upperBound
      #expect(data[frame + 9] == 0x11)
      for effort in ["0", "100"] {
        _ = try await Command.run("convert", file, place.path("\(effort).png"), "--effort", effort)
      }
      #expect(try place.data("100.png").count < place.data("0.png").count)
      let wrong = try await Command.run("convert", file, place.path("b.png"), "--colors", "8", "--lossless")
      #expect(wrong.status == 2)
    }

    @Test("Processors are applied in order")
    func processors() async throws {
      let file = try place.image("source.png")
      try await Command.succeed(
        "convert", file, place.path("a.png"), "--processor", "resize:20x10^,linear", "--processor", "crop:20x10",
        "--processor", "rotate:90", "--processor", "pad:12x22,color=red", "--processor",
        "overlay:\(file),scale=0.2")
      let image = try decoded("a.png")
      #expect((image.pixelWidth, image.pixelHeight) == (12, 22))
      let corner = image.withUnsafeBytes { Array($0[0..<4]) }
      #expect(corner == [255, 0, 0, 255])
    }

    @Test("Several images are written into a folder under their names")
    func folder() async throws {
      let outcome = try await Command.succeed(
        "convert", try place.image("badge.png"), try place.image("lake.png"), place.path("out"), "--format", "webp",
        "--size", "20x",
        "--json")
      #expect(try outcome.objects().count == 2)
      #expect(try place.contents("out") == ["badge.webp", "lake.webp"])
      try await Command.succeed("convert", place.path("badge.png"), Sample.path("orbit.gif"), place.path("own/"))
      #expect(try place.contents("own") == ["badge.png", "orbit.gif"])
    }

    @Test(
      "Animated images stay animated if the format supports it, with processed frames",
      arguments: ["gif", "webp", "png", "bmp"])
    func moving(_ ending: String) async throws {
      let output = place.path("small.\(ending)")
      try await Command.succeed("convert", Sample.path("orbit.gif"), output, "--size", "60x")
      let animation = try ImageReaders.reader(for: try place.data("small.\(ending)")).animation()
      #expect(animation?.delays.count == (ending == "bmp" ? nil : 24))
      #expect(ending == "bmp" || animation?.pixelWidth == 60)
    }

    @Test("A source is never overwritten, whatever its name", arguments: ["convert", "load"])
    func sources(command: String) async throws {
      let file = try place.image("a.png")
      let data = try place.data("a.png")
      try FileManager.default.linkItem(atPath: file, toPath: place.path("b.png"))
      try FileManager.default.createSymbolicLink(atPath: place.path("c.png"), withDestinationPath: file)
      for name in ["a.png", "./a.png", "b.png", "c.png"] {
        let outcome = try await Command.run(command, file, "--output", place.path(name), "--size", "10x")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("is a source itself"))
      }
      let folder = try await Command.run(command, file, "--output", place.url.path, "--size", "10x")
      #expect(folder.status == 1)
      #expect(try place.data("a.png") == data)
      #expect(try place.contents() == ["a.png", "b.png", "c.png"])
    }

    @Test("A replaced file keeps its permissions, and a symbolic link to it stays")
    func replaced() async throws {
      let source = try place.image("a.png")
      let old = try place.write(Data("private".utf8), "old.png")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: old)
      let link = place.path("link.png")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "old.png")
      try await Command.succeed("convert", source, link)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "old.png")
      #expect(PlatformImage(data: try place.data("old.png")) != nil)
      let permissions = try FileManager.default.attributesOfItem(atPath: old)[.posixPermissions] as? Int
      #expect(permissions == 0o600)
      #expect(try place.contents() == ["a.png", "link.png", "old.png"])
    }

    @Test("The reason of a processor is printed without its name, after that of the file")
    func failedProcessor() async throws {
      let outcome = try await Command.run(
        "convert", try place.image("a.png"), place.path("b.png"), "--processor", "pad:60000x60000")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("a.png: the result would have 60000x60000 pixels"), "\(outcome.errors)")
    }

    @Test("Percentages and exact sizes apply to every frame of an animated image", arguments: ["50%", "120x60!"])
    func scaledFrames(geometry: String) async throws {
      let source = try #require(PlatformImage(data: Sample.data("orbit.gif")))
      try await Command.succeed("convert", Sample.path("orbit.gif"), place.path("a.gif"), "-s", geometry)
      let animation = try #require(try ImageReaders.reader(for: try place.data("a.gif")).animation())
      #expect(animation.delays.count == 24)
      #expect(animation.pixelWidth == (geometry == "50%" ? (source.pixelWidth + 1) / 2 : 120))
      #expect(animation.pixelHeight == (geometry == "50%" ? (source.pixelHeight + 1) / 2 : 60))
    }

    @Test("--output takes the place of the last argument, so that all arguments are sources")
    func outputOption() async throws {
      let outcome = try await Command.run(
        "convert", try place.image("a.png"), try place.image("b.png"), "-o", place.path("out"), "--format", "webp",
        "--quiet")
      #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
      #expect(try place.contents("out") == ["a.webp", "b.webp"])
    }

    @Test("A failure leaves no new file and the old one, and is reported")
    func failures() async throws {
      let good = try place.image("good.png")
      try place.write(Data("kept".utf8), "out.png")
      try place.write(Data("not an image".utf8), "bad.jpg")
      let bad = try await Command.run("convert", place.path("bad.jpg"), place.path("out.png"))
      #expect(bad.status == 1)
      #expect(bad.errorLines.count == 1)
      #expect(try place.data("out.png") == Data("kept".utf8))
      let missing = try await Command.run("convert", place.path("none.jpg"), place.path("new.png"))
      #expect(missing.status == 1)
      #expect(missing.errors.contains("no such file"))
      let nowhere = try await Command.run("convert", good, place.path("no/such/a.png"))
      #expect(nowhere.status == 1)
      #expect(try place.contents() == ["bad.jpg", "good.png", "out.png"])
      let several = try await Command.run(
        "convert", good, good, place.path("out.png"))
      #expect(several.status == 2)
    }

    /// A JPEG of one color, with another first pixel in each row.
    private static func jpeg(width: Int, height: Int) throws -> Data {
      let bitmap = try #require(
        Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
          bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(0xFF30_A060).littleEndian)
          for row in 0..<height { bytes[row * width * 4] = UInt8(row % 256) }
        })
      return try #require(bitmap.jpegData(compressionQuality: 0.8))
    }

    @Test("A large JPEG is converted in bands, to the same file as a whole image", arguments: ["out.jpg", "out.webp"])
    func bands(output: String) async throws {
      let source = try place.write(Self.jpeg(width: 4_100, height: 4_000), "large.jpg")
      let outcome = try await Command.succeed(
        "convert", source, place.path(output), "--size", "4000x", "--quality", "80", "--verbose")
      #expect(outcome.output.contains("transcoding"))
      let format = try #require(ImageFormat(sniffing: place.data(output)))
      let original = try #require(PlatformImage(data: place.data("large.jpg")))
      let resized = try #require(ImageProcessors.Resize(width: 4_000, unit: .pixels).process(original))
      let writer = try ImageWriters.writer(for: format, options: EncodeOptions(quality: 0.8))
      #expect(try place.data(output) == writer.encode(resized))
    }

    @Test("A percentage of a large JPEG is converted in bands, to the same file as its size in pixels")
    func percentageInBands() async throws {
      let source = try place.write(Self.jpeg(width: 2_101, height: 2_001), "large.jpg")
      for (size, name) in [("50%", "percentage.jpg"), ("1051x1001!", "pixels.jpg")] {
        let outcome = try await Command.run("convert", source, place.path(name), "--size", size, "--verbose")
        #expect(outcome.output.contains("1051x1001 JPEG") && outcome.output.contains("transcoding"), "\(outcome)")
      }
      let whole = try await Command.run(
        "load", source, "--output", place.path("whole.jpg"), "--size", "50%", "--verbose")
      #expect(whole.status == 0 && !whole.output.contains("transcoding"))
      #expect(try place.data("percentage.jpg") == place.data("pixels.jpg"))
      #expect(try place.data("percentage.jpg") == place.data("whole.jpg"))
      let linear = try await Command.run(
        "convert", source, place.path("linear.jpg"), "--processor", "resize:50%,linear", "--verbose")
      #expect(linear.output.contains("1051x1001 JPEG") && !linear.output.contains("transcoding"), "\(linear)")
    }

    @Test("Bands are used from a megapixel on if a JPEG is written", arguments: [(999, false), (1_001, true)])
    func leastPixelCount(height: Int, isInBands: Bool) async throws {
      let bitmap = try #require(
        Bitmap(pixelWidth: 1_000, pixelHeight: height, isOpaque: true) { bytes in
          bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(0xFF30_A060).littleEndian)
        })
      let source = try place.write(#require(bitmap.jpegData(compressionQuality: 0.8)), "large.jpg")
      let jpeg = try await Command.run("convert", source, place.path("out.jpg"), "--verbose")
      #expect(jpeg.output.contains("transcoding") == isInBands)
      let webP = try await Command.run("convert", source, place.path("out.webp"), "--verbose")
      #expect(webP.status == 0 && !webP.output.contains("transcoding"))
    }

    @Test("A large file that is truncated is not converted, and leaves no file")
    func truncatedBands() async throws {
      let bitmap = try #require(
        Bitmap(pixelWidth: 4_100, pixelHeight: 4_000, isOpaque: true) { bytes in
          bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(0xFF30_A060).littleEndian)
        })
      let file = try #require(bitmap.jpegData(compressionQuality: 0.8))
      let source = try place.write(file.prefix(file.count / 2), "large.jpg")
      let outcome = try await Command.run("convert", source, place.path("out.png"))
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("truncated JPEG") && outcome.errors.contains("(see --tolerate-damage)"))
      #expect(try place.contents() == ["large.jpg"])
    }
  }
#endif
