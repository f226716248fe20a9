import Foundation
import NukeCLI
import Testing

@Suite struct JSONTests {
  @Test("An object is one line and keeps the order of its members")
  func order() {
    let object = JSON.members(["b": .integer(1), "a": .bool(true), "none": nil, "list": .array([.null, .number(1.5)])])
    #expect(object.text == #"{"b":1,"a":true,"list":[null,1.5]}"#)
  }

  @Test("Any string is encoded without loss")
  func escapes() throws {
    let text = "\"\\\n\r\t\u{0}\u{1F}\u{7F}\u{85}\u{2028}/é写🎞"
    let line = JSON.object([(key: text, value: .string(text))]).text
    #expect(!line.contains("\n"))
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(object == [text: text])
  }

  @Test("Durations are milliseconds with microsecond precision")
  func milliseconds() {
    #expect(JSON.milliseconds(0.0123456789).text == "12.346")
    #expect(JSON.milliseconds(2).text == "2000")
    #expect(JSON.number(.infinity).text == "null")
  }
}
