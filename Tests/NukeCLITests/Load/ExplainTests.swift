#if Command
  import Foundation
  import NukeOrigin
  import Testing

  @Suite(.timeLimit(.minutes(2))) struct ExplainTests {
    private let place: Workplace
    private let origin: NukeOrigin
    private var source: String { origin.url("/lake.jpg").absoluteString }

    init() throws {
      place = try Workplace()
      let image = try Sample.data("lake.jpg")
      origin = try NukeOrigin { _ in .data(image, type: "image/jpeg") }
    }

    private func explain(_ options: String...) async throws -> Command.Outcome {
      try await Command.run(["load", source, "--explain", "--cache", place.path("cache")] + options)
    }

    @Test("--explain prints the steps, sends no requests and creates no folder")
    func nothingDone() async throws {
      defer { origin.stop() }
      let outcome = try await explain("--size", "200x>")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.first == source)
      #expect(outcome.output.contains("network: to be loaded"))
      #expect(outcome.output.contains("process with org.nuke.resize"))
      #expect(origin.log.requests.isEmpty)
      #expect(try place.contents().isEmpty)
    }

    @Test("A JSON object contains the explanation with the current cache")
    func json() async throws {
      defer { origin.stop() }
      #expect(try await Command.run("load", source, "--cache", place.path("cache")).status == 0)
      let outcome = try await explain("--json", "--cache-policy", "ignore")
      #expect(outcome.status == 0)
      let object = try #require(try outcome.objects().first)
      #expect(object["source"] as? String == source)
      #expect(object["ok"] as? Bool == true)
      let explanation = try #require(object["explanation"] as? [String: Any])
      let lookups = try #require(explanation["lookups"] as? [[String: Any]])
      #expect(lookups.last?["place"] as? String == "disk")
      #expect(lookups.last?["finding"] as? String == "hit")
      #expect(explanation["byteCount"] as? Int == (try Sample.data("lake.jpg").count))
      #expect(origin.log.requests.count == 1)
      // The server has not said for how long it stays right.
      let respecting = try await explain()
      #expect(respecting.output.contains("found, and to be validated"))
      #expect(origin.log.requests.count == 1)
    }

    @Test("A load that would fail has status 1, and other sources are explained")
    func failures() async throws {
      defer { origin.stop() }
      let outcome = try await explain("gopher://a/b", Sample.path("badge.png"), "--offline", "--json")
      #expect(outcome.status == 1)
      #expect(outcome.errorLines == ["nuke: gopher://a/b: gopher: URLs cannot be loaded"])
      let objects = try outcome.objects()
      #expect(objects.map { $0["ok"] as? Bool } == [false, false, true])
      #expect(objects.first?["error"] is String && objects.first?["explanation"] is [String: Any])
      #expect(origin.log.requests.isEmpty)
    }
  }
#endif
