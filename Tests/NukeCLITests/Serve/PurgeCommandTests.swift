#if Command && Server
  import Foundation
  import Testing

  @Suite("nuke purge", .timeLimit(.minutes(3))) struct PurgeCommandTests {
    private static let keys = ["NUKE_PURGE_KEYS": "736563726574", "NUKE_PURGE_SALTS": "68656c6c6f"]

    @Test("It purges sources and paths on every named server, with the keys of the environment")
    func purges() async throws {
      let servers = [
        try await RunningServe("--demo", environment: Self.keys),
        try await RunningServe("--demo", environment: Self.keys),
      ]
      let addresses = servers.map(\.address.absoluteString)
      let outcome = try await Command.succeed(
        ["purge", "--to", addresses[0], "--to", addresses[1] + "/", "local:///badge.png", "-"],
        input: "w:10/plain/local:///lake.jpg@webp\n", environment: Self.keys)
      let urls = ["local:///badge.png", "w:10/plain/local:///lake.jpg@webp"]
      #expect(outcome.lines == urls.flatMap { url in addresses.map { "\($0): purged \(url)" } })
      for server in servers { _ = await server.stop() }
    }

    @Test("A server that refuses, or is not there, is named with what to do, with status 1; the others are still asked")
    func failures() async throws {
      let good = try await RunningServe("--demo", environment: Self.keys)
      let other = try await RunningServe("--demo")
      let gone = try await RunningServe("--demo")
      _ = await gone.stop()
      let addresses = [gone, other, good].map(\.address.absoluteString)
      let outcome = try await Command.run(
        ["purge"] + addresses.flatMap { ["--to", $0] } + ["local:///badge.png"], environment: Self.keys)
      #expect(outcome.status == 1)
      #expect(outcome.lines == ["\(addresses[2]): purged local:///badge.png"])
      #expect(outcome.errorLines.count == 2, "\(outcome)")
      #expect(outcome.errorLines.first?.hasPrefix("Error: \(addresses[0]): local:///badge.png: ") == true)
      #expect(outcome.errorLines.last?.contains("does not accept DELETE (405)") == true)
      for server in [good, other] { _ = await server.stop() }
    }

    @Test("What a URL cannot contain is signed and sent escaped, and escapes stay")
    func escapes() async throws {
      let server = try await RunningServe("--demo", environment: Self.keys)
      let urls = ["local:///a b%20c.png", "w:10/plain/local:///a b%2520c.png"]
      let outcome = try await Command.succeed(
        ["purge", "--to", server.address.absoluteString] + urls, environment: Self.keys)
      #expect(outcome.lines.count == 2, "\(outcome)")
      _ = await server.stop()
    }

    @Test("The prefix of the environment is used once, whether the address of the server has it or not")
    func prefix() async throws {
      let environment = Self.keys.merging(["NUKE_PATH_PREFIX": "/images"]) { $1 }
      let server = try await RunningServe("--demo", environment: environment)
      let address = server.address.absoluteString
      let outcome = try await Command.run(
        ["purge", "--to", address, "--to", address + "/images/", "local:///badge.png"], environment: environment)
      #expect(outcome.status == 0 && outcome.lines.count == 2, "\(outcome)")
      _ = await server.stop()
    }

    @Test("What a server would reject is not sent, with status 1")
    func invalid() async throws {
      let outcome = try await Command.run(
        ["purge", "--to", "http://127.0.0.1:1", "wobble:1/plain/https://a/2"], environment: Self.keys)
      #expect(outcome.status == 1 && outcome.errors.contains("The option wobble"), "\(outcome)")
    }

    @Test("Without an address, or with one that is none, it says what is needed, with status 2 and its usage")
    func usage() async throws {
      let addressless = try await Command.run(
        ["purge", "--to", "example.com", "https://example.com/a.jpg"], environment: Self.keys)
      #expect(addressless.status == 2 && addressless.errors.contains("https://images.example.com"))
      let socket = try await Command.run(
        ["purge", "https://example.com/a.jpg"], environment: Self.keys.merging(["NUKE_SOCKET": "/s"]) { $1 })
      #expect(socket.status == 2 && socket.errors.contains("--to"))
      for outcome in [addressless, socket] {
        #expect(outcome.errors.contains("Usage: nuke purge <url>"), "\(outcome.errors)")
      }
    }
  }
#endif
