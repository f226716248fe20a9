// A custom decoder and its registration.
import Foundation
import Nuke

/// Decodes a file with "GRAY", a width and a height of two bytes each, and one byte per pixel.
struct GrayDecoder: ImageDecoding {
  struct Malformed: Error {}

  func decode(_ data: Data) throws -> ImageContainer {
    let bytes = [UInt8](data)
    guard bytes.count >= 8 else { throw Malformed() }
    let width = Int(bytes[4]) << 8 | Int(bytes[5])
    let height = Int(bytes[6]) << 8 | Int(bytes[7])
    guard width > 0, height > 0, bytes.count == 8 + width * height else { throw Malformed() }
    let image = Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) {
      (pixels: UnsafeMutableRawBufferPointer) in
      for index in 0..<width * height {
        for channel in 0..<3 { pixels[index * 4 + channel] = bytes[8 + index] }
        pixels[index * 4 + 3] = 255
      }
    }
    guard let image else { throw Malformed() }
    return ImageContainer(image: image)
  }
}

func ownDecoder() {
  ImageDecoderRegistry.shared.register { context in
    context.data.starts(with: Array("GRAY".utf8)) ? GrayDecoder() : nil
  }
}
