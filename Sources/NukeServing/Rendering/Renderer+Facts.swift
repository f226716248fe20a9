public import Foundation
public import Nuke
import NukeCodecs

extension Renderer {
  /// Returns the facts in the header of a source. Decodes nothing.
  ///
  /// - Throws: ``ServingError/notAnImage(_:)``, ``ServingError/tooLarge(_:)``.
  public func facts(of source: Data) throws(ServingError) -> ImageFacts {
    guard source.count <= limits.maximumSourceBytes else {
      throw .tooLarge("the source has \(source.count) bytes: \(limits.maximumSourceBytes) are allowed")
    }
    return ImageFacts(try reader(of: source).header, byteCount: source.count)
  }

  /// The same with what stands for the image until it is there, for which a small version of it is decoded once.
  public func facts(
    of source: Data, with placeholders: Set<ImageOptions.Placeholder>, in pipeline: ImagePipeline
  ) async throws(ServingError) -> ImageFacts {
    var facts = try facts(of: source)
    guard !placeholders.isEmpty else { return facts }
    var options = ImageOptions()
    (options.width, options.height) = (128, 128)
    let processor = try processor(for: options, try reader(of: source), isMoving: false)
    let container = try await container(of: source, processor, in: pipeline)
    facts.placeholders = try await pipeline.encoding { _ in
      try Dictionary(uniqueKeysWithValues: placeholders.map { ($0.rawValue, try container.image.placeholderText($0)) })
    }
    return facts
  }
}
