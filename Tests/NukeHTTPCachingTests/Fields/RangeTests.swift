import NukeHTTPCaching
import Testing

@Suite("RFC 9110 §14: ranges") struct RangeTests {
  func ranges(_ text: String) -> ByteRanges? { ByteRanges(Array(text.utf8)[...]) }
  func contentRange(_ text: String) -> ContentRange? { ContentRange(Array(text.utf8)[...]) }

  @Test("§14.1.2: A range has a first and a last byte, only a first one, or a length from the end")
  func forms() {
    #expect(ranges("bytes=0-4")?.ranges == [.from(0, through: 4)])
    #expect(ranges("BYTES=7-")?.ranges == [.from(7, through: nil)])
    #expect(ranges("bytes=-3, 5-6 ,")?.ranges == [.suffix(3), .from(5, through: 6)])
    #expect(ranges("bytes=0-99999999999999999999999")?.single(of: 10) == 0...9)
  }

  @Test(
    "§14.2: Other ranges are ignored",
    arguments: [
      "", "bytes", "bytes=", "bytes=,", "bytes=5", "bytes=5-4", "bytes=a-b", "bytes=--1", "bytes=1--", "lines=0-1",
      "bytes 0-1",
    ])
  func invalid(_ text: String) {
    #expect(ranges(text) == nil)
  }

  @Test("§17.15: Too many ranges are ignored")
  func many() {
    #expect(ranges("bytes=" + (0..<32).map { "\($0)-\($0)" }.joined(separator: ",")) != nil)
    #expect(ranges("bytes=" + (0..<33).map { "\($0)-\($0)" }.joined(separator: ",")) == nil)
  }

  @Test("§14.1.1: A range is limited to the existing bytes")
  func resolved() {
    #expect(ranges("bytes=2-")?.single(of: 10) == 2...9)
    #expect(ranges("bytes=2-99")?.single(of: 10) == 2...9)
    #expect(ranges("bytes=-3")?.single(of: 10) == 7...9)
    #expect(ranges("bytes=-30")?.single(of: 10) == 0...9)
    for text in ["bytes=10-", "bytes=-0", "bytes=10-12"] {
      #expect(ranges(text)?.single(of: 10) == nil)
      #expect(ranges(text)?.isSatisfiable(by: 10) == false)
    }
    #expect(ranges("bytes=-1")?.isSatisfiable(by: 0) == false)
    #expect(ranges("bytes=0-1,4-5")?.single(of: 10) == nil)
    #expect(ranges("bytes=0-1,40-50")?.isSatisfiable(by: 10) == true)
  }

  @Test("§14.2: Ranges keep the requested order, without those that are empty")
  func all() {
    #expect(ranges("bytes=5-99,20-,0-1,-3")?.resolved(of: 10) == [5...9, 0...1, 7...9])
    #expect(ranges("bytes=10-,-0")?.resolved(of: 10) == [])
  }

  @Test("§14.4: The range of a response states its bytes")
  func contentRanges() {
    #expect(contentRange("bytes 0-4/10") == ContentRange(bytes: 0...4, total: 10))
    #expect(contentRange("Bytes 3-3/*") == ContentRange(bytes: 3...3, total: nil))
    #expect(ContentRange(bytes: 3...5, total: nil).text == "bytes 3-5/*")
    for text in [
      "", "bytes */10", "bytes 4-3/10", "bytes 0-10/10", "bytes 0-4", "bytes=0-4/10", "lines 0-4/10", "bytes -4/10",
      "bytes 0-/10", "bytes 0-4/x", "bytes 0/4-5", "bytes 0-9007199254740992/*",
    ] {
      #expect(contentRange(text) == nil, "\(text)")
    }
  }
}
