import NukeBase
import Testing

@Suite("The edit distance")
struct EditDistanceTests {
  @Test(
    "The distance of two names is the number of letters to change",
    arguments: [("", "", 0), ("abc", "", 3), ("resize", "resiz", 1), ("resize", "rezise", 2), ("kitten", "sitting", 3)])
  func editDistance(one: String, other: String, distance: Int) {
    #expect(one.editDistance(to: other) == distance)
    #expect(other.editDistance(to: one) == distance)
  }
}
