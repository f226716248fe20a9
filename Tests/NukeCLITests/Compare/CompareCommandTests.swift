#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct CompareCommandTests {
    private func image(_ color: (_ x: Int, _ y: Int) -> [UInt8]) throws -> Data {
      let image = Bitmap(pixelWidth: 20, pixelHeight: 10, isOpaque: false) { pixels in
        for index in stride(from: 0, to: pixels.count, by: 4) {
          for (channel, value) in color(index / 4 % 20, index / 80).enumerated() { pixels[index + channel] = value }
        }
      }
      return try #require(image?.pngData())
    }

    @Test("Equal images have a similarity of 1, and no noise")
    func equal() async throws {
      let outcome = try await Command.succeed("compare", Sample.path("lake.jpg"), Sample.path("lake.jpg"))
      #expect(outcome.lines.contains("SSIM        1.00000") && outcome.lines.contains("PSNR        infinite"))
      #expect(outcome.lines.contains("Differing   0 pixels (0.00 %)"))
    }

    @Test("A source is never overwritten by the differences")
    func source() async throws {
      let place = try Workplace()
      let file = try place.image("a.png")
      let data = try place.data("a.png")
      let outcome = try await Command.run("compare", file, file, "--output", file)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("is a source itself"))
      #expect(try place.data("a.png") == data)
    }

    @Test("A dry run prints the sources and the output, and compares and writes nothing")
    func dryRun() async throws {
      let place = try Workplace()
      let (first, second) = (try place.image("a.png"), try place.write(Data("no image".utf8), "b.png"))
      let output = place.path("difference.png")
      let arguments = ["compare", first, second, "--output", output, "--dry-run"]
      #expect(try await Command.succeed(arguments).lines == ["\(first) → \(output)", "\(second) → \(output)"])
      let objects = try await Command.succeed(arguments + ["--json"]).objects()
      #expect(objects.map { $0["output"] as? String } == [output, output])
      #expect(objects.allSatisfy { $0["dryRun"] as? Bool == true })
      let missing = try await Command.run("compare", first, place.path("none.png"), "-o", output, "--dry-run")
      #expect(missing.status == 1)
      #expect(missing.errorLines == ["nuke: \(place.path("none.png")): no such file"])
      let own = try await Command.run("compare", first, second, "--output", first, "--dry-run")
      #expect(own.status == 1 && own.errors.contains("is a source itself"))
      #expect(try place.contents() == ["a.png", "b.png"])
    }

    @Test("Differences are measured, and drawn")
    func different() async throws {
      let place = try Workplace()
      let gray = try place.write(try image { _, _ in [100, 100, 100, 255] }, "gray.png")
      // Of 200 pixels, 50 differ by 30 in one channel.
      let other = try place.write(try image { x, _ in [x < 5 ? 130 : 100, 100, 100, 255] }, "other.png")
      let outcome = try await Command.succeed(
        "compare", gray, other, "--json", "--output", place.path("difference.png"))
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      #expect(object["differingPixels"] as? Int == 50 && object["largestDifference"] as? Int == 30)
      // 10 log10(255² / (50 · 30² / 600))
      #expect(abs((object["psnr"] as? Double ?? 0) - 29.38) < 0.01)
      #expect(object["ssim"] as? Double ?? 1 < 0.99)
      let difference = try #require(Bitmap(data: try place.data("difference.png")))
      #expect(difference.withUnsafeBytes { Array($0[..<4]) } == [255, 0, 0, 255])
      // 255 - (255 - 100) / 4
      #expect(difference.withUnsafeBytes { Array($0[20..<24]) } == [217, 217, 217, 255])
    }

    @Test("The smallest difference is visible on the first image, which is shown in faint gray")
    func shown() async throws {
      let place = try Workplace()
      let colors: [[UInt8]] = [[0, 0, 0, 255], [0, 0, 0, 255], [0, 0, 0, 255], [255, 255, 255, 255], [0, 0, 0, 0]]
      let others: [[UInt8]] = [
        [0, 0, 0, 255], [0, 1, 0, 255], [9, 0, 16, 255], [255, 255, 255, 255], [0, 0, 0, 0],
      ]
      let first = try place.write(try image { x, _ in colors[x % 5] }, "first.png")
      let second = try place.write(try image { x, _ in others[x % 5] }, "second.png")
      try await Command.succeed("compare", first, second, "--output", place.path("shown.png"))
      let shown = try #require(Bitmap(data: try place.data("shown.png")))
      let pixels = shown.withUnsafeBytes { bytes in (0..<5).map { Array(bytes[$0 * 4..<$0 * 4 + 4]) } }
      #expect(
        pixels == [
          [192, 192, 192, 255], [255, 165, 165, 255], [255, 0, 0, 255], [255, 255, 255, 255], [255, 255, 255, 255],
        ])
    }

    @Test("Transparent pixels count as white")
    func transparent() async throws {
      let place = try Workplace()
      let clear = try place.write(try image { _, _ in [0, 0, 0, 0] }, "clear.png")
      let white = try place.write(try image { _, _ in [255, 255, 255, 255] }, "white.png")
      #expect(try await Command.run("compare", clear, white).lines.contains("Differing   0 pixels (0.00 %)"))
    }

    @Test("The status is 1 if the images are not similar enough, differ in size, or cannot be read")
    func failures() async throws {
      let (lake, badge) = (Sample.path("lake.jpg"), Sample.path("badge.png"))
      let place = try Workplace()
      let black = try place.write(try image { _, _ in [0, 0, 0, 255] }, "black.png")
      let white = try place.write(try image { _, _ in [255, 255, 255, 255] }, "white.png")
      let unlike = try await Command.run("compare", black, white, "--min-ssim", "0.5")
      #expect(unlike.status == 1 && unlike.errors.contains("the similarity is less than 0.5"))
      let sizes = try await Command.run("compare", lake, badge)
      #expect(sizes.status == 1 && sizes.errors.contains("different sizes: 1600x1200, 512x512"))
      let missing = try await Command.run("compare", lake, place.path("none.png"))
      #expect(missing.status == 1 && missing.errors.contains("none.png"))
    }
  }
#endif
