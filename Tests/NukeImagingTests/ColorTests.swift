import Foundation
import NukeImaging
import Testing

@Suite("A color")
struct ColorTests {
  @Test("The components are clamped to 0...1")
  func clamping() {
    let color = Color(red: -1, green: 2, blue: .nan, alpha: .infinity)
    #expect([color.red, color.green, color.blue, color.alpha] == [0, 1, 0, 1])
    #expect(Color(red: 0.25, green: 0.5, blue: 0.75).alpha == 1)
  }

  @Test("A color of one component is gray")
  func gray() {
    #expect(Color(white: 0.5) == Color(red: 0.5, green: 0.5, blue: 0.5))
    #expect(Color(white: 0.5) == .gray)
  }

  @Test(
    "A color can be written in hexadecimal digits, two per channel",
    arguments: [
      (.black, "#000000"), (.white, "#FFFFFF"), (.red, "#FF0000"), (.green, "#00FF00"), (.blue, "#0000FF"),
      (.clear, "#00000000"), (.gray, "#808080"), (Color(red: 0.04, green: 0, blue: 1, alpha: 0.5), "#0A00FF80"),
    ] as [(Color, String)])
  func hex(color: Color, expected: String) {
    #expect(color.hex == expected)
  }

  @Test("A copy with another alpha has the same color")
  func alpha() {
    let color = Color(red: 0.1, green: 0.2, blue: 0.3).withAlphaComponent(0.4)
    #expect(color == Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4))
  }

  @Test("It becomes a premultiplied pixel")
  func pixel() {
    #expect(Color(red: 1, green: 0.5, blue: 0, alpha: 0.5).premultipliedRGBA8 == (128, 64, 0, 128))
    #expect(Color.white.premultipliedRGBA8 == (255, 255, 255, 255))
    #expect(Color.clear.premultipliedRGBA8 == (0, 0, 0, 0))
  }

  @Test("Colors with equal components are equal")
  func equality() {
    #expect(Set([Color.red, Color(red: 1, green: 0, blue: 0), Color(red: 5, green: -1, blue: 0)]).count == 1)
    #expect(Color.red != Color.red.withAlphaComponent(0.5))
  }
}
