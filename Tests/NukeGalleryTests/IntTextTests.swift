#if GTK
  import Testing

  @testable import NukeGallery

  @Suite struct IntTextTests {
    @Test("Digits are in groups of three")
    func grouped() {
      #expect(
        [0, 7, 999, 1000, 12_345, 123_456, 1_234_567].map(\.grouped)
          == ["0", "7", "999", "1,000", "12,345", "123,456", "1,234,567"])
      #expect((-1234).grouped == "−1,234")
    }

    @Test("Bytes are formatted as megabytes")
    func megabytes() {
      #expect(
        [0, 49_999, 50_000, 1_549_999, 9_949_999, 9_950_000, 5_055_000_000].map(\.megabytes)
          == ["0.0 MB", "0.0 MB", "0.1 MB", "1.5 MB", "9.9 MB", "10 MB", "5,055 MB"])
    }
  }
#endif
