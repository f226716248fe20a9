import Foundation
import Nuke
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private let now = 784_111_777

  private func seconds(_ fields: String...) -> TimeInterval? {
    let block = Array((["HTTP/1.1 503 Busy"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
    let url = URL(string: "http://a.test/")!
    return RetryAfter.seconds(in: ResponseHead(url: url, status: 503, expectedLength: 0, block: block), now: now)
  }

  @Test("Retry-After can be a number of seconds")
  func delay() {
    #expect(seconds("Retry-After: 0") == 0)
    #expect(seconds("retry-after:  120 ") == 120)
  }

  @Test("Retry-After can be a date, relative to the server's clock if it is stated")
  func date() {
    #expect(seconds("Retry-After: Sun, 06 Nov 1994 08:50:37 GMT") == 60)
    #expect(seconds("Retry-After: Sun, 06 Nov 1994 08:40:00 GMT") == 0)
    // The obsolete forms, which are to be understood too.
    #expect(seconds("Retry-After: Sunday, 06-Nov-94 08:50:37 GMT") == 60)
    #expect(seconds("Retry-After: Sun Nov  6 08:50:37 1994") == 60)
    #expect(
      seconds("Date: Sun, 06 Nov 1994 07:00:00 GMT", "Retry-After: Sun, 06 Nov 1994 07:00:05 GMT") == 5)
  }

  @Test(
    "Other values are ignored", arguments: ["-1", "+1", "1.5", "soon", "0x10", "inf", "Sunday, 06-Nov-94", ""])
  func nonsense(text: String) { #expect(seconds("Retry-After: \(text)") == nil) }

  @Test("A number that is too large exceeds every policy")
  func endless() throws {
    let seconds = try #require(self.seconds("Retry-After: \(String(repeating: "9", count: 400))"))
    #expect(seconds > 1e300)
    let error = ImagePipeline.Error.dataLoadingFailed(error: DataLoader.Error.statusCodeUnacceptable(503))
    #expect(RetryPolicy().delay(after: error, retryCount: 0, serverDelay: seconds, random: 0) == nil)
  }

  @Test("Retry-After can be missing")
  func missing() { #expect(seconds("Date: Sun, 06 Nov 1994 07:00:00 GMT") == nil) }
}
