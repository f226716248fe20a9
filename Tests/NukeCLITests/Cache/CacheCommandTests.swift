#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct CacheCommandTests {
    private let place: Workplace
    private var folder: String { place.path("cache") }

    init() throws { place = try Workplace() }

    /// A cache with an entry of `count` bytes for each key.
    @discardableResult
    private func fill(_ entries: KeyValuePairs<String, Int>) throws -> DataCache {
      let cache = try DataCache(path: URL(fileURLWithPath: folder))
      for (key, count) in entries { cache.storeData(Data(repeating: 1, count: count), for: key) }
      cache.sweep()
      return cache
    }

    /// The file of an entry, without opening the cache: a cache that was just opened scans its folder in the background, and
    /// the scan removes an entry whose metadata is empty while a test writes it.
    private func file(_ key: String) -> URL {
      let name = DataCache.filename(for: key)!
      return URL(fileURLWithPath: folder).appendingPathComponent("\(name.prefix(2))/\(name)")
    }

    private func beside(_ file: URL) -> URL {
      file.deletingLastPathComponent().appendingPathComponent("." + file.lastPathComponent)
    }

    private func run(_ arguments: String...) async throws -> Command.Outcome {
      try await Command.run(["cache"] + arguments)
    }

    // MARK: stats

    @Test("Statistics contain entries, their sizes, and the times of use")
    func stats() async throws {
      try fill(["a": 100, "b": 5000])
      let object = try #require(try await run("stats", folder, "--json").objects().first)
      #expect(object["folder"] as? String == folder)
      #expect(object["entries"] as? Int == 2)
      #expect(object["bytes"] as? Int == 5100)
      #expect(object["allocated"] as? Int == 20480)
      let oldest = try #require(try Date(#require(object["oldestUse"] as? String), strategy: .iso8601))
      let newest = try #require(try Date(#require(object["newestUse"] as? String), strategy: .iso8601))
      #expect(oldest <= newest && newest <= Date())
      let text = try await run("stats", folder)
      #expect(text.status == 0)
      #expect(text.lines.count == 4)
      #expect(text.output.contains("entries     2\n"))
      #expect(text.output.contains("5.10 KB"))
      #expect(text.output.contains("20.5 KB"))
    }

    @Test("An empty cache has no times of use")
    func emptyStats() async throws {
      try fill([:])
      let object = try #require(try await run("stats", folder, "--json").objects().first)
      #expect(object["entries"] as? Int == 0)
      #expect(object["oldestUse"] is NSNull && object["newestUse"] is NSNull)
      #expect(try await run("stats", folder).lines.count == 3)
    }

    // MARK: verify

    @Test("An intact cache has status 0")
    func whole() async throws {
      try fill(["a": 100, "b": 5000])
      let outcome = try await run("verify", folder)
      #expect(outcome.status == 0)
      #expect(outcome.lines == ["2 entries intact: 5.10 KB read"])
      #expect(try await run("verify", folder, "--quiet").output.isEmpty)
    }

    @Test("Each damaged entry is a line with the reason, and is removed only with --remove")
    func damaged() async throws {
      try fill(["changed": 100, "cut": 100, "lost": 100, "fine": 100])
      try Data(repeating: 2, count: 100).write(to: file("changed"))
      try Data(repeating: 1, count: 50).write(to: file("cut"))
      try Data("nonsense".utf8).write(to: beside(file("lost")))
      for _ in 0..<2 {
        let outcome = try await run("verify", folder)
        #expect(outcome.status == 1)
        #expect(
          Set(outcome.errorLines) == [
            "nuke: \(file("changed").path) (changed): the data does not match its checksum",
            "nuke: \(file("cut").path) (cut): the data does not have the stored length",
            "nuke: \(file("lost").path): the metadata is missing or damaged",
          ])
        #expect(outcome.output.hasPrefix("1 entry intact, 3 damaged: "), "\(outcome.output)")
      }
      let removed = try await run("verify", folder, "--remove", "--json")
      #expect(removed.status == 0)
      let objects = try removed.objects()
      #expect(objects.count == 4)
      #expect(objects.dropLast().allSatisfy { $0["removed"] as? Bool == true && $0["error"] is String })
      #expect(Set(objects.dropLast().compactMap { $0["key"] as? String }) == ["changed", "cut"])
      let last = try #require(objects.last)
      #expect(last["ok"] as? Bool == true)
      #expect(last["entries"] as? Int == 4)
      #expect(last["whole"] as? Int == 1 && last["damaged"] as? Int == 3 && last["removed"] as? Int == 3)
      #expect(!FileManager.default.fileExists(atPath: file("changed").path))
      #expect(try await run("verify", folder).lines == ["1 entry intact: 100 B read"])
    }

    @Test("A key cannot break the line")
    func hostileKey() async throws {
      try fill(["a\nb\u{1B}[2J": 100])
      try Data(repeating: 2, count: 100).write(to: file("a\nb\u{1B}[2J"))
      let outcome = try await run("verify", folder)
      #expect(outcome.errorLines.count == 1)
      #expect(!outcome.errors.contains("\u{1B}"))
    }

    // MARK: sweep

    @Test("Sweeping removes the least recently used entries, down to the size")
    func sweep() async throws {
      let cache = try fill(["a": 4000, "b": 4000, "c": 4000])
      _ = cache.cachedData(for: "a")
      cache.sweep()
      let outcome = try await run("sweep", folder, "--cache-size", "17K")
      #expect(outcome.status == 0)
      #expect(outcome.lines == ["removed 1 entry (8.19 KB); left: 2 entries, 16.4 KB on disk"])
      #expect(!FileManager.default.fileExists(atPath: file("b").path))
      let object = try #require(try await run("sweep", folder, "--cache-size", "10K", "--json").objects().first)
      #expect(object["removed"] as? Int == 1 && object["freed"] as? Int == 8192)
      #expect(object["entries"] as? Int == 1 && object["bytes"] as? Int == 4000 && object["allocated"] as? Int == 8192)
      #expect(FileManager.default.fileExists(atPath: file("a").path))
    }

    @Test("A dry run prints what would be removed, and removes nothing")
    func dryRun() async throws {
      try fill(["a": 4000, "b": 4000, "c": 4000])
      let swept = ["sweep", folder, "--cache-size", "17K", "--dry-run"]
      for (arguments, line, count, freed) in [
        (swept, "would remove 1 entry (8.19 KB); left: 2 entries, 16.4 KB on disk", 1, 8192),
        (
          ["sweep", folder, "--cache-size", "1M", "--dry-run"],
          "would remove 0 entries (0 B); left: 3 entries, 24.6 KB on disk", 0, 0
        ),
        // It asks nothing, so that it needs no --yes.
        (["clear", folder, "--dry-run"], "would remove 3 entries (24.6 KB); left: 0 entries, 0 B on disk", 3, 24576),
      ] {
        #expect(try await Command.succeed(["cache"] + arguments).lines == [line])
        let object = try #require(try await Command.succeed(["cache"] + arguments + ["--json"]).objects().first)
        #expect(object["dryRun"] as? Bool == true)
        #expect(object["removed"] as? Int == count && object["freed"] as? Int == freed)
        #expect(object["entries"] as? Int == 3 - count)
      }
      for key in ["a", "b", "c"] { #expect(FileManager.default.fileExists(atPath: file(key).path)) }
      // The entry that it counts is the one that is removed.
      let removed = try await Command.succeed(["cache"] + swept.dropLast())
      #expect(removed.lines == ["removed 1 entry (8.19 KB); left: 2 entries, 16.4 KB on disk"])
    }

    // MARK: clear

    @Test("Clearing removes the entries and leaves other files of the folder")
    func clear() async throws {
      try fill(["a": 4000, "b": 4000])
      try place.write(Data("kept".utf8), "cache/letter.txt")
      try FileManager.default.createDirectory(atPath: place.path("cache/my"), withIntermediateDirectories: true)
      try place.write(Data("kept".utf8), "cache/my/letter.txt")
      let outcome = try await run("clear", folder, "--yes")
      #expect(outcome.status == 0)
      #expect(outcome.lines == ["removed 2 entries (16.4 KB); left: 0 entries, 0 B on disk"])
      #expect(try place.data("cache/letter.txt") == Data("kept".utf8))
      #expect(try place.data("cache/my/letter.txt") == Data("kept".utf8))
      #expect(!FileManager.default.fileExists(atPath: file("a").path))
      // There is nothing to ask for.
      #expect(try await run("clear", folder).status == 0)
    }

    @Test("Without a terminal, nothing is removed unless --yes is given")
    func clearUnasked() async throws {
      try fill(["a": 4000])
      let outcome = try await Command.run("cache", "clear", folder, input: "y\n")
      #expect(outcome.status == 1)
      #expect(
        outcome.errorLines == ["nuke: nothing was removed from \(folder): there is no terminal to ask on, so use --yes"]
      )
      #expect(FileManager.default.fileExists(atPath: file("a").path))
    }

    @Test(
      "A terminal asks for confirmation",
      arguments: [("y", true), ("YES", true), ("n", false), ("", false), ("yeah", false)])
    func clearAsked(answer: String, isRemoved: Bool) async throws {
      try fill(["a": 4000])
      let outcome = try await Command.run(
        ["-qefc", "'\(Command.path)' cache clear '\(folder)'", "/dev/null"], input: answer + "\n",
        path: "/usr/bin/script")
      #expect(outcome.output.contains("Remove 1 entry, 8.19 KB on disk, from \(folder)? [y/N] "))
      #expect((outcome.status == 0) == isRemoved)
      #expect(FileManager.default.fileExists(atPath: file("a").path) == !isRemoved)
    }

    // MARK: What is no cache

    @Test(
      "A folder that is not a cache is a one-line error with status 1, and stays unchanged",
      arguments: [["stats"], ["verify", "--remove"], ["sweep", "--cache-size", "1K"], ["clear", "--yes"]])
    func refused(command: [String]) async throws {
      try place.write(Data("kept".utf8), "letter.txt")
      try place.write(Data("kept".utf8), "other.txt")
      try FileManager.default.createDirectory(atPath: place.path("empty"), withIntermediateDirectories: true)
      // A file of that name does not make it one.
      try FileManager.default.createDirectory(atPath: place.path("log"), withIntermediateDirectories: true)
      try place.write(Data("Dear diary".utf8), "log/journal")
      try FileManager.default.createDirectory(atPath: place.path("sub/journal"), withIntermediateDirectories: true)
      let before = try FileManager.default.subpathsOfDirectory(atPath: place.url.path).sorted()
      for (path, reason) in [
        (place.path("none"), "no such folder: \(place.path("none"))"),
        (place.path("letter.txt"), "cannot use \(place.path("letter.txt")) as a cache: not a directory"),
        (place.path("empty"), "\(place.path("empty")) is not a cache: it is empty"),
        (place.url.path, "\(place.url.path) is not a cache: it contains other files. It was left unchanged"),
        (place.path("log"), "\(place.path("log")) is not a cache: it contains other files. It was left unchanged"),
        (place.path("sub"), "\(place.path("sub")) is not a cache: it contains other files. It was left unchanged"),
      ] {
        let outcome = try await Command.run(["cache", command[0], path] + command.dropFirst())
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errorLines == ["nuke: \(reason)"])
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: place.url.path).sorted() == before)
      #expect(try place.data("log/journal") == Data("Dear diary".utf8))
    }

    @Test("An unreadable folder is a one-line error", .enabled(if: getuid() != 0))
    func unreadable() async throws {
      try fill(["a": 10])
      defer { chmod(folder, 0o700) }
      chmod(folder, 0)
      let outcome = try await run("stats", folder)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: cannot use \(folder) as a cache: permission denied"])
    }

    // MARK: Other processes

    @Test("A cache is maintained while another process uses it")
    func inUse() async throws {
      let gate = ScriptGate()
      let image = try Sample.data("badge.png")
      let origin = try NukeOrigin { $0.path == "/held.png" ? .data(image).held(by: gate) : .data(image) }
      defer { origin.stop() }
      let loading = try Command.Running(
        [
          "load", origin.url("/first.png").absoluteString, origin.url("/held.png").absoluteString, "--cache", folder,
          "--json", "--timeout", "300",
        ])
      loading.write("")
      await loading.waitForLines(1)
      try await origin.waitUntil { $0.requests.count == 2 }
      #expect(try await run("verify", folder, "--remove").status == 0)
      #expect(try await run("clear", folder, "--yes").status == 0)
      #expect(try await run("sweep", folder, "--cache-size", "1K").status == 0)
      gate.open()
      #expect(await loading.outcome().status == 0)
      #expect(try await run("verify", folder).status == 0)
      let held = origin.url("/held.png").absoluteString
      try await Command.succeed("load", held, "--offline", "--cache", folder)
    }
  }
#endif
