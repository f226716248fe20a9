#if Command && Server
  import Foundation
  import Nuke
  import Testing

  @Suite("Options of the server in nuke convert", .serialized, .timeLimit(.minutes(2))) struct ServerOptionTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test(
      "Options have the effect that they have in URLs",
      arguments: [
        (["rs:fill:300:200"], 300, 200), (["rs:fit:300:200"], 267, 200), (["rs:force:50:60"], 50, 60),
        (["rs:fit:300:200/pd:10"], 287, 220), (["c:200:100", "s:100"], 100, 50),
      ] as [([String], Int, Int)])
    func sizes(options: [String], width: Int, height: Int) async throws {
      let outcome = try await Command.succeed(
        ["convert", Sample.path("lake.jpg")] + options + [place.path("out.webp"), "--json"])
      let image = try #require(PlatformImage(data: place.data("out.webp")))
      #expect(image.pixelWidth == width && image.pixelHeight == height)
      #expect(ImageFormat(sniffing: try place.data("out.webp")) == .webp)
      let object = try #require(try outcome.objects().first)
      #expect(object["width"] as? Int == width && object["height"] as? Int == height)
      #expect(object["format"] as? String == "jpeg" && object["origin"] as? String == "file")
    }

    @Test("The file is the one that the server sends", arguments: ["png", "webp", "jpg"])
    func served(ending: String) async throws {
      try await Command.succeed(
        "convert", Sample.path("badge.png"), "rs:fill:120:90", "bg:ff8000", "sh:0.7", place.path("out.\(ending)"))
      let server = try await RunningServe("--demo")
      let answer = try await server.get("/unsafe/rs:fill:120:90/bg:ff8000/sh:0.7/plain/local:///badge.png@\(ending)")
      #expect(answer.status == 200)
      #expect(try place.data("out.\(ending)") == answer.data)
      _ = await server.stop()
    }

    @Test("Options apply to every source, and the format may be one of them")
    func folder() async throws {
      try await Command.succeed(
        "convert", try place.image("a.png"), "s:20/f:webp", try place.image("b.png"), "-o", place.path("out/"))
      #expect(try place.contents("out") == ["a.webp", "b.webp"])
      try await Command.succeed("convert", place.path("a.png"), "f:best", place.path("best") + "/")
      #expect(try place.contents("best").count == 1)
    }

    @Test("--quality takes the place of the option q")
    func quality() async throws {
      for (name, options) in [("a", ["q:30"]), ("b", ["q:90", "--quality", "30"]), ("c", ["q:90"])] {
        try await Command.succeed(
          ["convert", Sample.path("lake.jpg"), "w:200"] + options + ["-o", place.path("\(name).jpg")])
      }
      #expect(try place.data("a.jpg") == place.data("b.jpg"))
      #expect(try place.data("b.jpg").count < place.data("c.jpg").count)
    }

    @Test("A file whose name begins like an option is named with its folder")
    func file() async throws {
      try place.image("w:100.png")
      try await Command.succeed(
        ["-c", "cd '\(place.url.path)' && '\(Command.path)' convert ./w:100.png out.png"], path: "/bin/sh")
    }

    @Test(
      "Invalid options, and those that need a server, are invalid usage",
      arguments: [
        (["rs:stretch:300:200"], "rs"), (["w:wide"], "w"), (["wm:1"], "option watermark works only in URLs"),
        (["pr:small"], "there is no preset"), (["placeholder:blurhash"], "option placeholder works only in URLs"),
        (["wmu:YQ"], "option watermark_url works only in URLs"), (["exp:1"], "option expires works only in URLs"),
        (["w:10", "--size", "20x"], "w:10 is an option of the server"),
        (["w:10", "--effort", "5"], "w:10 is an option of the server"),
        (["rz:300"], "rz:300 is not a file. The option rz is not valid: there is no such option."),
        (["hight:300/q:70"], "hight:300/q:70 is not a file. The option hight is not valid"),
        (["hight:300"], "a similar one is height"),
        (["w:10/20"], "The option w:10/20 is not valid: 20 has no colon"),
      ] as [([String], String)])
    func wrong(arguments: [String], reason: String) async throws {
      let outcome = try await Command.run(
        ["convert", Sample.path("lake.jpg")] + arguments + ["-o", place.path("out.png")])
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(try place.contents().isEmpty)
    }

    @Test("An option in the place of the output is invalid usage", arguments: ["w:10", "rs:fill:300:200/q:70"])
    func last(option: String) async throws {
      for output in [[], [place.path("out.png")]] {
        let outcome = try await Command.run(["convert", Sample.path("lake.jpg")] + output + [option])
        #expect(outcome.status == 2)
        #expect(
          outcome.errors.contains("\(option) is an option of the server, and the last argument must be the output."),
          "\(outcome.errors)")
      }
      #expect(try place.contents().isEmpty)
    }

    @Test("A source that is not an image is a failure, and leaves no file")
    func failure() async throws {
      let text = try place.write(Data("text".utf8), "notes.txt")
      let outcome = try await Command.run("convert", text, "w:10", place.path("out.png"))
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1)
      #expect(try place.contents() == ["notes.txt"])
    }
  }
#endif
