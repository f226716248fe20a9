#if Server
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("A file of environment variables")
  struct VariablesFileTests {
    private func values(_ text: String) throws(VariablesFile.InvalidLine) -> [String: String] {
      try VariablesFile(text, environment: ["HOME": "/root", "OWN": "environment"]).values
    }

    /// The examples of imgproxy's documentation, and what they leave open.
    @Test(
      "A variable has the value that a shell would give it",
      arguments: [
        ("VAR=VAL", "VAL"), ("VAR=\"VAL\"", "VAL"), ("VAR='VAL'", "VAL"), ("export VAR = VAL # comment", "VAL"),
        ("VAR=a#b", "a#b"), ("VAR=", ""), ("VAR=''", ""), ("VAR=a=b", "a=b"), ("# comment\n\n  VAR=VAL\r\n", "VAL"),
        ("OTHER=x\nVAR=${OTHER}y", "xy"), ("OTHER=x\nVAR=$OTHER/y", "x/y"), ("OTHER=x\nVAR=\"$OTHER\"", "x"),
        ("OTHER=x\nVAR='${OTHER}'", "${OTHER}"), ("VAR=$HOME", "/root"), ("OWN=file\nVAR=$OWN", "file"),
        ("VAR=$NONE.", "."), ("VAR=https://${1}.example/", "https://${1}.example/"), ("VAR=5$", "5$"),
        ("VAR=${OPEN", "${OPEN"), ("VAR=\"{\\\"a\\\": \\\"b\\\"}\"", "{\"a\": \"b\"}"),
        ("VAR=\"some\\\\value\"", "some\\value"), ("VAR=\"some\\nvalue\"", "some\nvalue"),
        ("VAR=\"a\\$HOME\"", "a$HOME"), ("VAR='a\\nb'", "a\\nb"), ("VAR=\"one\ntwo\" # end\nB=1", "one\ntwo"),
        ("VAR=1\nVAR=2", "2"),
      ])
    func value(text: String, value: String) throws {
      #expect(try values(text)["VAR"] == value)
    }

    @Test(
      "An error has the number of its line",
      arguments: [
        ("A=1\n\nB", 3), ("=1", 1), ("a b=1", 1), ("1A=x", 1), ("A=\"x\ny\"\nB='z", 3), ("A=\"x\" y", 1),
        ("A=\"x\\", 1), ("A=\"1\n2\" x", 2),
      ])
    func errors(text: String, line: Int) {
      let error = #expect(throws: VariablesFile.InvalidLine.self) { try values(text) }
      #expect(error?.line == line, "\(String(describing: error))")
    }

    @Test("Any text is parsed without a crash", arguments: 1...50)
    func random(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let letters = Array("AB=='\"\\$${}# \n\r\tn1ä")
      let text = String((0..<100).map { _ in letters.randomElement(using: &random)! })
      do throws(VariablesFile.InvalidLine) {
        _ = try values(text)
      } catch {
        #expect(error.line.map { $0 >= 1 && $0 <= text.count + 1 } == true)
      }
    }
  }
#endif
