#if GTK
  import Foundation
  import Testing

  @testable import NukeGallery

  @Suite struct ImageSearchTests {
    private let url = URL(string: "http://example.com:8080/Reise/Z%C3%BCrich%20am%20See.jpg?size=12")!

    @Test(
      "A search matches all words, ignoring case and accents",
      arguments: ["", " ", "zürich", "ZURICH", "see zü", "reise/zur", "am see"])
    func found(_ text: String) {
      #expect(ImageSearch(text).matches(ImageSearch.key(of: url)))
    }

    @Test("Hosts and missing paths are not found", arguments: ["example", "8080", "http", "zürich bern", "size"])
    func notFound(_ text: String) {
      #expect(!ImageSearch(text).matches(ImageSearch.key(of: url)))
    }
  }
#endif
