import NukeHTTPCaching
import Testing

@Suite("RFC 9110 §8.8.3: entity tags") struct EntityTagTests {
  func tag(_ text: String) -> EntityTag? { EntityTag(Array(text.utf8)[...]) }

  @Test(
    "A tag is quoted, and a weak one has the prefix W/", arguments: ["\"a\"", "W/\"a\"", "\"\"", "\"a,b\\\"", "\"ä\""])
  func valid(_ text: String) throws {
    let tag = try #require(self.tag(text))
    #expect(tag.bytes == Array(text.utf8))
    #expect(tag.isWeak == text.hasPrefix("W"))
  }

  @Test(
    "Other text is not an entity tag",
    arguments: [
      "", "a", "\"", "\"a", "a\"", "w/\"a\"", "W\\\"a\"", "W\"a\"", "W/", "\"a\" ", "\"a b\"", "\"a\", \"b\"",
      "\"\u{7F}\"",
    ])
  func invalid(_ text: String) {
    #expect(tag(text) == nil)
  }

  @Test("§8.8.3.2: The strong comparison rejects weak tags, and the weak comparison ignores weakness")
  func comparison() throws {
    let (strong, weak, other) = (try #require(tag("\"1\"")), try #require(tag("W/\"1\"")), try #require(tag("\"2\"")))
    #expect(strong.isStronglyEqual(to: strong) && strong.isWeaklyEqual(to: strong))
    #expect(!weak.isStronglyEqual(to: weak) && weak.isWeaklyEqual(to: weak))
    #expect(!strong.isStronglyEqual(to: weak) && strong.isWeaklyEqual(to: weak))
    #expect(!strong.isStronglyEqual(to: other) && !strong.isWeaklyEqual(to: other))
  }

  @Test("§13.1.1, §13.1.2: A condition matches any of its tags, or everything")
  func conditions() {
    func condition(_ text: String) -> EntityTagCondition { EntityTagCondition(value: Array(text.utf8)[...]) }
    let (strong, weak) = (tag("\"1\""), tag("W/\"1\""))
    #expect(condition("\"0\", W/\"1\"").matches(strong))
    #expect(!condition("\"0\", W/\"1\"").matchesStrongly(strong))
    #expect(condition("x, \"1\"").matchesStrongly(strong))
    #expect(!condition("\"1\"").matchesStrongly(weak))
    #expect(condition("*").matchesStrongly(nil))
    #expect(!condition("").matches(strong) && !condition("\"1\"").matches(nil))
  }
}
