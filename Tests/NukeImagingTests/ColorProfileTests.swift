import Foundation
import NukeImaging
import Testing

@Suite("Color profile")
struct ColorProfileTests {
  // MARK: Building profiles (ICC.1:2010)

  private static func bytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
  }
  private static func fixed(_ value: Double) -> [UInt8] { bytes(UInt32(bitPattern: Int32((value * 65536).rounded()))) }

  private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> Data {
    var table: [UInt8] = []
    var body: [UInt8] = []
    for (name, content) in tags {
      table += Array(name.utf8) + bytes(UInt32(132 + 12 * tags.count + body.count)) + bytes(UInt32(content.count))
      body += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = bytes(UInt32(132 + table.count + body.count)) + [0, 0, 0, 0] + bytes(0x0220_0000)
    header += Array("mntr\(space)XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return Data(header + bytes(UInt32(tags.count)) + table + body)
  }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + fixed(x) + fixed(y) + fixed(z)
  }

  private static func table(_ values: [UInt16]) -> [UInt8] {
    Array("curv\0\0\0\0".utf8) + bytes(UInt32(values.count)) + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  private static func parametric(_ type: UInt8, _ values: Double...) -> [UInt8] {
    Array("para\0\0\0\0\0".utf8) + [type, 0, 0] + values.flatMap(fixed)
  }

  private static func description(_ name: String) -> [UInt8] {
    Array("desc\0\0\0\0".utf8) + bytes(UInt32(name.utf8.count + 1)) + Array(name.utf8) + [0]
  }

  private static let srgbColumns = [
    xyz(0.43607, 0.22249, 0.01392), xyz(0.38515, 0.71687, 0.09708), xyz(0.14307, 0.06061, 0.7141),
  ]
  private static let srgbCurve = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)

  private static func rgb(_ name: String, columns: [[UInt8]] = srgbColumns, _ curve: [UInt8]) -> Data {
    profile(
      "RGB ",
      [
        ("desc", description(name)), ("rXYZ", columns[0]), ("gXYZ", columns[1]), ("bXYZ", columns[2]), ("rTRC", curve),
        ("gTRC", curve), ("bTRC", curve),
      ])
  }

  private func converted(_ profile: ColorProfile, _ pixel: [UInt8], isOpaque: Bool = true) throws -> [UInt8] {
    let buffer = try #require(PixelBuffer(width: 2, height: 1))
    for index in 0..<8 { buffer.base[index] = pixel[index % 4] }
    profile.convertToSRGB(buffer, isOpaque: isOpaque)
    #expect(buffer.bytes[0..<4].elementsEqual(buffer.bytes[4..<8]))
    return Array(buffer.bytes[0..<4])
  }

  // MARK: Recognising sRGB

  @Test("sRGB is recognized by its values, whatever the name of the profile")
  func recognition() throws {
    let profile = try #require(ColorProfile(iccData: Self.rgb("Nobody's", Self.srgbCurve)))
    #expect(profile.isSRGB)
    #expect(profile.name == "sRGB")
    #expect(profile.model == .rgb)
    #expect(try converted(profile, [1, 2, 3, 4]) == [1, 2, 3, 4])
  }

  @Test("A profile with the name of sRGB and other values is not sRGB")
  func falseName() throws {
    let profile = try #require(ColorProfile(iccData: Self.rgb("sRGB IEC61966-2.1", Self.parametric(0, 1.8))))
    #expect(!profile.isSRGB)
  }

  @Test("The curve of sRGB is recognized as a table of any length", arguments: [256, 1024, 4096])
  func tables(_ count: Int) throws {
    let values = (0..<count).map { index in
      let x = Double(index) / Double(count - 1)
      return UInt16((65535 * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4))).rounded())
    }
    #expect(try #require(ColorProfile(iccData: Self.rgb("Table", Self.table(values)))).isSRGB)
  }

  @Test("The curve of sRGB is recognized in the form with offsets")
  func longForm() throws {
    let curve = Self.parametric(4, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0)
    #expect(try #require(ColorProfile(iccData: Self.rgb("Long", curve))).isSRGB)
  }

  // MARK: Converting

  /// sRGB's encoding of linear light.
  private func encoded(_ linear: Double) -> UInt8 {
    UInt8((255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055)).rounded())
  }

  @Test("Another curve is converted to sRGB's", arguments: [0, 1, 20, 60, 128, 200, 254, 255] as [UInt8])
  func gamma(_ value: UInt8) throws {
    let profile = try #require(ColorProfile(iccData: Self.rgb("Gamma 1.8", Self.parametric(0, 1.8))))
    #expect(profile.name == "Gamma 1.8")
    let result = try converted(profile, [value, value, value, 77])
    let expected = encoded(pow(Double(value) / 255, 1.8))
    for channel in 0..<3 { #expect(abs(Int(result[channel]) - Int(expected)) <= 1) }
    #expect(result[3] == 77)
  }

  @Test("Other primaries are converted to sRGB's")
  func primaries() throws {
    // sRGB with red and blue exchanged.
    let columns = [Self.srgbColumns[2], Self.srgbColumns[1], Self.srgbColumns[0]]
    let profile = try #require(ColorProfile(iccData: Self.rgb("Exchanged", columns: columns, Self.srgbCurve)))
    let result = try converted(profile, [200, 100, 50, 255])
    for (a, b) in zip(result, [50, 100, 200, 255] as [UInt8]) { #expect(abs(Int(a) - Int(b)) <= 1) }
  }

  @Test("Colors outside of sRGB are clamped")
  func clamping() throws {
    let wide = [
      Self.xyz(0.60974, 0.31111, 0.01947), Self.xyz(0.20528, 0.62567, 0.06087), Self.xyz(0.14919, 0.06322, 0.74457),
    ]
    let profile = try #require(ColorProfile(iccData: Self.rgb("Wide", columns: wide, Self.parametric(0, 2.2))))
    #expect(try converted(profile, [0, 255, 0, 255])[1] == 255)
    #expect(try converted(profile, [0, 255, 0, 255])[0] == 0)
    #expect(try converted(profile, [255, 255, 255, 255]) == [255, 255, 255, 255])
    #expect(try converted(profile, [0, 0, 0, 255]) == [0, 0, 0, 255])
  }

  @Test("Alpha and transparent pixels do not change")
  func alpha() throws {
    let profile = try #require(ColorProfile(iccData: Self.rgb("Gamma 1.8", Self.parametric(0, 1.8))))
    #expect(try converted(profile, [90, 80, 70, 0], isOpaque: false) == [90, 80, 70, 0])
    #expect(try converted(profile, [90, 80, 70, 9], isOpaque: false)[3] == 9)
  }

  @Test("Gray is converted by its curve")
  func gray() throws {
    let data = Self.profile("GRAY", [("desc", Self.description("Gray")), ("kTRC", Self.parametric(0, 1.5))])
    let profile = try #require(ColorProfile(iccData: data))
    #expect(profile.model == .gray)
    let expected = encoded(pow(100 / 255, 1.5))
    #expect(try converted(profile, [100, 100, 100, 255]) == [expected, expected, expected, 255])
  }

  // MARK: Gamma and primaries of PNG

  @Test("The usual gamma counts as sRGB")
  func usualGamma() throws {
    #expect(try #require(ColorProfile(gamma: 0.45455, chromaticities: nil)).isSRGB)
    #expect(try #require(ColorProfile(gamma: 0.45455, chromaticities: .sRGB)).isSRGB)
    #expect(try #require(ColorProfile(gamma: 1, chromaticities: nil)).isSRGB == false)
  }

  @Test("Linear samples are converted")
  func linearGamma() throws {
    let profile = try #require(ColorProfile(gamma: 1, chromaticities: nil))
    let result = try converted(profile, [55, 55, 55, 255])
    #expect(abs(Int(result[0]) - Int(encoded(55 / 255))) <= 1)
  }

  @Test("White remains white after the adaptation to D50")
  func whitePoint() throws {
    let display = Chromaticities(
      white: .init(0.314, 0.351), red: .init(0.68, 0.32), green: .init(0.265, 0.69), blue: .init(0.15, 0.06))
    let profile = try #require(ColorProfile(gamma: 0.45455, chromaticities: display))
    #expect(!profile.isSRGB)
    #expect(try converted(profile, [255, 255, 255, 255]) == [255, 255, 255, 255])
    let gray = try converted(profile, [128, 128, 128, 255])
    for channel in 0..<3 { #expect(abs(Int(gray[channel]) - 128) <= 1) }
  }

  @Test("Invalid values are rejected")
  func senseless() {
    #expect(ColorProfile(gamma: 0, chromaticities: nil) == nil)
    #expect(ColorProfile(gamma: .nan, chromaticities: nil) == nil)
    let point = SIMD2(0.3, 0.3)
    #expect(
      ColorProfile(gamma: 0.5, chromaticities: .init(white: point, red: point, green: point, blue: point)) == nil)
    #expect(
      ColorProfile(gamma: 0.5, chromaticities: .init(white: .zero, red: .zero, green: .zero, blue: .zero)) == nil)
  }

  // MARK: Damage

  @Test("Other data is not a profile")
  func noProfile() {
    #expect(ColorProfile(iccData: Data()) == nil)
    #expect(ColorProfile(iccData: Data(repeating: 0, count: 4096)) == nil)
    #expect(ColorProfile(iccData: Self.profile("Lab ", [])) == nil)
  }

  @Test("A CMYK profile without a table converts nothing")
  func emptyCMYK() throws {
    let profile = try #require(ColorProfile(iccData: Self.profile("CMYK", [("desc", Self.description("Empty"))])))
    var target = [UInt8](repeating: 9, count: 4)
    #expect(!profile.convertCMYKToSRGB([1, 2, 3, 4], to: &target, pixelCount: 1))
    #expect(target == [9, 9, 9, 9])
  }

  @Test("Damaged profiles do not crash the reader")
  func damage() throws {
    let whole = [UInt8](Self.rgb("Damaged", Self.table([0, 20_000, 65_535])))
    for count in 0..<whole.count { _ = ColorProfile(iccData: Data(whole.prefix(count))) }
    for index in whole.indices {
      for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        guard let profile = ColorProfile(iccData: Data(bytes)) else { continue }
        #expect(try converted(profile, [10, 130, 250, 200])[3] == 200)
      }
    }
  }

  @Test("The name is the description of either version")
  func names() throws {
    let curve = Self.parametric(0, 1.8)
    #expect(try #require(ColorProfile(iccData: Self.rgb("  A\u{1}B ", curve))).name == "AB")
    #expect(try #require(ColorProfile(iccData: Self.rgb("", curve))).name == "unnamed")
    let text = "Größe"
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let mluc =
      Array("mluc\0\0\0\0".utf8) + Self.bytes(1) + Self.bytes(12) + Array("deDE".utf8) + Self.bytes(UInt32(units.count))
      + Self.bytes(28) + units
    let data = Self.profile("GRAY", [("desc", mluc), ("kTRC", curve)])
    #expect(try #require(ColorProfile(iccData: data)).name == text)
  }
}
