import Foundation
import Nuke
import Testing

@Suite("Asset types")
struct AssetTypeTests {
  @Test(
    "A type is detected from the first bytes",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      (Array("GIF89a".utf8), .gif),
      (Array("GIF87a".utf8), .gif),
      (Array("RIFF\0\0\0\0WEBP".utf8), .webp),
      ([0x49, 0x49, 0x2A, 0x00], .tiff),
      ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
      (Array("BM6\0\0\0\0\0\0\0".utf8), .bmp),
      (Array("BM".utf8), .bmp),
      ([0, 0, 1, 0, 2, 0], .ico),
      ([0, 0, 1, 0], .ico),
      ([0, 0, 2, 0], .ico),
      ([0xFF, 0x0A], .jxl),
      ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jxl),
      ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
      ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
      (Array("\0\0\0\u{18}ftypheic".utf8), .heic),
      (Array("\0\0\0\u{18}ftyphevm".utf8), .heic),
      (Array("\0\0\0\u{18}ftyphevs".utf8), .heic),
      (Array("\0\0\0\u{18}ftypmif1\0\0\0\0mif1heic".utf8), .heic),
      (Array("\0\0\0\u{18}ftypavif".utf8), .avif),
      (Array("\0\0\0\u{18}ftypisom".utf8), .mp4),
      (Array("\0\0\0\u{18}ftypmp41".utf8), .mp4),
      (Array("\0\0\0\u{18}ftypmp42\0\0\0\0M4V mp42".utf8), .mp4),
      (Array("\0\0\0\u{18}ftypmmp4".utf8), .mp4),
      (Array("\0\0\0\u{18}ftypM4V ".utf8), .m4v),
      (Array("\0\0\0\u{18}ftypqt  ".utf8), .mov),
      ([0x1A, 0x45, 0xDF, 0xA3, 0x88, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6D], .webm),
    ] as [([UInt8], AssetType)])
  func sniffing(bytes: [UInt8], expected: AssetType) {
    #expect(AssetType(Data(bytes)) == expected)
    #expect(AssetType(Data(bytes + [7, 7, 7, 7, 7, 7, 7, 7])) == expected)
    // Data that is a part of other data does not begin at 0.
    #expect(AssetType(Data([9, 9] + bytes).dropFirst(2)) == expected)
  }

  @Test(
    "Other data and incomplete signatures have no type",
    arguments: [
      [], [0xFF], [0x89, 0x50, 0x4E], Array("RIFF\0\0\0\0WAVE".utf8), Array("<html>".utf8),
      Array("\0\0\0\u{18}ftyp".utf8), Array("\0\0\0\u{18}ftypwhat".utf8),
      Array("\0\0\0\u{18}ftypmif1".utf8), Array("\0\0\0\u{18}ftypmsf1\0\0\0\0msf1miaf".utf8), Array("B".utf8),
      [0, 0, 1], [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], Array("GIF".utf8), Array("GIF89".utf8), Array("GIF88a".utf8),
      Array("\0\0\0\u{18}ftyp3gp4".utf8), Array("\0\0\0\u{18}ftyp3gp7\0\0\0\0isom3gp7".utf8),
      Array("\0\0\0\u{18}ftyp3g2a".utf8), Array("\0\0\0\u{18}ftypf4v \0\0\0\0isommp42".utf8),
    ] as [[UInt8]])
  func unknown(bytes: [UInt8]) {
    #expect(AssetType(Data(bytes)) == nil)
  }

  @Test("Raw values are Apple's identifiers")
  func identifiers() {
    #expect(
      [AssetType.png, .jpeg, .gif, .webp, .heic].map(\.rawValue) == [
        "public.png", "public.jpeg", "com.compuserve.gif", "org.webmproject.webp", "public.heic",
      ])
    #expect(
      [AssetType.avif, .jxl, .tiff, .bmp, .ico].map(\.rawValue) == [
        "public.avif", "public.jpeg-xl", "public.tiff", "com.microsoft.bmp", "com.microsoft.ico",
      ])
    #expect(
      [AssetType.jpeg2000, .mp4, .m4v, .mov, .webm].map(\.rawValue) == [
        "public.jpeg-2000", "public.mpeg-4", "com.apple.m4v-video", "com.apple.quicktime-movie",
        "org.webmproject.webm",
      ])
  }

  @Test("MP4, M4V, MOV and WebM are videos")
  func videos() {
    let types: [AssetType] = [.mp4, .gif, .m4v, .webp, .mov, .heic, .webm, "public.3gpp"]
    #expect(types.filter(\.isVideo) == [.mp4, .m4v, .mov, .webm])
  }

  @Test("A type can have any identifier")
  func custom() {
    #expect(AssetType(rawValue: "public.jpeg") == .jpeg)
    let own: AssetType = "org.example.image"
    #expect(own.rawValue == "org.example.image")
  }
}
