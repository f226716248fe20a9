import NukeImaging
import Testing

@Suite("The written sRGB profile")
struct ColorProfileSRGBDataTests {
  @Test("It is recognized as sRGB, and is short")
  func profile() throws {
    let data = ColorProfile.sRGBData
    #expect(data.count < 600)
    #expect(data.prefix(4).elementsEqual([0, 0, UInt8(data.count >> 8), UInt8(data.count & 255)]))
    let profile = try #require(ColorProfile(iccData: data))
    #expect(profile.isSRGB)
    #expect(profile.model == .rgb)
  }
}
