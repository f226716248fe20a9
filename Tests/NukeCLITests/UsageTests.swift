import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct UsageTests {
  @Test(
    "Wrong usage ends with status 2, says what is wrong on standard error and does nothing",
    arguments: [
      ["load"], ["load", "a.jpg", "--widht", "5"], ["load", "a.jpg", "--width", "0"],
      ["load", "a.jpg", "--width", "x"],
      ["load", "a.jpg", "--resize", "100"], ["load", "a.jpg", "--width", "5", "--height", "5"],
      ["load", "a.jpg", "--crop"],
      ["load", "a.jpg", "--upscale"], ["load", "a.jpg", "--format", "png"], ["load", "a.jpg", "--quality", "50"],
      ["load", "a.jpg", "--output", "b.jpg", "--quality", "0"],
      ["load", "a.jpg", "--output", "b.jpg", "--format", "bmp"],
      ["load", "a.jpg", "--output", ""], ["load", "a.jpg", "--concurrency", "0"], ["load", "a.jpg", "--repeat", "0"],
      ["load", "a.jpg", "--timeout", "0"], ["load", "a.jpg", "--timeout", "nan"],
      ["load", "a.jpg", "--max-bytes", "0"],
      ["load", "a.jpg", "--json", "--quiet"], ["load", "-", "-"], ["info"], ["info", "a.jpg", "--timeout", "-1"],
      ["demo", "extra"], ["nonsense"],
    ])
  func wrong(arguments: [String]) async throws {
    let outcome = try await Command.run(arguments)
    #expect(outcome.status == 2)
    #expect(!outcome.wasSignalled)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Error: "))
  }

  @Test("One file cannot hold several pictures")
  func severalIntoOne() async throws {
    let place = try Workplace()
    let file = try place.write(Data("kept".utf8), "out.png")
    let outcome = try await Command.run("load", Sample.path("badge.png"), Sample.path("chart.png"), "--output", file)
    #expect(outcome.status == 2)
    #expect(try place.data("out.png") == Data("kept".utf8))
  }

  @Test(
    "Help and version are printed on standard output, with status 0",
    arguments: [
      ["--help"], ["load", "--help"], ["info", "--help"], ["demo", "--help"], ["--version"], ["help", "load"], [],
    ])
  func help(arguments: [String]) async throws {
    let outcome = try await Command.run(arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
    #expect(!outcome.output.contains("demo-origin"))
  }

  @Test("The completion script is made for each shell", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) async throws {
    let outcome = try await Command.run("--generate-completion-script", shell)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("concurrency"))
  }

  @Test("The manual names every option that the help names", arguments: ["load", "info", "demo"])
  func manual(command: String) async throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Documentation/nuke.1")
    let manual = try String(contentsOf: page.standardizedFileURL, encoding: .utf8).replacing("\\-", with: "-")
    let help = try await Command.run(command, "--help").output
    let options = help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }.filter { $0 != "--version" }
    #expect(options.count > 1)
    for option in Set(options) { #expect(manual.contains(option), "\(option) is missing") }
  }
}
