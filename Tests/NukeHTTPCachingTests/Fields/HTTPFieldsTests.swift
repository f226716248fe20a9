import NukeHTTPCaching
import Testing

@Suite("Header fields") struct HTTPFieldsTests {
  @Test("RFC 9110 §5.1: Names are found in any case, and keep their case")
  func names() {
    let fields: HTTPFields = ["eTaG": "\"a\"", "X-Own": "1"]
    #expect(fields["ETAG"] == "\"a\"")
    #expect(fields.value(.eTag) == "\"a\"")
    #expect(fields["x-own"] == "1")
    #expect(fields["X-Other"] == nil)
    #expect(fields.map { $0.name.map { Character(Unicode.Scalar($0)) } } == [Array("eTaG"), Array("X-Own")])
  }

  @Test("RFC 9110 §5.3: Several lines with the same name form one list, in their order")
  func lines() {
    let fields: HTTPFields = ["Vary": "A", "Age": "1", "vary": "B"]
    #expect(fields["Vary"] == "A, B")
    #expect(fields.only(.vary) == nil)
    #expect(fields.first(.vary).map { Array($0) } == Array("A".utf8))
    #expect(fields.count == 3)
  }

  @Test("RFC 9110 §5.5: White space around a value is removed, and line breaks in it are replaced")
  func values() {
    let fields: HTTPFields = ["A": " \t b c\t ", "B": "\u{0}\tx\r\nSet-Cookie: y\u{0}", "C": ""]
    #expect(fields["A"] == "b c")
    #expect(fields["B"] == "x  Set-Cookie: y")
    #expect(fields["C"] == "")
  }

  @Test("RFC 9110 §5.1: Fields with invalid names are ignored", arguments: ["", "a b", "a:", "ä", "a\r\n", "(a)"])
  func invalidNames(_ name: String) {
    #expect(HTTPFields(dictionaryLiteral: (name, "1")).isEmpty)
  }

  @Test("Setting a field replaces all lines with its name")
  func changes() {
    var fields: HTTPFields = ["Age": "1", "B": "2", "AGE": "3"]
    fields.set(.age, "4")
    #expect(fields == ["B": "2", "Age": "4"])
    fields.remove(.age)
    #expect(fields == ["b": "2"])
    #expect(fields != ["b": "3"])
    fields.remove { _ in true }
    #expect(fields.isEmpty)
  }

  @Test("RFC 9112 §5: A head is parsed, also with folded lines and bare line feeds")
  func head() {
    let head = "HTTP/1.1 200 OK\r\nAge: 5\r\nno field\r\n folded\r\nX:a\r\n\t b\nY : 1\nZ: \r\n\r\nAfter: 1\r\n"
    #expect(HTTPFields(head: Array(head.utf8)) == ["Age": "5", "X": "a b", "Z": ""])
    #expect(HTTPFields(head: []).isEmpty)
    #expect(HTTPFields(head: Array("HTTP/1.1 200".utf8)).isEmpty)
    #expect(HTTPFields(head: Array("HTTP/1.1 200\nA: 1".utf8)) == ["A": "1"])
  }

  @Test("Bytes that are not UTF-8 are preserved")
  func bytes() {
    let fields = HTTPFields(head: Array("x\nETag: \"".utf8) + [0xE4, 0xFF] + Array("\"\n".utf8))
    #expect(fields.only(.eTag).map { Array($0) } == [0x22, 0xE4, 0xFF, 0x22])
  }
}
