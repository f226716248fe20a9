// A custom processor that converts an image to gray. It is called on worker threads.
import Foundation
import Nuke

struct Gray: ImageProcessing {
  let identifier = "com.example.gray"

  func process(_ image: PlatformImage) -> PlatformImage? {
    Bitmap(
      pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight, scale: image.scale, isOpaque: image.isOpaque
    ) { (result: UnsafeMutableRawBufferPointer) in
      image.withUnsafeBytes { source in
        for pixel in stride(from: 0, to: source.count, by: 4) {
          // Rec. 709 luma of premultiplied pixels.
          let red = Int(source[pixel])
          let green = Int(source[pixel + 1])
          let blue = Int(source[pixel + 2])
          let luma = UInt8((red * 54 + green * 183 + blue * 19) >> 8)
          for channel in 0..<3 { result[pixel + channel] = luma }
          result[pixel + 3] = source[pixel + 3]
        }
      }
    }
  }
}

func ownProcessor() async throws {
  let url = URL(string: "https://example.com/photo.jpg")
  let request = ImageRequest(url: url, processors: [.resize(width: 640), Gray()])
  print(try await ImagePipeline.shared.image(for: request))
}
