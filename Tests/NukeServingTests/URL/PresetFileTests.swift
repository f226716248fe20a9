import Foundation
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Presets in a file")
struct PresetFileTests {
  private func refusal(_ text: String, _ others: [String: String] = [:]) -> PresetFile.InvalidLine? {
    do throws(PresetFile.InvalidLine) {
      _ = try PresetFile(text).presets(under: others)
      return nil
    } catch {
      return error
    }
  }

  @Test("Presets are one per line, among comments and empty lines, with any line terminator")
  func lines() throws {
    let text = "# For lists.\r\n\r\n thumb = rs:fill:96:96/q:70 # small\r\n\t#large=w:1\nwide=w:2000/fn:a#b"
    let presets = try PresetFile(text).presets(under: [:])
    #expect(presets.names == ["thumb", "wide"])
    let url = try ImageURL(path: "/unsafe/pr:thumb/plain/http://example.com/a.png")
    let options = try url.imageOptions(presets: presets, now: 0)
    #expect(options.width == 96 && options.quality == 70)
    #expect(try PresetFile("").presets(under: [:]).names == [])
  }

  @Test("Other settings override the presets of the file, and may refer to them")
  func others() throws {
    let presets = try PresetFile("a=w:1\nb=pr:c").presets(under: ["a": "w:5", "c": "w:7"])
    #expect(presets.names == ["a", "b", "c"])
    for (name, width) in [("a", 5), ("b", 7)] {
      let url = try ImageURL(path: "/unsafe/pr:\(name)/plain/http://example.com/a.png")
      #expect(try url.imageOptions(presets: presets, now: 0).width == width)
    }
    // What is said in place of a line is not looked at.
    #expect(try PresetFile("a=nonsense:1").presets(under: ["a": "w:5"]).names == ["a"])
  }

  @Test(
    "An error names the line, the preset and the option",
    arguments: [
      ("a=w:1\n\nb=w:1/wobble:2/q:3", 3, "wobble"), ("a=w:1\nb=q:1000", 2, "q"), ("thumb", 1, "\"thumb\" is not"),
      ("a=w:1\na=w:2", 2, "\"a\" is already defined in line 1"), ("=w:1", 1, "not a valid name of a preset"),
      ("a=pr:c\n", 1, "there is no preset \"c\""),
      ("# x\nouter=pr:inner\ninner=wobble:2", 3, "preset \"inner\": The option wobble is not valid"),
      ("a=width", 1, "preset \"a\": width has no colon"), ("a=w:%zz", 1, "preset \"a\": The URL is malformed"),
    ])
  func errors(_ text: String, _ line: Int, _ reason: String) throws {
    let error = try #require(refusal(text))
    #expect(error.line == line)
    #expect(error.reason.contains(reason), "\(error.reason)")
  }

  @Test("An error in other settings names no line")
  func errorsElsewhere() throws {
    let error = try #require(refusal("a=w:1", ["b": "wobble:2"]))
    #expect(error.line == nil && error.reason.contains("wobble"))
  }

  @Test("Any file is parsed without a crash", arguments: 1...50)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ab=:/# \n\r\twpr19ä\"")
    let text = String((0..<200).map { _ in letters.randomElement(using: &random)! })
    guard let error = refusal(text) else { return }
    #expect(error.line.map { (1...text.count).contains($0) } ?? false)
  }
}
