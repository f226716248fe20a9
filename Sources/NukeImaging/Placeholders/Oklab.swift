import Foundation

/// A color in Björn Ottosson's Oklab (2020): its lightness from 0 to 1, and two axes from green to red and from blue to
/// yellow. Equal distances look equally different. https://bottosson.github.io/posts/oklab/
struct Oklab {
  var lightness: Double
  var a: Double
  var b: Double

  init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// - Parameters: the components in linear light, from 0 to 1.
  init(red: Double, green: Double, blue: Double) {
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
  }

  /// The opaque color in sRGB, clamped to its gamut.
  var color: Color {
    func cube(_ x: Double) -> Double { x * x * x }
    let long = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let medium = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let short = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
    return Color(
      red: SRGB.encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
      green: SRGB.encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
      blue: SRGB.encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short))
  }
}
