import NukeCLI
import Testing

@Suite struct FormatTests {
  @Test(
    "Bytes have decimal units and three significant digits",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.00 KB"), (25_399, "25.4 KB"), (322_707, "323 KB"), (999_499, "999 KB"),
      (999_500, "1.00 MB"), (1_015_000, "1.01 MB"), (99_960_000, "100 MB"), (5_000_000_000_000_000, "5000 TB"),
    ] as [(Int64, String)])
  func bytes(count: Int64, text: String) {
    #expect(Format.bytes(count) == text)
  }

  @Test(
    "Durations have a suitable unit",
    arguments: [
      (0, "0.0 ms"), (0.0004, "0.4 ms"), (0.0099, "9.9 ms"), (0.035, "35 ms"), (0.9994, "999 ms"), (1.25, "1.25 s"),
      (12.34, "12.3 s"), (125, "2 min 5 s"),
    ])
  func durations(seconds: Double, text: String) {
    #expect(Format.duration(seconds) == text)
  }

  @Test(
    "The remaining time is rounded up and short",
    arguments: [
      (0.2, "1s"), (59.0, "59s"), (59.5, "1m00s"), (185, "3m05s"), (7800, "2h10m"), (1e12, "99h59m"),
    ])
  func countdown(seconds: Double, text: String) {
    #expect(Format.countdown(seconds) == text)
  }

  @Test("Characters that break a line or control a terminal are removed")
  func oneLine() {
    #expect("a\nb\tc\u{1B}[31md\u{202E}e".onOneLine == "a b c\u{FFFD}[31md\u{FFFD}e")
  }

  @Test("Text is padded or shortened to an exact number of cells")
  func fitted() {
    #expect("abc".fitted(to: 5) == "abc  ")
    #expect("abcdefghij".fitted(to: 7) == "abc…hij")
    #expect("写真アルバム".fitted(to: 8).cellWidth == 8)
    #expect("abc".shortened(to: 0) == "")
    #expect("abc".shortened(to: 1) == "…")
  }

  @Test(
    "Numbers of things use singular and plural",
    arguments: [(0, "preview", "0 previews"), (1, "entry", "1 entry"), (2, "entry", "2 entries")])
  func counts(count: Int, thing: String, text: String) {
    #expect(Format.count(count, thing) == text)
  }

  @Test("Words are wrapped without loss")
  func lines() {
    #expect("a bb ccc dddddddd e".lines(of: 4) == ["a bb", "ccc", "dddddddd", "e"])
    #expect("".lines(of: 4).isEmpty)
  }
}
