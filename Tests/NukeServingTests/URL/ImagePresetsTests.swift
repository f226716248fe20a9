import Testing

@testable import NukeServing

@Suite("Presets")
struct ImagePresetsTests {
  @Test("Presets are replaced by their options, and may refer to each other")
  func presets() throws {
    let presets = ["small": "rs:fill:96:96", "card": "pr:small/q:70"]
    #expect(try options("pr:card/h:50", presets: presets) == options("rs:fill:96:50/q:70"))
    #expect(try options("preset:small:card", presets: presets) == options("rs:fill:96:96/q:70"))
    #expect(try options("w:5", presets: ["default": "q:40"]) == options("q:40/w:5"))
  }

  /// The presets that contain the repeated one are those that imgproxy remembers as used.
  @Test(
    "A preset is not applied again within itself, and the operator is told",
    arguments: [
      (["a": "pr:a/w:1"], "pr:a", "w:1", ["a"]), (["a": "pr:b/q:5", "b": "pr:a/w:1"], "pr:b", "q:5/w:1", ["a"]),
      (["a": "pr:b/q:5", "b": "pr:a/w:1"], "pr:a", "w:1/q:5", ["a"]),
      (["default": "pr:default/w:1"], "h:2", "w:1/h:2", ["default"]),
      (["a": "pr:b:c", "b": "pr:c/w:1", "c": "h:2"], "pr:a:a", "w:1/h:2", []),
    ] as [([String: String], String, String, [String])])
  func repetitions(texts: [String: String], asked: String, same: String, named: [String]) throws {
    let presets = try ImagePresets(texts)
    #expect(try options(asked, presets: texts) == options(same))
    #expect(presets.repetitions.count == named.count)
    for (message, name) in zip(presets.repetitions, named) {
      #expect(message.hasPrefix("preset \"\(name)\" contains itself, through "), "\(message)")
    }
  }

  @Test("Presets that contain each other too often are rejected in a short time")
  func multipliedPresets() {
    let names = (0..<12).map { "p\($0)" }
    let texts = Dictionary(uniqueKeysWithValues: names.map { ($0, "pr:" + names.joined(separator: ":")) })
    let error = #expect(throws: ServingError.self) { try ImagePresets(texts) }
    #expect(error?.description.contains("contain each other more than 10000 times") == true)
  }

  @Test(
    "Invalid presets are rejected when the server starts",
    arguments: [
      ["a": "pr:nothere"], ["a": "pr:a:nothere"], ["a": "w:x"], ["a": "nothing"], ["a:b": "w:1"],
    ])
  func badPresets(texts: [String: String]) {
    #expect(throws: ServingError.self) { try ImagePresets(texts) }
  }
}
