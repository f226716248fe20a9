#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  /// The command on a terminal that the test plays.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct ViewOnTerminalTests {
    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"
    private static let plain = "\u{1B}[?62;c"
    private let xterm = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

    private func view(
      _ arguments: String..., environment: [String: String]? = nil, answer: String? = plain
    ) throws -> TerminalSession {
      try TerminalSession(["view"] + arguments, environment: environment ?? xterm, answer: answer)
    }

    @Test("A terminal that supports kitty graphics gets them at the size of the window, and its modes are restored")
    func kitty() async throws {
      let outcome = try await view(Sample.path("lake.jpg"), answer: Self.kitty).outcome()
      #expect(outcome.status == 0, "\(outcome.text.suffix(300))")
      let image = try #require(outcome.images.first?.bitmap)
      // 23 rows of 20 pixels, and the proportions of 1600 x 1200.
      #expect((image.pixelWidth, image.pixelHeight) == (613, 460))
      #expect(outcome.isRestored)
      #expect(outcome.text.contains("\u{1B}[?25h"))
    }

    @Test("A terminal gets sixels if it supports them, otherwise characters")
    func others() async throws {
      let sixel = try await view(Sample.path("badge.png"), answer: "\u{1B}[?62;4c").outcome()
      #expect(sixel.status == 0 && sixel.text.contains("\u{1B}P0;1q"))
      let blocks = try await view(Sample.path("badge.png")).outcome()
      #expect(blocks.status == 0 && blocks.text.contains("48;2;"))
      #expect(!blocks.text.contains("\u{1B}P") && blocks.images.isEmpty)
      #expect(sixel.isRestored && blocks.isRestored)
    }

    @Test("A terminal that does not reply gets characters after a short wait")
    func silent() async throws {
      let outcome = try await view(Sample.path("badge.png"), answer: nil).outcome()
      #expect(outcome.status == 0 && outcome.text.contains("48;2;"))
      #expect(outcome.isRestored)
    }

    @Test(
      "A dumb terminal and NO_COLOR get a line, without a query",
      arguments: [["TERM": "dumb"], ["TERM": "xterm-kitty", "NO_COLOR": "1"], [:]])
    func plain(environment: [String: String]) async throws {
      let outcome = try await view(Sample.path("badge.png"), environment: environment).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("512x512 PNG"))
      #expect(!outcome.text.contains("\u{1B}"))
    }

    @Test("Previews are drawn while the image loads, and each replaces the previous one")
    func progressive() async throws {
      let body = try Sample.data("dusk.jpg")
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in
        .data(body, type: "image/jpeg").scripted(.head, .bytes(40_000), .wait(gate), .rest)
      }
      defer { origin.stop() }
      let session = try view(origin.url("/dusk.jpg").absoluteString, "--timeout", "300", answer: Self.kitty)
      await session.wait { !$0.images.isEmpty }
      gate.open()
      let outcome = await session.outcome()
      #expect(outcome.status == 0, "\(outcome.text.suffix(300))")
      let images = outcome.images
      #expect(images.count >= 2)
      #expect(outcome.text.ranges(of: "a=d,d=I").count == images.count - 1)
      #expect(images.last?.pixelHeight == 460)
    }

    @Test(
      "An interrupt ends an endless animation, and restores cursor, colors and modes", arguments: [SIGINT, SIGTERM])
    func interrupt(signal: Int32) async throws {
      let session = try view(Sample.path("orbit.gif"), "--animate", "--cells", "10x5", answer: Self.kitty)
      await session.wait { $0.images.count >= 3 }
      session.send(signal)
      let outcome = await session.outcome()
      #expect(outcome.wasSignalled && outcome.status == signal)
      #expect(outcome.text.hasSuffix("\u{1B}\\\u{1B}[0m\u{1B}[?25h\u{1B}[?2026l"))
      #expect(outcome.isRestored)
    }

    @Test("An interrupt during a query restores the modes of the terminal")
    func interruptedQuestion() async throws {
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in .data(Data()).scripted(.wait(gate), .rest) }
      defer {
        gate.open()
        origin.stop()
      }
      // Should it come late, the image does not come either.
      let session = try view(origin.url("/a.jpg").absoluteString, "--timeout", "300", answer: nil)
      await session.wait { $0.count(ofControl: "[c") == 1 }
      session.send(SIGINT)
      let outcome = await session.outcome()
      #expect(outcome.wasSignalled && outcome.status == SIGINT)
      #expect(outcome.isRestored)
    }

    @Test("A resized window is drawn again while the image loads")
    func resize() async throws {
      let body = try Sample.data("dusk.jpg")
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in
        .data(body, type: "image/jpeg").scripted(.head, .bytes(40_000), .wait(gate), .rest)
      }
      defer {
        gate.open()
        origin.stop()
      }
      let session = try view(origin.url("/dusk.jpg").absoluteString, "--timeout", "300", answer: Self.kitty)
      await session.wait { !$0.images.isEmpty }
      session.resize(columns: 20, rows: 6)
      // 5 rows of 20 pixels, with the proportions of 1280 x 854.
      await session.wait { $0.count(ofControl: "[2J") == 1 && $0.images.last?.pixelHeight == 100 }
      gate.open()
      let outcome = await session.outcome()
      #expect(outcome.status == 0, "\(outcome.text.suffix(300))")
      #expect(outcome.images.first.map { $0.pixelHeight > 400 } == true)
      #expect(outcome.images.last?.bitmap.map { [$0.pixelWidth, $0.pixelHeight] } == [150, 100])
      #expect(outcome.transcript.count(ofControl: "[2J") == 1)
      #expect(outcome.isRestored)
    }

    @Test("An animation continues in a resized window")
    func resizeAnimation() async throws {
      let session = try view(Sample.path("orbit.gif"), "--animate", answer: Self.kitty)
      await session.wait { !$0.images.isEmpty }
      session.resize(columns: 20, rows: 6)
      await session.wait { $0.count(ofControl: "[2J") == 1 && $0.images.last?.pixelHeight == 100 }
      session.send(SIGINT)
      let outcome = await session.outcome()
      #expect(outcome.images.first?.pixelHeight == 240)
      #expect(outcome.wasSignalled && outcome.status == SIGINT)
    }

    @Test("A window with one cell is supported")
    func oneCell() async throws {
      for answer in [Self.kitty, "\u{1B}[?62;4c", Self.plain] {
        let session = try TerminalSession(
          ["view", Sample.path("lake.jpg"), Sample.path("badge.png")], environment: xterm, columns: 1, rows: 1,
          answer: answer)
        #expect(await session.outcome().status == 0)
      }
    }

    @Test("--view draws previews, and no progress bars")
    func loadPreview() async throws {
      let body = try Sample.data("dusk.jpg")
      let gate = ScriptGate()
      let origin = try NukeOrigin { _ in
        .data(body, type: "image/jpeg").scripted(.head, .bytes(40_000), .wait(gate), .rest)
      }
      defer { origin.stop() }
      let session = try TerminalSession(
        ["load", origin.url("/dusk.jpg").absoluteString, "--view", "--timeout", "300"], environment: xterm,
        answer: Self.kitty)
      await session.wait { !$0.images.isEmpty }
      gate.open()
      let outcome = await session.outcome()
      #expect(outcome.status == 0, "\(outcome.text.suffix(300))")
      #expect(outcome.images.count >= 2)
      #expect(outcome.text.contains("1280x854 JPEG"))
      #expect(!outcome.text.contains("[==") && !outcome.text.contains("[  "))
    }
  }
#endif
