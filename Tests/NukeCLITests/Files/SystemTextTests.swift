import Foundation
import NukeCLI
import Testing

@Suite("Texts with the bytes of the system") struct SystemTextTests {
  @Test(
    "Every sequence of bytes has a text, from which it can be restored",
    arguments: [
      ([], ""), (Array("a é 写 😀".utf8), "a é 写 😀"), ([0x63, 0xE9], "c%E9"), ([0xC3], "%C3"),
      // A character that is cut, one that is too long, and a surrogate.
      ([0xE2, 0x82, 0x41], "%E2%82A"), ([0xC0, 0x80], "%C0%80"), ([0xED, 0xA0, 0x80], "%ED%A0%80"),
      // U+10F7E9, which stands for 0xE9.
      ([0xF4, 0x8F, 0x9F, 0xA9], "%F4%8F%9F%A9"), ([0xF4, 0x8F, 0xBF, 0xBD, 0xFF], "\u{10FFFD}%FF"),
    ] as [([UInt8], String)])
  func texts(bytes: [UInt8], escaped: String) {
    #expect(String(system: bytes).systemBytes == bytes)
    #expect(String(system: bytes).escapingRawBytes == escaped)
  }

  @Test("Different bytes have different texts")
  func distinct() {
    let names: [[UInt8]] = [[0xE9], [0xE8], [0xC3, 0xA9], Array("%E9".utf8), [0xF4, 0x8F, 0x9F, 0xA9]]
    #expect(Set(names.map { String(system: $0) }).count == names.count)
  }

  @Test("The URL of a path has its bytes")
  func urls() {
    #expect(String(system: Array("/a/%".utf8) + [0xE9, 0x20, 0x3F]).fileURL.absoluteString == "file:///a/%25%E9%20%3F")
    let relative = String(system: [0xE9]).fileURL.absoluteString
    #expect(relative.hasPrefix("file:///") && relative.hasSuffix("/%E9"))
    #expect("/a/é b%".fileURL == URL(fileURLWithPath: "/a/é b%"))
  }
}
