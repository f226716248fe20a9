// Makes a small JPEG of an upload, without a pipeline and with one, and reads pixels.
import Foundation
import Nuke

enum UploadError: Error { case notEncoded }

func smallJPEG(of upload: Data) throws -> Data {
  let image = try PlatformImage(decoding: upload, limits: CodecLimits(maximumPixelCount: 40_000_000))
  let small = try image.resized(to: CGSize(width: 1600, height: 1600))
  guard let jpeg = small.jpegData(compressionQuality: 0.8) else { throw UploadError.notEncoded }
  return jpeg
}

/// Decodes at a reduced size, on the threads of the pipeline.
func smallImage(of upload: Data, id uploadID: String, in pipeline: ImagePipeline) async throws -> PlatformImage {
  let request = ImageRequest(
    id: uploadID, data: { upload }, thumbnail: .init(maxPixelSize: 1600), options: .disableMemoryCache)
  return try await pipeline.image(for: request)
}

/// The mean of the red components, from 0 to 255.
func meanRed(of image: PlatformImage) -> Int {
  image.withUnsafeBytes { pixels in
    stride(from: 0, to: pixels.count, by: 4).reduce(0) { $0 + Int(pixels[$1]) } / max(1, pixels.count / 4)
  }
}
