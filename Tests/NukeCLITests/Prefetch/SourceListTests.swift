import Foundation
import NukeCLI
import Testing

@Suite struct SourceListTests {
  @Test("Empty lines, comments, line ends, spaces and byte order marks are ignored")
  func lines() {
    let list = "\u{FEFF}http://a/1.jpg\r\n\n  # comment\n#\n\t/b c.jpg \n\u{FEFF}\nlast.jpg"
    #expect(SourceList.sources(in: Data(list.utf8)).map(\.text) == ["http://a/1.jpg", "/b c.jpg", "last.jpg"])
  }

  @Test("A line that is not UTF-8 is an unusable source with the line number")
  func brokenText() throws {
    let list = Data("a.jpg\n\n".utf8) + Data([0x62, 0xFF, 0x0A]) + Data("c.jpg\n".utf8)
    let sources = SourceList.sources(in: list)
    #expect(sources.map(\.text) == ["a.jpg", "b\u{FFFD}", "c.jpg"])
    #expect(sources[1].location == .unusable(reason: "line 3 of the list is not UTF-8"))
  }

  @Test("An empty list has no sources") func empty() {
    #expect(SourceList.sources(in: Data()).isEmpty)
  }

  @Test("A hundred thousand lines are read") func many() {
    let list = (0..<100_000).map { "http://a/\($0).jpg" }.joined(separator: "\n")
    #expect(SourceList.sources(in: Data(list.utf8)).count == 100_000)
  }
}
