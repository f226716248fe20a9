#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct FiltersCommandTests {
    @Test("Every filter is a line with its name and summary")
    func list() async throws {
      let outcome = try await Command.succeed("filters")
      #expect(outcome.errors.isEmpty)
      #expect(outcome.lines.map { String($0.prefix { $0 != " " }) } == ImageFilters.names)
      #expect(outcome.lines.allSatisfy { $0.hasSuffix(".") })
    }

    @Test("A filter is described with its keys, types, defaults and ranges")
    func one() async throws {
      let outcome = try await Command.succeed("filters", "CIColorCube")
      for part in [
        "CIColorCube\n", "inputCubeDimension  a finite number from 2 to 128; 2 by default",
        "inputCubeData       data; required",
      ] {
        #expect(outcome.output.contains(part), "\(part)")
      }
      for line in outcome.lines { #expect(line.count <= 80) }
      #expect(try await Command.run("filters", "CIColorInvert").output.contains("It has no keys."))
    }

    @Test("JSON contains the same information")
    func json() async throws {
      let all = try await Command.run("filters", "--json").objects()
      #expect(all.compactMap { $0["name"] as? String } == ImageFilters.names)
      let one = try #require(try await Command.run("filters", "CIVignette", "--json").objects().first)
      let parameters = try #require(one["parameters"] as? [[String: Any]])
      #expect(parameters.compactMap { $0["key"] as? String } == ["inputIntensity", "inputRadius"])
      #expect(parameters.allSatisfy { $0["kind"] as? String == "number" && $0["required"] as? Bool == false })
      #expect(parameters[1]["minimum"] as? Double == 0)
      #expect(parameters[1]["maximum"] == nil)
      let cube = try #require(try await Command.run("filters", "CIColorCube", "--json").objects().first)
      #expect((cube["parameters"] as? [[String: Any]])?.contains { $0["required"] as? Bool == true } == true)
    }

    @Test(
      "An unknown name is an error with a similar name",
      arguments: [("CISepiaTon", "CISepiaTone"), ("sepiatone", "CISepiaTone"), ("Monochrome", "CIColorMonochrome")])
    func unknown(name: String, near: String) async throws {
      let outcome = try await Command.run("filters", name)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("There is no filter \(name). Did you mean \(near)?"))
    }
  }
#endif
