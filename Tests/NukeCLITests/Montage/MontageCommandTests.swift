#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct MontageCommandTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func montage(_ arguments: String...) async throws -> Command.Outcome {
      try await Command.run(["montage"] + arguments)
    }

    @Test(
      "The sheet has the size of its tiles and their spacing",
      arguments: [
        ([], 2 * 200 + 3 * 8, 2 * 200 + 3 * 8), (["--tile", "3x"], 3 * 200 + 4 * 8, 200 + 2 * 8),
        (["--tile", "x3", "--size", "50x40"], 50 + 2 * 8, 3 * 40 + 4 * 8),
        (["--tile", "4x2", "-s", "50x40!", "--spacing", "0"], 200, 80),
      ] as [([String], Int, Int)])
    func size(options: [String], width: Int, height: Int) async throws {
      let sources = [try place.image("a.png"), try place.image("b.png"), try place.image("c.png")]
      let outcome = try await Command.succeed(
        ["montage", "--output", place.path("sheet.png"), "--json"] + options + sources)
      let sheet = try #require(PlatformImage(data: place.data("sheet.png")))
      #expect(sheet.pixelWidth == width && sheet.pixelHeight == height)
      let object = try #require(try outcome.objects().first)
      #expect(object["width"] as? Int == width && object["height"] as? Int == height)
      #expect(object["images"] as? Int == 3 && object["failed"] as? Int == 0)
      #expect(try place.contents() == ["a.png", "b.png", "c.png", "sheet.png"])
    }

    @Test("A source is never overwritten by the sheet")
    func source() async throws {
      let sources = [try place.image("a.png"), try place.image("b.png")]
      let data = try place.data("b.png")
      let outcome = try await montage(sources[0], sources[1], "--output", place.path("./b.png"))
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("is a source itself"))
      #expect(try place.data("b.png") == data)
    }

    @Test("Images are drawn in their order, whichever is loaded first")
    func order() async throws {
      let colors: [[UInt8]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0], [0, 255, 255], [255, 0, 255],
      ]
      let sources = try colors.enumerated().map { index, color in
        let bitmap = try #require(
          Bitmap(pixelWidth: 20, pixelHeight: 20, isOpaque: true) { bytes in
            for offset in bytes.indices { bytes[offset] = offset % 4 == 3 ? 255 : color[offset % 4] }
          })
        return try place.write(#require(bitmap.pngData()), "\(index).png")
      }
      try await Command.succeed(
        ["montage", "-o", place.path("sheet.png"), "--tile", "3x", "-s", "10x10!", "--spacing", "0"] + sources)
      let sheet = try #require(PlatformImage(data: place.data("sheet.png")))
      for (index, color) in colors.enumerated() {
        let (x, y) = (index % 3 * 10 + 5, index / 3 * 10 + 5)
        let pixel = sheet.withUnsafeBytes { Array($0[(y * 30 + x) * 4..<(y * 30 + x) * 4 + 3]) }
        #expect(pixel == color, "\(index)")
      }
    }

    @Test("The tile of an image that failed stays empty, and the status is 1")
    func failure() async throws {
      let outcome = try await montage(
        "/nowhere/a.png", try place.image("b.png"), "-o", place.path("sheet.png"), "--tile", "2x", "-s", "20x20^",
        "--spacing", "0", "--background", "102030", "--json")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: /nowhere/a.png: no such file"])
      let sheet = try #require(PlatformImage(data: place.data("sheet.png")))
      #expect(sheet.withUnsafeBytes { Array($0[(10 * 40 + 10) * 4..<(10 * 40 + 10) * 4 + 4]) } == [16, 32, 48, 255])
      #expect(try outcome.objects().first?["failed"] as? Int == 1)
    }

    @Test("Without any image, no sheet is written")
    func none() async throws {
      let outcome = try await montage("/nowhere/a.png", "-o", place.path("sheet.png"))
      #expect(outcome.status == 1)
      #expect(try place.contents().isEmpty)
      let empty = try await Command.run(["montage", "--files-from", "-", "-o", place.path("sheet.png")], input: "\n")
      #expect(empty.status == 1)
      #expect(empty.errors.contains("there are no images"))
      #expect(try place.contents().isEmpty)
    }

    @Test("A sheet with too many pixels is an error before anything is loaded")
    func tooLarge() async throws {
      let outcome = try await montage("/nowhere/a.png", "-o", place.path("sheet.png"), "-s", "60000x60000")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("the sheet would have 60016x60016 pixels"))
    }

    @Test("A terminal shows how many images are drawn")
    func progress() async throws {
      let outcome = try await Command.succeed(
        [
          "-qefc", "'\(Command.path)' montage '\(Sample.path("chart.png"))' -o '\(place.path("sheet.png"))'",
          "/dev/null",
        ], path: "/usr/bin/script", environment: ["TERM": "xterm"])
      #expect(outcome.output.contains("0 of 1"))
    }
  }
#endif
