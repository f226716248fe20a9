// Writes an image in another format, and keeps only the copyright and the color profile of its metadata.
import Foundation
import Nuke

func writeAFormat() async throws {
  let url = URL(string: "https://example.com/photo.jpg")!
  let original = try await ImagePipeline.shared.data(for: ImageRequest(url: url)).0
  let image = try await ImagePipeline.shared.image(for: url)

  var options = EncodeOptions(quality: 0.8)
  options.metadata = try ImageReaders.reader(for: original).metadata
  options.keptMetadata = [.copyright, .colorProfile]
  let format = ImageFormat.avif.isWritable ? ImageFormat.avif : .webp
  let data = try ImageWriters.writer(for: format, options: options).encode(image)
  try data.write(to: URL(fileURLWithPath: "photo.\(format.fileExtension)"))
}
