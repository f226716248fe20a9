#if Command
  import Foundation
  import Nuke
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct RetryTests {
    /// A server whose first responses have status 503, and all others an image.
    private func makeOrigin(failures: Int, retryAfter: String = "0") throws -> NukeOrigin {
      let image = try Sample.data("badge.png")
      let count = Lock(0)
      return try NukeOrigin { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        guard number <= failures else { return .data(image) }
        var response = NukeOrigin.Response.status(503)
        response.headers.append(("Retry-After", retryAfter))
        return response
      }
    }

    @Test("--retries repeats a request that a server cannot answer yet", arguments: ["load", "info", "hash", "view"])
    func retries(command: String) async throws {
      let origin = try makeOrigin(failures: 2)
      defer { origin.stop() }
      try await Command.succeed(command, origin.url("/a.png").absoluteString, "--retries", "2")
      #expect(origin.log.requests.count == 3)
    }

    @Test(
      "Without --retries, and when they are used up, the status is the failure",
      arguments: [([], 1), (["--retries", "0"], 1), (["--retries", "1"], 2)] as [([String], Int)])
    func usedUp(options: [String], count: Int) async throws {
      let origin = try makeOrigin(failures: 9)
      defer { origin.stop() }
      let outcome = try await Command.run(["load", origin.url("/a.png").absoluteString] + options)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("status 503"), "\(outcome.errors)")
      #expect(origin.log.requests.count == count)
    }

    @Test("prefetch retries three times, unless --retries says otherwise")
    func prefetch() async throws {
      let place = try Workplace()
      for (options, count, status) in [([], 4, Int32(0)), (["--retries", "0"], 1, 1)] as [([String], Int, Int32)] {
        let origin = try makeOrigin(failures: 3)
        defer { origin.stop() }
        let arguments = ["prefetch", "-", "--cache", place.path("cache-\(count)")] + options
        let outcome = try await Command.run(arguments, input: origin.url("/a.png").absoluteString + "\n")
        #expect(outcome.status == status, "\(outcome)")
        #expect(origin.log.requests.count == count)
      }
    }

    @Test("A server that asks for a long delay fails at once")
    func longDelay() async throws {
      let origin = try makeOrigin(failures: 1, retryAfter: "3600")
      defer { origin.stop() }
      let outcome = try await Command.run("load", origin.url("/a.png").absoluteString, "--retries", "3")
      #expect(outcome.status == 1)
      #expect(origin.log.requests.count == 1)
    }

    @Test("A download that breaks off is resumed")
    func resumed() async throws {
      let image = try Sample.data("lake.jpg")
      let isFirst = Lock(true)
      let origin = try NukeOrigin { request in
        let whole = NukeOrigin.Response.ranged(image, type: "image/jpeg", etag: "\"1\"", for: request)
        guard isFirst.withLock({ exchange(&$0, with: false) }) else { return whole }
        return whole.scripted(.head, .bytes(100_000), .close)
      }
      defer { origin.stop() }
      let outcome = try await Command.succeed("load", origin.url("/a.jpg").absoluteString, "--retries", "1", "--json")
      #expect(try outcome.objects().first?["bytes"] as? Int == image.count)
      #expect(origin.log.requests.last?.header("Range")?.hasPrefix("bytes=") == true)
    }

    @Test("A number of retries out of range is invalid usage", arguments: ["-1", "101", "x"])
    func range(count: String) async throws {
      let outcome = try await Command.run("load", "a.jpg", "--retries=\(count)")
      #expect(outcome.status == 2)
    }
  }
#endif
