import Foundation
import Fuzzing
import Nuke

/// The input is an EXIF block in TIFF format, inserted into a JPEG and a PNG.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    let file = jpeg.with(exif: data)
    read(file, with: JPEGReader.self)
    rotate(file)
    let png = PNGFile.file(
      width: 3, height: 2, bitDepth: 8, colorType: 0, isInterlaced: false, chunks: [("eXIf", [UInt8](data))],
      filteredRows: [0, 1, 2, 3, 0, 4, 5, 6])
    read(png, with: PNGReader.self)
  }
}

private let jpeg = JPEGFile(fixture: "gray.jpg")
