import Testing

@testable import NukeTerminal

@Suite struct TerminalReplyTests {
  private func reply(_ text: String) -> TerminalReply { TerminalReply(Array(text.utf8)) }

  @Test("Replies are found among typed keys")
  func amongKeys() {
    let reply = reply("ls\r\u{1B}[A\u{1B}_Gi=31;OK\u{1B}\\x\u{1B}[6;20;10ty\u{1B}[?64;1;4;22cq")
    #expect(reply.attributes == [64, 1, 4, 22])
    #expect(reply.hasKittyGraphics)
    #expect(reply.cell == TerminalCell(width: 10, height: 20))
  }

  @Test(
    "An incomplete or invalid reply is ignored",
    arguments: [
      "", "\u{1B}", "\u{1B}[", "\u{1B}[?62;4", "\u{1B}[62;4c", "\u{1B}_Gi=31;OK", "abc", "\u{1B}\u{1B}\u{1B}",
    ])
  func none(text: String) {
    let reply = reply(text)
    #expect(reply.attributes == nil)
    #expect(!reply.hasKittyGraphics)
    #expect(reply.cell == nil)
    #expect(!TerminalReply.isComplete(Array(text.utf8)))
  }

  @Test("Extreme numbers are clamped")
  func hostile() {
    let reply = reply("\u{1B}[6;99999999999999999999;0000000001t\u{1B}[?99999999999999999999999c")
    #expect(reply.attributes?.count == 1)
    #expect(reply.cell == nil || reply.cell == TerminalCell(width: 1, height: 256))
    #expect(self.reply("\u{1B}[6;0;10t").cell == nil)
    #expect(self.reply("\u{1B}[6;-5;10t").cell == nil)
    #expect(self.reply("\u{1B}[6;20t").cell == nil)
  }

  @Test("Arbitrary bytes are parsed without a crash")
  func anything() {
    var state: UInt64 = 7
    let alphabet = Array("\u{1B}[_?;cGti=31OK0\\".utf8)
    for length in 0..<2000 {
      let bytes = (0..<length % 60).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      }
      let reply = TerminalReply(bytes)
      #expect(TerminalReply.isComplete(bytes) == (reply.attributes != nil))
    }
  }
}
