#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct LoadCommandTests {
    @Test(
      "Each sample is loaded from its file and reported in a line with its sizes, format and time",
      arguments: [
        ("lake.jpg", "1600x1200 JPEG  323 KB"), ("dusk.jpg", "1280x854 JPEG  168 KB"),
        ("night.jpg", "900x1200 JPEG  119 KB"), ("chart.png", "1200x800 PNG  25.4 KB"),
        ("badge.png", "512x512 PNG  62.4 KB"), ("bubbles.webp", "800x600 WebP  69.0 KB"),
        ("orbit.gif", "240x240 GIF  67.2 KB"), ("aurora.webp", "320x200 WebP  181 KB"),
      ])
    func samples(name: String, what: String) async throws {
      let outcome = try await Command.succeed("load", Sample.path(name))
      #expect(outcome.errors.isEmpty)
      #expect(outcome.lines.count == 1)
      let text = try #require(outcome.lines.first)
      #expect(text.hasPrefix("\(Sample.path(name))  \(what)  "), "\(text)")
      #expect(text.wholeMatch(of: /.*  [0-9.]+ m?s/) != nil, "\(text)")
    }

    @Test("The line of a written image has its target and size, and --verbose adds the source's and the stages")
    func lines() async throws {
      let place = try Workplace()
      let (source, output) = (Sample.path("lake.jpg"), place.path("a.png"))
      for command in [["load", source, "-o", output], ["convert", source, output]] {
        let arguments = command + ["--size", "80x60"]
        let short = try #require(try await Command.succeed(arguments).lines.first)
        let size = Format.bytes(Int64(try place.data("a.png").count))
        #expect(short.hasPrefix("\(source) → \(output)  80x60  \(size)  "), "\(short)")
        #expect(!short.contains("("))
        let long = try #require(try await Command.succeed(arguments + ["--verbose"]).lines.first)
        #expect(long.hasPrefix("\(source) → \(output)  80x60 JPEG  file  323 KB → \(size)  "), "\(long)")
        #expect(long.hasSuffix(")") && long.contains("decoding"), "\(long)")
        let object = try #require(try await Command.succeed(arguments + ["--json"]).objects().first)
        #expect(object["outputBytes"] as? Int == (try place.data("a.png").count))
      }
    }

    @Test("A JSON object describes an image from a server, and its repetition comes from memory")
    func json() async throws {
      let chart = try Sample.data("chart.png")
      let origin = try NukeOrigin { _ in .data(chart, type: "image/png") }
      defer { origin.stop() }
      let source = origin.url("/chart.png").absoluteString
      let outcome = try await Command.succeed("load", source, "--json", "--repeat", "2")
      let objects = try outcome.objects()
      try #require(objects.count == 2)
      #expect(objects.map { $0["origin"] as? String } == ["network", "memory"])
      #expect(objects.map { $0["bytes"] as? Int } == [chart.count, 0])
      for object in objects {
        #expect(object["source"] as? String == source)
        #expect(object["ok"] as? Bool == true)
        #expect(object["format"] as? String == "png")
        #expect(object["width"] as? Int == 1200)
        #expect(object["height"] as? Int == 800)
        #expect(object["error"] == nil)
        let times = try #require(object["ms"] as? [String: Double])
        #expect(Set(times.keys) == ["queued", "loading", "opening", "decoding", "processing", "total"])
      }
      #expect(origin.log.requests.count == 1)
    }

    @Test(
      "A damaged image is an error, or is shown as far as it can be decoded",
      arguments: [["load", "--output"], ["convert"]])
    func damage(words: [String]) async throws {
      let place = try Workplace()
      try Sample.data("lake.jpg").prefix(200_000).write(to: URL(fileURLWithPath: place.path("cut.jpg")))
      let arguments = words.prefix(1) + [place.path("cut.jpg")] + words.dropFirst() + [place.path("a.png"), "--json"]
      let strict = try await Command.run(Array(arguments))
      #expect(strict.status == 1)
      let error = try #require(try strict.objects().first?["error"] as? String)
      #expect(
        error == "truncated JPEG: the data ends after 200000 bytes, in the middle of the image (see --tolerate-damage)")
      #expect(try !place.contents().contains("a.png"))
      let tolerant = try await Command.succeed(Array(arguments) + ["--tolerate-damage"])
      let object = try #require(try tolerant.objects().first)
      #expect((object["damage"] as? String)?.contains("truncated JPEG") == true, "\(object)")
      let rows = try #require(object["decodedRows"] as? Double)
      #expect(rows > 0.3 && rows < 0.9)
      #expect(try place.contents().contains("a.png"))
    }

    @Test("A server gets the URL that browsers request, also after a redirect", arguments: ["", "/from"])
    func escapes(redirect: String) async throws {
      let chart = try Sample.data("chart.png")
      let target = "/%E3%81%82 a.png?q=%26 b"
      let origin = try NukeOrigin { $0.path == "/from" ? .redirect(to: target) : .data(chart) }
      defer { origin.stop() }
      let path = redirect.isEmpty ? target : redirect
      try await Command.succeed("load", "http://127.0.0.1:\(origin.port)\(path)", "--json")
      #expect(origin.log.requests.last?.path == "/%E3%81%82%20a.png")
      #expect(origin.log.requests.last?.query == "q=%26%20b")
    }

    #if SVG
      @Test("A data: URL as style sheets have it is an image")
      func styleSheet() async throws {
        let image = "%3Csvg xmlns='http://www.w3.org/2000/svg' width='5' height='5'%3E%3Cpath d='M0 0h5'/%3E%3C/svg%3E"
        let outcome = try await Command.succeed("load", "data:image/svg+xml," + image, "--json")
        #expect(try outcome.objects().first?["width"] as? Int == 5)
      }
    #endif

    @Test("A failure is a JSON object and a line on standard error")
    func jsonFailure() async throws {
      let outcome = try await Command.run("load", "missing.jpg", Sample.path("badge.png"), "--json")
      #expect(outcome.status == 1)
      let objects = try outcome.objects()
      let failed = try #require(objects.first { $0["ok"] as? Bool == false })
      #expect(failed["source"] as? String == "missing.jpg")
      #expect(failed["error"] as? String == "no such file")
      #expect(objects.count == 2)
      #expect(outcome.errorLines == ["nuke: missing.jpg: no such file"])
    }

    @Test(
      "No command prints passwords and tokens of URLs, of images and of failures",
      arguments: [
        ["load"], ["load", "--json"], ["load", "--verbose"], ["info"], ["info", "--json"], ["view"],
        ["hash", "--json"],
        ["load", "--explain", "--cache"], ["load", "--json", "--explain", "--size", "5x", "--cache"],
      ])
    func secrets(words: [String]) async throws {
      let badge = try Sample.data("badge.png")
      let origin = try NukeOrigin { $0.path == "/a.png" ? .data(badge) : .status(404) }
      defer { origin.stop() }
      let sources = ["a", "missing"].map { "http://u5er:pa55@127.0.0.1:\(origin.port)/\($0).png?w=1&token=hidden" }
      let place = try Workplace()
      let folder = words.last == "--cache" ? [place.path("cache")] : []
      let outcome = try await Command.run(words + folder + sources)
      for secret in ["u5er", "pa55", "hidden"] {
        #expect(!outcome.output.contains(secret), "\(outcome.output)")
        #expect(!outcome.errors.contains(secret), "\(outcome.errors)")
      }
      #expect(outcome.output.contains("/a.png"))
      withExtendedLifetime(place) {}
      if !words.contains("--explain") { #expect(outcome.errors.contains("/missing.png"), "\(outcome.errors)") }
    }

    @Test("--quiet prints only failures")
    func quiet() async throws {
      let outcome = try await Command.run("load", "missing.jpg", Sample.path("badge.png"), "--quiet")
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errorLines == ["nuke: missing.jpg: no such file"])
    }

    @Test(
      "Images have the requested size",
      arguments: [
        (["--size", "300x"], 300, 225), (["-s", "x300"], 400, 300), (["--size", "200x200"], 200, 150),
        (["--size", "200x200^", "--crop", "200x200"], 200, 200), (["--size", "200x200^"], 267, 200),
        (["--size", "3200x>"], 1600, 1200), (["--size", "3200x"], 3200, 2400), (["--size", "25%"], 400, 300),
        (["--size", "300x100!"], 300, 100), (["--crop", "100x50,top-left"], 100, 50),
        (["--size", "200x100^", "--crop", "90x80,attention"], 90, 80),
      ])
    func sizes(options: [String], width: Int, height: Int) async throws {
      let place = try Workplace()
      let outcome = try await Command.succeed(
        ["load", Sample.path("lake.jpg"), "--output", place.path("out.jpg"), "--json"] + options)
      let image = try #require(Bitmap(data: try place.data("out.jpg")))
      #expect(image.pixelWidth == width && image.pixelHeight == height)
      let object = try #require(try outcome.objects().first)
      #expect(object["width"] as? Int == width)
      #expect(object["height"] as? Int == height)
      #expect(object["output"] as? String == place.path("out.jpg"))
      #expect(try place.contents() == ["out.jpg"])
    }

    @Test(
      "The format is that of --format, the file name, or the source",
      arguments: [
        ("badge.png", "out.webp", [], ImageFormat.webp), ("badge.png", "out.jpg", [], .jpeg),
        ("lake.jpg", "out", [], .jpeg),
        ("orbit.gif", "out", [], .gif), ("lake.jpg", "out.JPG", ["--format", "png"], .png),
        ("bubbles.webp", "out", ["--quality", "30"], .webp),
      ] as [(String, String, [String], ImageFormat)])
    func formats(name: String, output: String, options: [String], format: ImageFormat) async throws {
      let place = try Workplace()
      try await Command.succeed(
        ["load", Sample.path(name), "--size", "100x", "--output", place.path(output)] + options)
      #expect(ImageFormat(sniffing: try place.data(output)) == format)
      #expect(try place.contents() == [output])
    }

    @Test("A lower quality makes a smaller file")
    func quality() async throws {
      let place = try Workplace()
      for quality in ["20", "95"] {
        try await Command.succeed(
          "load", Sample.path("lake.jpg"), "--size", "400x", "--output", place.path("\(quality).jpg"), "-q", quality)
      }
      #expect(try place.data("20.jpg").count * 2 < place.data("95.jpg").count)
    }

    @Test("Several images are written into a new folder, with distinct names")
    func folder() async throws {
      let place = try Workplace()
      let list = [Sample.path("badge.png"), Sample.path("badge.png"), Sample.path("orbit.gif")].joined(separator: "\n")
      let outcome = try await Command.succeed(
        "load", "--files-from", "-", "--output", place.path("out"), "--size", "20x", input: list)
      #expect(outcome.lines.count == 4)
      #expect(try place.contents("out") == ["badge-2.png", "badge.png", "orbit.gif"])
    }

    @Test("An empty list succeeds")
    func emptyList() async throws {
      let outcome = try await Command.succeed("load", "--files-from", "-", input: "\n\n")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.isEmpty)
    }

    @Test("A finished file replaces an existing one, and other files stay")
    func replaces() async throws {
      let place = try Workplace()
      try place.write(Data("old".utf8), "out.png")
      try place.write(Data("other".utf8), "other")
      try await Command.succeed("load", Sample.path("badge.png"), "--output", place.path("out.png"))
      #expect(ImageFormat(sniffing: try place.data("out.png")) == .png)
      #expect(try place.contents() == ["other", "out.png"])
    }

    @Test("A file: URL and a data: URL are read without a server")
    func local() async throws {
      let data = "data:image/png;base64," + (try Sample.data("chart.png").base64EncodedString())
      let outcome = try await Command.succeed(
        "load", "file://" + Sample.path("lake.jpg"), "--files-from", "-", "--json", input: data)
      #expect(Set(try outcome.objects().compactMap { $0["origin"] as? String }) == ["file", "inline"])
    }

    @Test("Many concurrent images are loaded once each")
    func many() async throws {
      let chart = try Sample.data("chart.png")
      let origin = try NukeOrigin { _ in .data(chart, type: "image/png") }
      defer { origin.stop() }
      let list = (0..<60).map { origin.url("/\($0 % 30).png").absoluteString }.joined(separator: "\n")
      let outcome = try await Command.succeed(
        "load", "--files-from", "-", "--concurrency", "4", "--json", "--size", "50x", input: list)
      #expect(try outcome.objects().count == 60)
      #expect(Set(origin.log.requests.map(\.path)).count == 30)
    }

    @Test("A terminal shows progress bars during a load, and erases them at the end")
    func terminal() async throws {
      let outcome = try await Command.succeed(
        ["-qefc", "'\(Command.path)' load '\(Sample.path("chart.png"))'", "/dev/null"], path: "/usr/bin/script",
        environment: ["TERM": "xterm"])
      #expect(outcome.output.contains("0 of 1"))
      let shown = try #require(outcome.output.components(separatedBy: "\u{1B}[J").last)
      #expect(!shown.contains("0 of 1"))
      #expect(outcome.output.contains("1200x800 PNG"))
    }

    @Test("A dumb terminal gets plain lines")
    func dumbTerminal() async throws {
      let outcome = try await Command.succeed(
        ["-qefc", "'\(Command.path)' load '\(Sample.path("chart.png"))'", "/dev/null"], path: "/usr/bin/script",
        environment: ["TERM": "dumb"])
      #expect(!outcome.output.contains("\u{1B}"))
    }
  }
#endif
