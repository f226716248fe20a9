#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite("nuke watch", .serialized, .timeLimit(.minutes(2))) struct WatchCommandTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
      for folder in ["in", "elsewhere"] { try makeFolder(folder) }
    }

    private func makeFolder(_ name: String) throws {
      try FileManager.default.createDirectory(
        at: place.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }

    private func move(_ name: String, to new: String) throws {
      #expect(rename(place.path(name), place.path(new)) == 0)
    }

    /// Starts to watch the folder `in`, and returns when it waits for files.
    private func watch(_ options: String...) async throws -> Command.Running {
      let output = options.contains("--output") ? [] : ["--output", place.path("out")]
      let command = try Command.Running(["watch", place.path("in"), "--size", "20x"] + output + options)
      command.write("")
      let start = await command.waitForOutput("watching \(place.path("in"))")
      #expect(start.contains("watching"))
      return command
    }

    private func end(_ command: Command.Running) async -> Command.Outcome {
      command.send(SIGTERM)
      let outcome = await command.outcome()
      #expect(outcome.wasSignalled && outcome.status == SIGTERM)
      return outcome
    }

    private func width(_ name: String) throws -> Int {
      try ImageReaders.reader(for: place.data(name)).header.pixelWidth
    }

    @Test("Images are converted when they are closed, and when they are moved into the folder")
    func arrivals() async throws {
      let command = try await watch()
      try place.image("in/written.png")
      _ = await command.waitForOutput("written.png")
      try place.image("elsewhere/moved.png")
      try move("elsewhere/moved.png", to: "in/moved.png")
      _ = await command.waitForOutput("moved.png")
      let outcome = await end(command)
      #expect(outcome.errors.isEmpty)
      #expect(try place.contents("out") == ["moved.png", "written.png"])
      #expect(try width("out/moved.png") == 20)
    }

    @Test("A file that is being written is not read before it is closed", arguments: [true, false])
    func halfWritten(isThereAtStart: Bool) async throws {
      try place.image("elsewhere/a.png")
      let data = try place.data("elsewhere/a.png")
      let path = place.path("in/a.png")
      var file: FileHandle?
      func begin() throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = FileHandle(forWritingAtPath: path)
        try #require(file).write(contentsOf: data.prefix(100))
      }
      if isThereAtStart { try begin() }
      let command = try await watch()
      if !isThereAtStart {
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o644)
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try #require(file).write(contentsOf: data.prefix(100))
      }
      // It follows in the order of events, and shows that the first file was left alone.
      try place.image("in/gate.png")
      let early = await command.waitForOutput("gate.png")
      #expect(!early.contains("a.png"))
      try #require(file).write(contentsOf: data.dropFirst(100))
      try file?.close()
      _ = await command.waitForOutput("a.png")
      let outcome = await end(command)
      #expect(outcome.errors.isEmpty)
      #expect(try place.contents("out") == ["a.png", "gate.png"])
    }

    @Test("Images that are there at the start are converted, unless their output is newer")
    func existing() async throws {
      try place.image("in/a.png")
      try place.image("in/b.png")
      let first = await end(try await watch())
      #expect(first.output.contains("a.png") && first.output.contains("b.png"))
      let second = await end(try await watch())
      #expect(second.lines == ["watching \(place.path("in"))"])
      let later = Date(timeIntervalSinceNow: 3600)
      try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: place.path("in/b.png"))
      let third = await end(try await watch())
      #expect(!third.output.contains("a.png") && third.output.contains("b.png"))
    }

    @Test("A dry run prints the images that would be converted at the start, writes nothing, and ends")
    func dryRun() async throws {
      try place.image("in/a.png")
      let arguments = ["watch", place.path("in"), "--output", place.path("out"), "--format", "webp", "--dry-run"]
      let outcome = try await Command.succeed(arguments)
      #expect(outcome.lines == ["\(place.path("in/a.png")) → \(place.path("out/a.webp"))"])
      #expect(try place.contents() == ["elsewhere", "in"])
      // An output that is newer stays.
      try makeFolder("out")
      try place.write(Data("newer".utf8), "out/a.webp")
      #expect(try await Command.succeed(arguments).output.isEmpty)
      let missing = try await Command.run("watch", place.path("none"), "--output", place.path("out"), "--dry-run")
      #expect(missing.status == 1)
    }

    @Test("The output folder may be in the watched folder", arguments: ["in/out", "in/out/tn_{name}.{ext}"])
    func outputInside(output: String) async throws {
      let command = try await watch("--recursive", "--output", place.url.path + "/" + output)
      try place.image("in/a.png")
      _ = await command.waitForOutput("a.png")
      try place.image("in/gate.png")
      _ = await command.waitForOutput("gate.png")
      let outcome = await end(command)
      #expect(outcome.lines.count == 3, "\(outcome.output)")
      let prefix = output.hasSuffix("}") ? "tn_" : ""
      #expect(try place.contents("in/out") == ["a.png", "gate.png"].map { prefix + $0 })
    }

    @Test("The output cannot be the watched folder", arguments: ["in", "in/", "in/tn_{name}.{ext}", "in/../in"])
    func sameFolder(output: String) async throws {
      let outcome = try await Command.run("watch", place.path("in"), "--output", place.url.path + "/" + output)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("must not be the watched folder"), "\(outcome.errors)")
    }

    @Test("New folders are watched with --recursive, also those that are moved, with what is in them")
    func newFolders() async throws {
      try makeFolder("in/old")
      let command = try await watch("--recursive")
      try place.image("in/old/1.png")
      _ = await command.waitForOutput("1.png")
      try makeFolder("elsewhere/new/deep")
      try place.image("elsewhere/new/deep/2.png")
      try move("elsewhere/new", to: "in/new")
      _ = await command.waitForOutput("2.png")
      try place.image("in/new/deep/3.png")
      _ = await command.waitForOutput("3.png")
      try move("in/new", to: "in/renamed")
      try place.image("in/renamed/deep/4.png")
      _ = await command.waitForOutput("4.png")
      let outcome = await end(command)
      #expect(outcome.errors.isEmpty)
      #expect(try place.contents("out/old") == ["1.png"])
      #expect(try place.contents("out/new/deep") == ["2.png", "3.png"])
      #expect(try place.contents("out/renamed/deep").contains("4.png"))
    }

    @Test("A link to a folder that is watched already adds no sources")
    func cycle() async throws {
      let command = try await watch("--recursive")
      try place.image("in/1.png")
      _ = await command.waitForOutput("1.png")
      try makeFolder("elsewhere/new")
      try place.image("elsewhere/new/2.png")
      try FileManager.default.createSymbolicLink(
        atPath: place.path("elsewhere/new/up"), withDestinationPath: place.path("in"))
      try move("elsewhere/new", to: "in/new")
      _ = await command.waitForOutput("2.png")
      try place.image("in/3.png")
      _ = await command.waitForOutput("3.png")
      _ = await end(command)
      #expect(try place.contents("out") == ["1.png", "3.png", "new"])
      #expect(try place.contents("out/new") == ["2.png"])
    }

    @Test("Folders in the folder are left out without --recursive, and hidden and other files always")
    func leftOut() async throws {
      try makeFolder("in/sub")
      let command = try await watch()
      try place.image("in/sub/a.png")
      try place.image("in/.hidden.png")
      try place.write(Data("text".utf8), "in/notes.txt")
      try place.image("in/gate.png")
      _ = await command.waitForOutput("gate.png")
      let outcome = await end(command)
      #expect(outcome.lines.count == 2 && outcome.errors.isEmpty, "\(outcome)")
      #expect(try place.contents("out") == ["gate.png"])
    }

    @Test("An image that fails is reported, and the next ones are converted")
    func failure() async throws {
      let command = try await watch()
      try place.write(Data("text".utf8), "in/bad.jpg")
      _ = await command.waitForErrors("bad.jpg")
      try place.image("in/good.png")
      _ = await command.waitForOutput("good.png")
      let outcome = await end(command)
      #expect(outcome.errorLines.count == 1)
      #expect(try place.contents("out") == ["good.png"])
    }

    @Test("Two images with one output do not replace each other, unless the first one is gone")
    func sameName() async throws {
      let command = try await watch("--format", "webp")
      try place.image("in/a.png", number: 1)
      _ = await command.waitForOutput("a.png")
      let first = try place.data("out/a.webp")
      try place.image("in/a.jpg", number: 2)
      _ = await command.waitForErrors("a.jpg")
      #expect(try place.data("out/a.webp") == first)
      try FileManager.default.removeItem(atPath: place.path("in/a.png"))
      try place.image("in/a.jpg", number: 2)
      _ = await command.waitForOutput("a.jpg")
      _ = await end(command)
      #expect(try place.data("out/a.webp") != first)
    }

    @Test("A folder that is removed ends the command with an error", arguments: [true, false])
    func removed(isMoved: Bool) async throws {
      let command = try await watch()
      if isMoved {
        try move("in", to: "away")
      } else {
        try FileManager.default.removeItem(atPath: place.path("in"))
      }
      let outcome = await command.outcome()
      #expect(outcome.status == 1 && !outcome.wasSignalled)
      #expect(
        outcome.errorLines == [
          "nuke: \(place.path("in")) cannot be watched anymore: it was removed, moved or unmounted"
        ])
    }

    @Test("A folder that is not there, or is a file, is an error")
    func noFolder() async throws {
      let missing = try await Command.run("watch", place.path("none"), "--output", place.path("out"))
      #expect(missing.status == 1)
      #expect(missing.errorLines == ["nuke: cannot watch \(place.path("none")): no such file or directory"])
      let file = try await Command.run("watch", try place.image("a.png"), "--output", place.path("out"))
      #expect(file.status == 1)
      #expect(try place.contents() == ["a.png", "elsewhere", "in"])
    }

    @Test("If the system has dropped events, the folder is searched again")
    func overflow() async throws {
      let setting = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let count = try #require(Int(setting.trimmingCharacters(in: .whitespacesAndNewlines)))
      try #require(count <= 1 << 18)
      let command = try await watch()
      command.send(SIGSTOP)
      while try !isStopped(command.processIdentifier) { await Task.yield() }
      // Equal events one after the other would be one. The command may have read some before it stopped.
      for number in 0...count {
        let descriptor = open(place.path(number % 2 == 0 ? "in/a.txt" : "in/b.txt"), O_WRONLY | O_CREAT, 0o644)
        close(descriptor)
      }
      try place.image("in/lost.png")
      command.send(SIGCONT)
      _ = await command.waitForOutput("lost.png")
      let outcome = await end(command)
      #expect(outcome.errors.isEmpty)
      #expect(try place.contents("out") == ["lost.png"])
    }

    /// The state of a process is the first letter after its name in parentheses (proc(5)).
    private func isStopped(_ process: Int32) throws -> Bool {
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return text.split(separator: ")").last?.split(separator: " ").first == "T"
    }

    @Test(
      "Invalid usage",
      arguments: [
        [], ["in"], ["in", "--output", ""], ["in", "--output", "-"], ["in", "--output", "same.{ext}"],
        ["in", "--output", "{name}-{index}.{ext}"], ["in", "--output", "{name}-{width}.{ext}"],
        ["in", "--output", "{nmae}.{ext}"], ["in", "--output", "out", "--size", "x"],
      ])
    func usage(arguments: [String]) async throws {
      let outcome = try await Command.run(["watch"] + arguments)
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("Error: "))
    }
  }
#endif
