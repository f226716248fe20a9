import Foundation
import Testing

@testable import NukeServing

@Suite("Base64 in URLs")
struct Base64URLTests {
  @Test("Bytes of every length are decoded, with and without padding")
  func lengths() {
    for count in 0..<20 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 250 &+ $0 &* 37) }
      let text = Base64URL.encode(bytes)
      #expect(Base64URL.decode(text.utf8) == bytes)
      let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
      #expect(Base64URL.decode(padded.utf8) == bytes)
    }
  }

  @Test(
    "Bytes have no other spelling", arguments: ["YQ=", "YQ===", "YQ==========", "YWI==", "YWJj=", "=", "YR==", "YWJ"])
  func strict(text: String) {
    // "a", "ab" and "abc" with too little or too much padding, and with bits behind the last byte.
    #expect(Base64URL.decode(text.utf8) == nil)
  }

  @Test(
    "Characters of the standard alphabet, and padding in the middle, are invalid", arguments: ["+/+/", "YQ==YQ==", "a"])
  func alphabet(text: String) { #expect(Base64URL.decode(text.utf8) == nil) }
}
