#if GTK
  import Foundation
  import Testing

  @testable import NukeGallery

  @Suite struct ImageSearchTests {
    private let url = URL(string: "http://example.com:8080/Reise/Z%C3%BCrich%20am%20See.jpg?size=12")!

    @Test(
      "All words are looked for, in any case and with any accents",
      arguments: ["", " ", "zürich", "ZURICH", "see zü", "reise/zur", "am see"])
    func found(_ text: String) {
      #expect(ImageSearch(text).matches(ImageSearch.key(of: url)))
    }

    @Test("Servers and what is not there are not found", arguments: ["example", "8080", "http", "zürich bern", "size"])
    func notFound(_ text: String) {
      #expect(!ImageSearch(text).matches(ImageSearch.key(of: url)))
    }
  }
#endif
