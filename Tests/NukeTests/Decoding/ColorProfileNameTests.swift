import Foundation
import Nuke
import Testing

@Suite("The color profile of a decoded image")
struct ColorProfileNameTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../NukeCodecsTests/Fixtures/JPEG").standardizedFileURL

  private func container(_ name: String) throws -> ImageContainer {
    try ImageDecoders.Default().decode(Data(contentsOf: Self.folder.appendingPathComponent("\(name).jpg")))
  }

  @Test("A container has the name of a profile other than sRGB, and no user info")
  func wide() throws {
    let data = try Data(contentsOf: Self.folder.appendingPathComponent("profile-wide.jpg"))
    let name = try #require(try ImageReaders.reader(for: data).header.profileName)
    let container = try container("profile-wide")
    #expect(container.colorProfileName == name)
    #expect(container.userInfo.isEmpty)
    #expect(container.map { $0.withScale(2) }.colorProfileName == name)
    #expect(!name.isEmpty && name != "sRGB")
  }

  @Test("sRGB and a missing profile have no name", arguments: ["s420", "profile-srgb"])
  func usual(_ name: String) throws {
    let container = try container(name)
    #expect(container.colorProfileName == nil)
    #expect(container.userInfo.isEmpty)
  }
}
