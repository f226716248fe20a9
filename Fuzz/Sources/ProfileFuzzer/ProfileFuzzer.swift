import Foundation
import Fuzzing
import Nuke

/// The input is an ICC profile, inserted into images of the three color models that have profiles.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    // The profile is used only for images with its color space (ICC.1:2010, 7.2.8); for others it is only parsed.
    let file =
      switch String(decoding: data.dropFirst(16).prefix(4), as: UTF8.self) {
      case "GRAY": gray
      case "CMYK": ink
      default: color
      }
    read(file.with(profile: data), with: JPEGReader.self)
    let png = PNGFile.file(
      width: 3, height: 1, bitDepth: 8, colorType: 6, isInterlaced: false,
      chunks: [("iCCP", Array("p\0\0".utf8) + PNGFile.stored([UInt8](data)))],
      filteredRows: [0, 1, 2, 3, 255, 90, 80, 70, 128, 250, 0, 9, 1])
    read(png, with: PNGReader.self)
  }
}

private let gray = JPEGFile(fixture: "gray.jpg")
private let color = JPEGFile(fixture: "s444.jpg")
private let ink = JPEGFile(fixture: "cmyk.jpg")
