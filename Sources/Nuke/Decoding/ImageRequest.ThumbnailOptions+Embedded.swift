extension ImageRequest.ThumbnailOptions {
  /// The error of a request that only accepts the thumbnail embedded in the file, for a file that has none.
  public struct EmbeddedThumbnailMissing: Error, Hashable, CustomStringConvertible {
    public var description: String {
      "the file has no embedded thumbnail; set createThumbnailFromImageIfAbsent to create one from the image"
    }
  }

  /// Returns the embedded thumbnail to create the result from; `nil` to create it from `image` itself.
  ///
  /// - Throws: ``EmbeddedThumbnailMissing``.
  func embeddedThumbnail(of image: any OpenedImage) throws -> (any OpenedImage)? {
    guard !createThumbnailFromImageAlways else { return nil }
    let embedded = image.embeddedThumbnail
    if createThumbnailFromImageIfAbsent { return embedded.flatMap { isServed(by: $0, of: image) ? $0 : nil } }
    guard let embedded else { throw EmbeddedThumbnailMissing() }
    return embedded
  }

  /// Returns `true` if `embedded` shows the whole of `image` and has all pixels that the thumbnail needs.
  private func isServed(by embedded: any OpenedImage, of image: any OpenedImage) -> Bool {
    let (size, full) = (embedded.pixelSize, image.pixelSize)
    // Cameras store thumbnails as 160 x 120, with bars beside images of another aspect ratio. A difference of one pixel
    // is rounding, not a bar.
    guard abs(size.width * full.height - size.height * full.width) <= max(full.width, full.height) else {
      return false
    }
    guard let geometry = try? processor.geometry(sourceWidth: full.width, sourceHeight: full.height) else {
      return false
    }
    return size.width >= geometry.outputWidth && size.height >= geometry.outputHeight
  }
}
