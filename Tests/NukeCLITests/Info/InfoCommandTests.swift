#if Command
  import Foundation
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct InfoCommandTests {
    private func info(_ source: String) async throws -> [String: Any] {
      let outcome = try await Command.succeed("info", source, "--json")
      #expect(outcome.errors.isEmpty)
      let objects = try outcome.objects()
      #expect(objects.count == 1)
      return try #require(objects.first)
    }

    @Test(
      "The samples are described",
      arguments: [
        ("lake.jpg", "jpeg", 1600, 1200, false, false, 1), ("dusk.jpg", "jpeg", 1280, 854, false, true, 1),
        ("chart.png", "png", 1200, 800, false, false, 1), ("badge.png", "png", 512, 512, true, false, 1),
        ("bubbles.webp", "webp", 800, 600, true, false, 1), ("aurora.webp", "webp", 320, 200, true, false, 16),
        ("orbit.gif", "gif", 240, 240, false, false, 24),
      ])
    func samples(
      name: String, format: String, width: Int, height: Int, hasAlpha: Bool, isProgressive: Bool, frames: Int
    ) async throws {
      let object = try await info(Sample.path(name))
      #expect(object["format"] as? String == format)
      #expect(object["width"] as? Int == width)
      #expect(object["height"] as? Int == height)
      #expect(object["alpha"] as? Bool == hasAlpha)
      #expect(object["progressive"] as? Bool == isProgressive)
      #expect(object["frames"] as? Int == frames)
      #expect(object["orientation"] as? Int == 1)
    }

    @Test("Orientation and EXIF are printed, and sizes are those of the upright image")
    func exif() async throws {
      let object = try await info(Sample.path("night.jpg"))
      #expect(object["width"] as? Int == 900)
      #expect(object["height"] as? Int == 1200)
      #expect(object["storedWidth"] as? Int == 1200)
      #expect(object["storedHeight"] as? Int == 900)
      #expect(object["orientation"] as? Int == 6)
      let exif = try #require(object["exif"] as? [String: Any])
      #expect(exif["make"] as? String == "Example")
      #expect(exif["model"] as? String == "Pinhole 1")
      #expect(exif["taken"] as? String == "2024:02:29 22:15:30")
      #expect(exif["exposureTime"] as? Double == 8)
      #expect(exif["fNumber"] as? Double == 1.8)
      #expect(exif["iso"] as? Int == 1600)
      #expect(exif["focalLength"] as? Double == 24)
    }

    @Test("A huge Content-Length does not prevent reading the header")
    func hugeBody() async throws {
      var response = NukeOrigin.Response.data(try Sample.data("lake.jpg")).scripted(.head, .bytes(20_000), .stall)
      response.framing = .declared(1 << 40)
      let answer = response
      let origin = try NukeOrigin { _ in answer }
      defer { origin.stop() }
      let object = try await info(origin.url("/a.jpg").absoluteString)
      #expect(object["width"] as? Int == 1600)
      #expect(try #require(object["bytesRead"] as? Int) <= 20_000)
      try await origin.waitUntil { $0.closedEarly == 1 }
    }

    @Test("The text contains the same information")
    func text() async throws {
      let outcome = try await Command.succeed("info", Sample.path("night.jpg"), Sample.path("orbit.gif"))
      for part in [
        "JPEG, 900x1200 pixels", "turned 90° clockwise, stored as 1200x900", "Example Pinhole 1",
        "8 s, f/1.8, ISO 1600, 24 mm", "GIF, 240x240 pixels", "24, 1.44 s, endless",
      ] {
        #expect(outcome.output.contains(part), "\(part)")
      }
    }

    @Test("An animation without a loop extension is played once")
    func once() async throws {
      let place = try Workplace()
      var data = try Sample.data("orbit.gif")
      let start = try #require(data.firstRange(of: Data([0x21, 0xFF, 0x0B]))).lowerBound
      data.removeSubrange(start..<start + 19)
      let outcome = try await Command.run("info", try place.write(data, "once.gif"))
      #expect(outcome.output.contains("24, 1.44 s, played once"), "\(outcome.output)")
    }

    @Test("Only the header of a file is read")
    func prefix() async throws {
      #expect(try await info(Sample.path("lake.jpg"))["bytesRead"] as? Int == 4096)
      #expect(try await info(Sample.path("chart.png"))["bytesRead"] as? Int == 4096)
      let frames = try await info(Sample.path("orbit.gif"))["bytesRead"] as? Int
      #expect(frames == (try Sample.data("orbit.gif").count))
    }

    @Test("A download ends when the header is known")
    func download() async throws {
      let body = try Sample.data("lake.jpg")
      let origin = try NukeOrigin { _ in .data(body).scripted(.head, .bytes(8192), .stall) }
      defer { origin.stop() }
      let object = try await info(origin.url("/a.jpg").absoluteString)
      #expect(object["width"] as? Int == 1600)
      try await origin.waitUntil { $0.closedEarly == 1 }
    }

    @Test("A huge image is described, since nothing is decoded")
    func cut() async throws {
      let place = try Workplace()
      let file = try place.write(try Sample.data("lake.jpg").prefix(6000), "a.jpg")
      #expect(try await info(file)["width"] as? Int == 1600)
    }

    @Test(
      "Failures are one line each, and other images are described",
      arguments: [
        ("missing.jpg", "no such file"), ("/tmp", "it is a folder"), ("/dev/null", "not a regular file"),
        ("data:,hello", "not an image"), ("http://nosuchhost.invalid/", "was not found"), ("gopher://x/", "gopher"),
      ])
    func failures(source: String, reason: String) async throws {
      let outcome = try await Command.run("info", source, Sample.path("chart.png"))
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.hasPrefix("nuke: \(source): "), "\(outcome.errors)")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(outcome.output.contains("1200x800 pixels"))
    }

    @Test("Empty files and text files have different errors")
    func empty() async throws {
      let place = try Workplace()
      let empty = try await Command.run("info", try place.write(Data(), "a.jpg"))
      #expect(empty.errors.contains("the file is empty"))
      let page = try await Command.run("info", try place.write(Data("<html><body></body></html>".utf8), "b.jpg"))
      #expect(page.errors.contains("HTML"))
      #expect(page.status == 1)
    }
  }
#endif
