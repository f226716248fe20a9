#if Server
  import Testing

  @testable import NukeServer

  @Suite("The environment file of a unit") struct UnitEnvironmentTests {
    // The values that systemd 252 prints for the same lines in environment.d, which it reads with the same parser.
    @Test(
      "Has the values that systemd reads",
      arguments: [
        ("A=1", "1"), ("A = two words  ", "two words"), ("  A=\t1\r", "1"), ("A=\"q  \" x", "q  x"),
        ("A='s\\n'\"d\\\"\\n\\\\\"", "s\\nd\"\\n\\"), ("A=a\"b\"", "a\"b\""), ("A=a\\ \\ ", "a  "), ("A=a\\\nb", "ab"),
        ("A=\"a\nb\"", "a\nb"), ("A=a # b", "a # b"), ("A=a  \\\n  b", "a    b"), ("A=\\\n  b", "  b"), ("A=", ""),
        ("A=1\nA=2", "2"), ("A='1", "1"), ("A=1\\", "1"), ("A=redis://:p%40ss#w@h/0?x=1", "redis://:p%40ss#w@h/0?x=1"),
      ])
    func values(text: String, value: String) {
      #expect(UnitEnvironment(text).variables == ["A": value])
      // The next line is another assignment.
      if !text.hasSuffix("\\"), text != "A='1" {
        #expect(UnitEnvironment("\(text)\nB=b\n").variables == ["A": value, "B": "b"])
      }
    }

    @Test("Comments, empty lines, and lines without an equals sign assign nothing")
    func nothing() {
      #expect(UnitEnvironment("# A=1\n  ; B=2\n\nexport C\n\u{0}\n").variables.isEmpty)
      #expect(UnitEnvironment("").variables.isEmpty)
    }
  }
#endif
