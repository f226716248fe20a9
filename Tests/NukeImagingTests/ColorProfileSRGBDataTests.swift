import NukeImaging
import Testing

@Suite("The profile that says sRGB")
struct ColorProfileSRGBDataTests {
  @Test("is known for what it is by its numbers, and is short")
  func profile() throws {
    let data = ColorProfile.sRGBData
    #expect(data.count < 600)
    #expect(data.prefix(4).elementsEqual([0, 0, UInt8(data.count >> 8), UInt8(data.count & 255)]))
    let profile = try #require(ColorProfile(iccData: data))
    #expect(profile.isSRGB)
    #expect(profile.model == .rgb)
  }
}
