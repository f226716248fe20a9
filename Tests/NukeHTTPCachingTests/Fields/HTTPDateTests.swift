import NukeHTTPCaching
import Testing

@Suite("RFC 9110 §5.6.7: dates") struct HTTPDateTests {
  @Test(
    "All three formats are parsed",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 16 08:49:37 1994", 784_975_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
      ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Sun, 21 Nov 2286 04:46:39 GMT", 10_000_039_599),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ])
  func forms(_ text: String, _ seconds: Int) {
    #expect(HTTPDate.seconds(text, now: noon) == seconds)
  }

  @Test("A strict parser accepts the preferred format only")
  func fixdates() {
    #expect(HTTPDate.fixdateSeconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    for text in ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "", "Sun, 06 Nov 1994 08:49:37 UTC"] {
      #expect(HTTPDate.fixdateSeconds(text) == nil)
    }
  }

  @Test(
    "Names are parsed in any case",
    arguments: ["SUN, 06 Nov 1994 08:49:37 GMT", "Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 gMt"])
  func cases(_ text: String) {
    #expect(HTTPDate.seconds(text, now: noon) == 784_111_777)
  }

  @Test(
    "Other text is not a date",
    arguments: [
      "", "0", "-1", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 94 08:49:37 GMT",
      "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov  1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 2023 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT ", "Xun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov  6 08:49:37 94", "1994-11-06T08:49:37Z",
      "Sun, 06 Nov -994 08:49:37 GMT",
    ])
  func invalid(_ text: String) {
    #expect(HTTPDate.seconds(text, now: noon) == nil)
  }

  @Test("A two-digit year is at most 50 years in the future")
  func century() throws {
    // Seen from 2026.
    #expect(HTTPDate.seconds("Thursday, 18-Aug-50 02:01:18 GMT", now: noon) == 2_544_400_878)
    #expect(
      HTTPDate.seconds("Saturday, 18-Aug-76 02:01:18 GMT", now: noon)
        == HTTPDate.seconds("Tue, 18 Aug 2076 02:01:18 GMT", now: noon))
    #expect(
      HTTPDate.seconds("Saturday, 18-Aug-77 02:01:18 GMT", now: noon)
        == HTTPDate.seconds("Thu, 18 Aug 1977 02:01:18 GMT", now: noon))
    #expect(
      HTTPDate.seconds("Saturday, 01-Jan-00 00:00:00 GMT", now: Timestamp(seconds: -1))
        == HTTPDate.seconds("Sat, 01 Jan 2000 00:00:00 GMT", now: noon))
  }

  @Test("Parsed dates match a calendar on 5,000 days")
  func calendar() {
    for day in 0..<5000 {
      let offset = day * 86_400 * 7 - 40_000 * 86_400 + day
      #expect(HTTPDate.seconds(httpDate(offset), now: noon) == noon.seconds + offset)
    }
  }

  @Test(
    "A date is written in the preferred format",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_709_208_000, "Thu, 29 Feb 2024 12:00:00 GMT"),
      (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"), (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (Int.min, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ])
  func written(_ seconds: Int, _ text: String) {
    #expect(HTTPDate.text(seconds) == text)
  }

  @Test("Written dates are parsed to the same value, over 400 years")
  func roundTrip() {
    for seconds in stride(from: -3_000_000_000, to: 10_000_000_000, by: 86_400 * 7 + 3601) {
      #expect(HTTPDate.fixdateSeconds(HTTPDate.text(seconds)) == seconds)
    }
  }
}
