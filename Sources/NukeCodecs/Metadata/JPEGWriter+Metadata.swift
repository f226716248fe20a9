import Foundation
import NukeImaging

extension ImageMetadata {
  /// Returns `jpeg`, a file from libjpeg, with the metadata in segments after its first one (EXIF 2.32, 4.7; XMP part
  /// 3, 1.1.3; ICC.1:2010, B.4). Blocks that do not fit into one segment are left out.
  func embedded(inJPEG jpeg: Data) -> Data {
    guard !isEmpty else { return jpeg }
    var segments = Data()
    func append(_ marker: UInt8, _ name: [UInt8], _ content: Data) {
      let length = 2 + name.count + content.count
      guard length <= 0xFFFF else { return }
      segments += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + name
      segments += content
    }
    if let exif { append(0xE1, Array("Exif\0\0".utf8), exif) }
    if let xmp { append(0xE1, JPEGMarkers.xmpNamespace, xmp) }
    if hasColorProfile { append(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1], ColorProfile.sRGBData) }
    // After the start of the image and the JFIF segment, which must be the first.
    var offset = 2
    if jpeg.count > 6, jpeg.slice(2..<4).elementsEqual([0xFF, 0xE0]) {
      offset = 4 + jpeg.slice(4..<6).reduce(0) { $0 << 8 | Int($1) }
    }
    return Data(joining: [jpeg.slice(0..<offset), segments, jpeg.slice(offset..<jpeg.count)])
  }
}
