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

    /// 17 May 2024, 22:30 in UTC, which is 18 May in Zurich.
    private static let now = Date(timeIntervalSince1970: 1_715_985_000)

    private func finds(_ text: String, _ modified: String?, path: String = "a.jpg", zone: String = "UTC") throws -> Bool
    {
      let search = ImageSearch(text, now: Self.now, zone: try #require(TimeZone(identifier: zone)))
      let seconds = try modified.map { try Date($0, strategy: .iso8601).timeIntervalSince1970 }
      return search.matches(path, modified: seconds.map { Int64($0) * 1_000_000_000 })
    }

    @Test(
      "Dates match the modification time, with both ends of a range",
      arguments: [
        ("2024", "2024-01-01T00:00:00Z", true), ("2024", "2023-12-31T23:59:59Z", false),
        ("2024", "2024-12-31T23:59:59Z", true), ("2024-05", "2024-05-31T23:59:59Z", true),
        ("2024-05", "2024-06-01T00:00:00Z", false), ("2024-05-17", "2024-05-17T12:00:00Z", true),
        ("2024-05-17", "2024-05-18T00:00:00Z", false), ("2024-02-29", "2024-02-29T10:00:00Z", true),
        ("2024-05..2024-08", "2024-08-31T23:00:00Z", true), ("2024-05..2024-08", "2024-04-30T23:00:00Z", false),
        ("2023..2024-05-01", "2024-05-01T23:00:00Z", true), ("2024..", "2031-01-01T00:00:00Z", true),
        ("2024..", "2023-01-01T00:00:00Z", false), ("..2023", "1969-01-01T00:00:00Z", true),
        ("..2023", "2024-01-01T00:00:00Z", false), ("today", "2024-05-17T00:00:00Z", true),
        ("TODAY", "2024-05-16T23:59:59Z", false), ("yesterday", "2024-05-16T00:00:00Z", true),
        ("yesterday..today", "2024-05-17T23:59:59Z", true), ("2024 2024-05", "2024-06-01T00:00:00Z", false),
      ])
    func dates(text: String, modified: String, isFound: Bool) throws {
      #expect(try finds(text, modified) == isFound)
    }

    @Test("Days begin at midnight of the user's time zone")
    func zones() throws {
      #expect(try finds("today", "2024-05-17T22:15:00Z", zone: "Europe/Zurich"))
      #expect(try !finds("today", "2024-05-17T21:45:00Z", zone: "Europe/Zurich"))
      #expect(try finds("2024-05-18", "2024-05-17T22:15:00Z", zone: "Europe/Zurich"))
    }

    @Test("A word that is a date and part of the path matches either, and an unknown time matches no date")
    func either() throws {
      #expect(try finds("2024-05 see", "2019-01-01T00:00:00Z", path: "/2024-05/see.jpg"))
      #expect(try finds("2024-05 see", "2024-05-01T00:00:00Z", path: "/see.jpg"))
      #expect(try !finds("2024-05 see", nil, path: "/see.jpg"))
    }

    @Test(
      "Words that are not dates are only searched in the path",
      arguments: [
        "2024-5", "2024-13", "2024-02-31", "2024-", "0999", "20240", "2024-05-17-1", "..", "2025..2023", "+024", "２０２４",
        "2024...2025",
      ])
    func noDates(text: String) throws {
      let now = Self.now
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
      #expect(SearchDates.times(text, now: now, calendar: calendar) == nil)
      #expect(try finds(text, "2024-05-17T00:00:00Z", path: "/\(text.lowercased()).jpg"))
    }
  }
#endif
