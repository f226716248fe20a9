public import Foundation
public import NukeCodecs
import NukeImaging

extension ImageDecoders {
  /// Decodes every format of this build: JPEG, PNG, WebP, GIF, BMP and ICO, and with the package's traits AVIF, HEIC,
  /// JPEG XL, TIFF and SVG. With the trait Video, it decodes a frame of MP4, MOV and WebM; see
  /// ``ImageRequest/posterFrame``.
  ///
  /// For an animated image, it decodes the first frame. For an animated image and a video, it stores the data in
  /// ``ImageContainer/data``, from which ``ImageContainer/animation`` is created.
  ///
  /// The format is detected from the data, not from a file name or media type. If the first processor of a request
  /// reduces the size, a JPEG or lossy WebP is decoded at 1/2, 1/4 or 1/8 of it. An SVG is rendered at exactly the size that
  /// the first processor needs, so that it is always sharp. During the download, the decoder creates previews by the
  /// preview policy.
  public final class Default: ImageDecoding, ScalableImageDecoding {
    private let limits: CodecLimits
    private let thumbnail: ImageRequest.ThumbnailOptions?
    private let posterFrame: PosterFrame
    private let previewPolicy: ImagePipeline.PreviewPolicy
    private let previews = Lock(Previews())

    private struct Previews {
      var reader: (any IncrementalImageReader)?
      var limits: CodecLimits?
      /// The only preview has been delivered, or there are none.
      var isOver = false
    }

    /// Creates a decoder that rejects images above `limits` before it allocates memory for them. In a pipeline,
    /// ``ImagePipeline/Configuration-swift.struct/codecLimits`` apply instead.
    public convenience init(
      limits: CodecLimits = .init(), previewPolicy: ImagePipeline.PreviewPolicy = .incremental
    ) {
      self.init(limits: limits, thumbnail: nil, previewPolicy: previewPolicy)
    }

    /// Creates a decoder that delivers the previews of the context's policy and decodes the thumbnail that its request
    /// specifies, if any.
    public convenience init?(context: ImageDecodingContext) {
      self.init(
        thumbnail: context.request.thumbnail, posterFrame: context.request.posterFrame,
        previewPolicy: context.previewPolicy)
    }

    init(
      limits: CodecLimits = .init(), thumbnail: ImageRequest.ThumbnailOptions?, posterFrame: PosterFrame = .first,
      previewPolicy: ImagePipeline.PreviewPolicy = .incremental
    ) {
      self.limits = limits
      self.thumbnail = thumbnail
      self.posterFrame = posterFrame
      self.previewPolicy = previewPolicy
    }

    /// Returns the decoded image, reduced if the request specifies a thumbnail.
    public func decode(_ data: Data) throws -> ImageContainer {
      let plan = try DecodePlan(
        decoder: self, data: data, opened: open(data, limits: limits), target: thumbnail?.decodeTarget,
        thumbnail: thumbnail, posterFrame: posterFrame)
      let container = try plan.decode(isCancelled: { false })
      return try thumbnail.map { try container.map($0.processor.resize) } ?? container
    }

    package func openingByteCount(of data: Data) -> Int? { ImageReaders.openingByteCount(of: data) }

    package func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
      Self.opened(try ImageReaders.reader(for: data, limits: limits), of: data, limits: limits)
    }

    /// Returns an opened image for the reader of `data`.
    package static func opened(
      _ reader: any ImageReader, of data: Data, limits: CodecLimits
    ) -> any OpenedImage {
      Opened(reader: reader, data: data, limits: limits)
    }

    private struct Opened: OpenedImage {
      let reader: any ImageReader
      let data: Data
      let limits: CodecLimits
      /// The orientation that overrides the one in the header.
      var ownOrientation: Orientation?

      var orientation: Orientation { ownOrientation ?? reader.header.orientation }

      var pixelSize: (width: Int, height: Int) {
        let (header, swaps) = (reader.header, orientation.swapsAxes)
        return swaps ? (header.storedHeight, header.storedWidth) : (header.storedWidth, header.storedHeight)
      }

      var embeddedThumbnail: (any OpenedImage)? {
        guard let thumbnail = reader.thumbnailReader(limits: limits) else { return nil }
        // The thumbnail has the orientation of the image, unless it has its own.
        let isTurned = orientation != .up && thumbnail.header.exif?.orientation == nil
        return Opened(reader: thumbnail, data: data, limits: limits, ownOrientation: isTurned ? orientation : nil)
      }

      var scaleDenominators: [Int] { reader.scaleDenominators }
      var isVector: Bool { reader.isVector }

      func byteCount(scaleDenominator: Int) -> Int {
        let (width, height) = reader.pixelSize(scaleDenominator: scaleDenominator)
        return width * height * 4 + reader.workingByteCount
      }

      func decode(_ options: DecodeOptions) throws -> ImageContainer {
        var options = options
        if options.orientation == nil { options.orientation = ownOrientation }
        let image = try reader.decode(options)
        let format = reader.header.format
        let type = format == .mp4 ? AssetType(data) ?? .mp4 : AssetType(format)
        var userInfo: [ImageContainer.UserInfoKey: any Sendable] = [:]
        if let name = reader.header.profileName, name != "sRGB" { userInfo[.colorProfileKey] = name }
        let isAnimated = reader.header.frameCount.map { $0 > 1 } ?? false
        guard isAnimated || type == .gif || format.isVideo else {
          return ImageContainer(image: image, type: type, userInfo: userInfo)
        }
        let isAttached = isAnimated && !format.isVideo && ImagePipeline.Configuration.attachesAnimatedImageData
        return ImageContainer(
          image: isAttached ? image.withAnimatedData(data) : image, type: type,
          original: EncodedOriginal(data, limits: limits), userInfo: userInfo)
      }
    }

    // MARK: Previews

    /// Returns a preview of incomplete data, if it shows more than the last one. It has about a megapixel at most.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      previews.withLock { previews in
        guard previewPolicy != .disabled, !previews.isOver else { return nil }
        do {
          if previews.reader == nil {
            previews.reader = try IncrementalReaders.reader(forPrefix: data, limits: previews.limits ?? limits)
          }
          guard let reader = previews.reader else { return nil }
          reader.update(data)
          // A header that is too large to be read during the download contains the thumbnail.
          if previewPolicy == .thumbnail || reader.headerIsTooLarge {
            let type = AssetType(data)
            // The first frame of a GIF is available before the end of the data.
            guard let image = try reader.embeddedThumbnail() ?? (type == .gif ? reader.nextPreview()?.bitmap : nil)
            else { return nil }
            previews.isOver = true
            return ImageContainer(image: image, type: type, isPreview: true)
          }
          guard let preview = try reader.nextPreview() else { return nil }
          var container = ImageContainer(image: preview.bitmap, type: AssetType(data), isPreview: true)
          if let number = preview.scanNumber { container.userInfo[.scanNumberKey] = number }
          return container
        } catch {
          // Errors are reported when the data is complete.
          previews.isOver = true
          previews.reader = nil
          return nil
        }
      }
    }

    /// The limits of the pipeline that uses the decoder.
    func limitPreviews(to limits: CodecLimits) { previews.withLock { $0.limits = limits } }
  }
}
