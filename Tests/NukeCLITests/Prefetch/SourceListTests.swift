import Foundation
import NukeCLI
import Testing

@Suite struct SourceListTests {
  @Test("Empty lines, comments, line ends, spaces and byte order marks are ignored")
  func lines() {
    let list = "\u{FEFF}http://a/1.jpg\r\n\n  # comment\n#\n\t/b c.jpg \n\u{FEFF}\nlast.jpg"
    #expect(SourceList.sources(in: Data(list.utf8)).map(\.text) == ["http://a/1.jpg", "/b c.jpg", "last.jpg"])
  }

  @Test("A line that is not UTF-8 is the name of a file, or a URL with escapes")
  func bytes() throws {
    let list = Data("a.jpg\n\n".utf8) + Data([0x62, 0xFF, 0x0D, 0x0A]) + Data("http://a/".utf8) + Data([0xFF])
    let sources = SourceList.sources(in: list)
    #expect(sources.map { $0.text.systemBytes.count } == [5, 2, 10])
    #expect(sources.map(\.displayName) == ["a.jpg", "b%FF", "http://a/%FF"])
    #expect(sources[1].url?.absoluteString.hasSuffix("/b%FF") == true && sources[1].url?.isFileURL == true)
    #expect(sources[2].url?.absoluteString == "http://a/%FF")
  }

  @Test("Names that end with a NUL are taken as they are")
  func nul() {
    let list = Data("# a.jpg\0 b\nc.jpg \0\0http://a/1.jpg\0".utf8) + Data([0x62, 0xFF, 0])
    let sources = SourceList.sources(in: list, separatedBy: .nul)
    #expect(
      sources.map { Data($0.text.systemBytes) }
        == ["# a.jpg", " b\nc.jpg ", "http://a/1.jpg"].map { Data($0.utf8) } + [Data([0x62, 0xFF])])
  }

  @Test("An empty list has no sources") func empty() {
    #expect(SourceList.sources(in: Data()).isEmpty)
  }

  @Test("A hundred thousand lines are read") func many() {
    let list = (0..<100_000).map { "http://a/\($0).jpg" }.joined(separator: "\n")
    #expect(SourceList.sources(in: Data(list.utf8)).count == 100_000)
  }
}
