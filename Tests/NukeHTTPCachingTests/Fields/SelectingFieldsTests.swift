import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4.1: Vary") struct SelectingFieldsTests {
  func selecting(_ vary: String, _ request: HTTPFields) -> SelectingFields? {
    SelectingFields(["Vary": vary], request: request)
  }

  func matches(_ vary: String, _ first: HTTPFields, _ second: HTTPFields, language: String? = nil) -> Bool? {
    selecting(vary, first)?.matches(second, language: language.map { Array($0.utf8)[...] })
  }

  @Test("The named request fields must be equal")
  func equal() {
    #expect(matches("Foo", ["foo": "1", "Bar": "2"], ["FOO": "1", "Bar": "3"]) == true)
    #expect(matches("Foo", ["foo": "1"], ["foo": "2"]) == false)
    #expect(matches("Foo, Bar", ["foo": "1", "bar": "2"], ["bar": "2", "foo": "1"]) == true)
    #expect(matches("Foo, Bar", ["foo": "1", "bar": "2"], ["bar": "3", "foo": "1"]) == false)
    #expect(SelectingFields([:], request: ["a": "1"]) == SelectingFields.none)
    #expect(SelectingFields(["Vary": ""], request: ["a": "1"])?.isEmpty == true)
  }

  @Test("A missing field differs from a present one")
  func missing() {
    #expect(matches("Foo", [:], [:]) == true)
    #expect(matches("Foo", [:], ["Foo": "1"]) == false)
    #expect(matches("Foo", ["Foo": "1"], ["Bar": "1"]) == false)
    #expect(matches("Foo", ["Foo": ""], [:]) == false)
  }

  @Test("A list with * matches nothing", arguments: ["*", "*, *", ", *", "*, Foo", "Foo,*"])
  func any(_ vary: String) {
    #expect(selecting(vary, [:]) == nil)
  }

  @Test("Several lines equal one line, and white space between elements is ignored")
  func lines() {
    #expect(matches("Foo", ["Foo": "1, 2"], ["Foo": "1", "foo": "2"]) == true)
    #expect(matches("Foo", ["Foo": "1,2"], ["Foo": " 1 ,  2 "]) == true)
    #expect(matches("Foo", ["Foo": "1, 2"], ["Foo": "2, 1"]) == false)
    #expect(matches("Foo", ["Foo": "\"1, 2\""], ["Foo": "\"1,2\""]) == false)
  }

  @Test("The order and the case are ignored for the fields that allow it")
  func semantics() {
    #expect(matches("Accept-Language", ["Accept-Language": "en, de"], ["Accept-Language": "De,EN"]) == true)
    #expect(
      matches("accept-encoding", ["Accept-Encoding": "br, gzip;q=0.5"], ["Accept-Encoding": "gzip; q=0.5, BR"]) == true)
    #expect(matches("Accept", ["Accept": "image/webp, */*"], ["Accept": "*/*,image/webp"]) == true)
    #expect(matches("Accept", ["Accept": "image/webp"], ["Accept": "image/avif"]) == false)
  }

  @Test("A response in the language that the request prefers matches")
  func language() {
    let stored: HTTPFields = ["Accept-Language": "en, de"]
    func fits(_ preference: String) -> Bool? {
      matches("Accept-Language", stored, ["Accept-Language": preference], language: "de")
    }
    #expect(fits("fr;q=0.5, DE;q=1.0") == true)
    #expect(fits("de") == true)
    #expect(fits("de;q=0.5, fr;q=0.51") == false)
    #expect(fits("fr, de") == false)
    #expect(fits("de;q=0") == false)
    #expect(fits("de;q=x") == false)
    #expect(fits("*") == false)
    #expect(matches("Accept-Language", stored, ["Accept-Language": "de"]) == false)
    #expect(matches("Accept-Language", stored, [:], language: "de") == false)
  }

  @Test("Different variants have different keys")
  func keys() throws {
    let keys = try [["Accept": "a"], ["Accept": "b"], ["Accept": ""], [:]].map {
      var fields = HTTPFields()
      for (name, value) in $0 { fields.append(name, value) }
      return try #require(selecting("accept", fields)).key
    }
    #expect(Set(keys).count == 4)
    #expect(try #require(selecting("b, A", [:])).key == (try #require(selecting("a,B", [:])).key))
  }
}
