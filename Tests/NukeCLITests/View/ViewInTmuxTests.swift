#if Command
  import Foundation
  import Testing

  /// The command in a pane of a real tmux, which is read back.
  @Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Tmux.isInstalled, "tmux is not installed"))
  struct ViewInTmuxTests {
    @Test("The pane shows the image as characters, and the next line below")
    func pane() async throws {
      let place = try Workplace()
      let image = try place.image("a.png")
      let tmux = try await Tmux(place, columns: 60, rows: 20)
      let screen = try await tmux.run("'\(Command.path)' view '\(image)' --protocol blocks; echo done")
      await tmux.stop()
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      // 40 x 30 pixels, two of them a cell.
      let drawn = lines.prefix { $0.contains("▀") || $0.contains("▄") }
      #expect(drawn.count == 15, "\(screen)")
      #expect(lines.dropFirst(15).first?.hasPrefix("done") == true)
      for line in drawn { #expect(line.count { $0 == "▀" || $0 == "▄" || $0 == " " } >= 40) }
    }

    @Test("By default, it draws in the pane and sends nothing to the outer terminal")
    func auto() async throws {
      let place = try Workplace()
      let image = try place.image("a.png")
      let tmux = try await Tmux(place, columns: 60, rows: 20)
      let screen = try await tmux.run("KITTY_WINDOW_ID=1 '\(Command.path)' view '\(image)' --cells 20x5; echo done $?")
      await tmux.stop()
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.contains("done 0"), "\(screen)")
      #expect(lines.firstIndex(of: "done 0") == 5, "\(screen)")
      #expect(!screen.contains("a=T"))
    }

    @Test("With kitty's protocol, the outer terminal receives the image, and tmux keeps the cells that show it")
    func kitty() async throws {
      let place = try Workplace()
      let image = try place.image("a.png")
      let tmux = try await Tmux(place, columns: 60, rows: 20)
      try await tmux.call("set-option", "-g", "allow-passthrough", "on")
      let outer = try tmux.attach(columns: 60, rows: 20)
      await outer.wait { !$0.output.isEmpty }
      let screen = try await tmux.run(
        "'\(Command.path)' view '\(image)' --protocol kitty --cells 20x5; echo done $?", withColors: true)
      // What the program has written after the image is on the outer terminal as well.
      await outer.wait { $0.output.firstRange(of: Data("done 0".utf8)) != nil }
      await tmux.stop()
      let outcome = await outer.outcome()

      // 40 x 30 pixels in five rows of cells that are twice as high as wide.
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.prefix(5).map { $0.count { $0.unicodeScalars.first == "\u{10EEEE}" } } == [14, 14, 14, 14, 14])
      #expect(lines.dropFirst(5).first?.hasSuffix("done 0") == true, "\(screen)")
      #expect(outcome.images.count == 1)
      let control = try #require(outcome.text.firstMatch(of: /_Ga=T,[^;]*i=(\d+),U=1,c=14,r=5/))
      let id = try #require(UInt32(control.1))
      // It arrives on the outer terminal even if tmux replaces 24-bit colors.
      let color = Data("\u{1B}[38;5;\(id & 255)m\u{10EEEE}".utf8)
      #expect(Data(screen.utf8).starts(with: color), "\(screen)")
      #expect(outcome.transcript.output.firstRange(of: color) != nil)
    }
  }

  /// A server of tmux's of its own, with one pane.
  struct Tmux {
    static let path = ["/usr/bin/tmux", "/usr/local/bin/tmux"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    static var isInstalled: Bool { path != nil }

    private let socket: String
    private static let environment = [
      "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor", "TMUX": "", "NO_COLOR": "",
    ]

    init(_ place: Workplace, columns: Int, rows: Int) async throws {
      socket = place.path("tmux")
      // The server stays. It must not keep open what tells of the end of this command, nor inherit the signals that
      // the test's process has blocked: without that of its children's end it never ends itself.
      let script = """
        opendir(my $open, "/proc/self/fd"); my @files = grep { /^\\d+$/ && $_ > 2 } readdir($open);
        POSIX::close($_) for @files; sigprocmask(SIG_SETMASK, POSIX::SigSet->new); exec @ARGV
        """
      try await Command.succeed(
        [
          "-MPOSIX=:signal_h", "-e", script, Self.path ?? "", "-u", "-S", socket, "-f", "/dev/null", "new-session",
          "-d",
          "-x", "\(columns)", "-y", "\(rows)", "cat",
        ], path: "/usr/bin/perl", environment: Self.environment)
    }

    /// What the pane shows when the commands of a shell have ended.
    func run(_ script: String, withColors: Bool = false) async throws -> String {
      let signal = "\(Self.path ?? "") -S '\(socket)' wait-for -S done; exec cat"
      try await call("respawn-pane", "-k", "\(script); \(signal)")
      try await call("wait-for", "done")
      return try await withColors ? call("capture-pane", "-p", "-e") : call("capture-pane", "-p")
    }

    /// A terminal that shows the pane.
    func attach(columns: Int, rows: Int) throws -> TerminalSession {
      try TerminalSession(
        ["-S", socket, "attach-session"], path: Self.path ?? "", environment: Self.environment, columns: columns,
        rows: rows)
    }

    func stop() async { _ = try? await call("kill-server") }

    @discardableResult
    func call(_ arguments: String...) async throws -> String {
      let outcome = try await Command.succeed(
        ["-S", socket] + arguments, path: Self.path ?? "", environment: Self.environment)
      return outcome.output
    }
  }
#endif
