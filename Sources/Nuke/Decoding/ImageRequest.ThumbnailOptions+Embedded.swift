import NukeImaging

extension ImageRequest.ThumbnailOptions {
  /// The error of a request that only accepts the thumbnail embedded in the file, for a file that has none.
  public struct EmbeddedThumbnailMissing: Error, Hashable, CustomStringConvertible {
    public var description: String {
      "the file has no embedded thumbnail; set createThumbnailFromImageIfAbsent to make one of the image"
    }
  }

  /// The small image in the file that the thumbnail is to be made of; `nil` if it is made of `image` itself.
  ///
  /// - Throws: ``EmbeddedThumbnailMissing``.
  func embeddedThumbnail(of image: any OpenedImage) throws -> (any OpenedImage)? {
    guard !createThumbnailFromImageAlways else { return nil }
    let embedded = image.embeddedThumbnail
    if createThumbnailFromImageIfAbsent { return embedded.flatMap { isServed(by: $0, of: image) ? $0 : nil } }
    guard let embedded else { throw EmbeddedThumbnailMissing() }
    return embedded
  }

  /// Returns `true` if `embedded` shows the whole of `image` and has every pixel that is wanted of it.
  private func isServed(by embedded: any OpenedImage, of image: any OpenedImage) -> Bool {
    let (size, full) = (embedded.pixelSize, image.pixelSize)
    // Cameras lay images of another shape into one of 160 by 120 with bars beside them. A rounded side is no bar.
    guard abs(size.width * full.height - size.height * full.width) <= max(full.width, full.height) else {
      return false
    }
    guard let geometry = try? processor.geometry(sourceWidth: full.width, sourceHeight: full.height) else {
      return false
    }
    return size.width >= geometry.outputWidth && size.height >= geometry.outputHeight
  }
}
