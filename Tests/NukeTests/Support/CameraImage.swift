import Foundation
import Nuke
import NukeCodecs

/// A JPEG as cameras write it: with an orientation, and with a small red image embedded where one is wanted.
struct CameraImage {
  var width = 256
  var height = 192
  var orientation: Orientation = .up
  /// Width and height of the embedded image.
  var embedded: (width: Int, height: Int)?
  /// What is embedded in place of an image.
  var embeddedData: Data?
  var isProgressive = false
  /// How many segments of 60,000 bytes stand before the image that nobody reads.
  var paddingCount = 0

  var data: Data {
    var writer = JPEGWriter(quality: 0.9)
    writer.isProgressive = isProgressive
    let jpeg = (try? writer.encode(.filled(width: width, height: height, with: [0, 0, 255, 255]))) ?? Data()
    var data = jpeg.prefix(2) + segment(0xE1, Data("Exif\0\0".utf8) + tiff)
    for _ in 0..<paddingCount { data += segment(0xEB, Data(repeating: 7, count: 60_000)) }
    return data + jpeg.dropFirst(2)
  }

  private func segment(_ marker: UInt8, _ content: Data) -> Data {
    Data([0xFF, marker]) + number(content.count + 2, bytes: 2) + content
  }

  private var embeddedFile: Data? {
    embeddedData
      ?? embedded.flatMap { size in
        Bitmap.filled(width: size.width, height: size.height, with: [255, 0, 0, 255]).jpegData(compressionQuality: 0.9)
      }
  }

  /// TIFF 6.0: a directory with the orientation and, where there is one, a second with the place of the image.
  private var tiff: Data {
    let head = Data([0x4D, 0x4D, 0, 0x2A]) + number(8, bytes: 4)
    let first = number(1, bytes: 2) + entry(0x0112, type: 3, orientation.rawValue << 16)
    guard let small = embeddedFile else { return head + first + number(0, bytes: 4) }
    let second =
      number(2, bytes: 2) + entry(0x0201, type: 4, 56) + entry(0x0202, type: 4, small.count) + number(0, bytes: 4)
    return head + first + number(26, bytes: 4) + second + small
  }

  private func entry(_ tag: Int, type: Int, _ value: Int) -> Data {
    number(tag, bytes: 2) + number(type, bytes: 2) + number(1, bytes: 4) + number(value, bytes: 4)
  }

  private func number(_ value: Int, bytes: Int) -> Data {
    Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
  }
}

extension Bitmap {
  fileprivate static func filled(width: Int, height: Int, with pixel: [UInt8]) -> Bitmap {
    Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
      for index in bytes.indices { bytes[index] = pixel[index % 4] }
    } ?? Bitmap()
  }

  /// `true` if the image is, by its first pixel, the one that is embedded in a ``CameraImage``.
  var isRed: Bool { pixels[0] > 200 && pixels[2] < 60 }
}
