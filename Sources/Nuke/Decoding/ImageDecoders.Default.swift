public import Foundation
import NukeBase
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
  ///
  /// A JPEG, PNG, GIF or WebP that is damaged or ends early is decoded as far as possible, as on Apple's systems and in
  /// browsers, and ``ImageContainer/damage`` tells what is missing. The pipeline does not store such images on disk. With
  /// `DamageTolerance.strict` they are errors.
  public final class Default: ImageDecoding, ScalableImageDecoding {
    private let limits: CodecLimits
    private let tolerance: DamageTolerance
    private let thumbnail: ImageRequest.ThumbnailOptions?
    private let posterFrame: PosterFrame
    private let scale: CGFloat?
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
      limits: CodecLimits = .init(), previewPolicy: ImagePipeline.PreviewPolicy = .incremental,
      tolerance: DamageTolerance = .tolerant
    ) {
      self.init(limits: limits, thumbnail: nil, previewPolicy: previewPolicy, tolerance: tolerance)
    }

    /// Creates a decoder that delivers the previews of the context's policy and decodes the thumbnail that its request
    /// specifies, if any. The images of ``decode(_:)`` have the ``ImageRequest/scale`` of the request.
    public convenience init?(context: ImageDecodingContext) {
      self.init(context: context, tolerance: .tolerant)
    }

    /// Creates a decoder as ``init(context:)`` does, which shows damaged images or rejects them.
    public convenience init?(context: ImageDecodingContext, tolerance: DamageTolerance) {
      self.init(
        thumbnail: context.request.thumbnail, posterFrame: context.request.posterFrame,
        scale: context.request.storage.scale, previewPolicy: context.previewPolicy, tolerance: tolerance)
    }

    init(
      limits: CodecLimits = .init(), thumbnail: ImageRequest.ThumbnailOptions?, posterFrame: PosterFrame = .first,
      scale: CGFloat? = nil, previewPolicy: ImagePipeline.PreviewPolicy = .incremental,
      tolerance: DamageTolerance = .tolerant
    ) {
      self.limits = limits
      self.tolerance = tolerance
      self.thumbnail = thumbnail
      self.posterFrame = posterFrame
      self.scale = scale
      self.previewPolicy = previewPolicy
    }

    /// Returns the decoded image, reduced if the request specifies a thumbnail.
    public func decode(_ data: Data) throws -> ImageContainer {
      let plan = try DecodePlan(
        decoder: self, data: data, opened: open(data, limits: limits), target: thumbnail?.decodeTarget,
        thumbnail: thumbnail, posterFrame: posterFrame)
      var container = try plan.decode(isCancelled: { false })
      if let thumbnail { container = try container.map(thumbnail.processor.resize) }
      return scale.map(container.withScale) ?? container
    }

    package func openingByteCount(of data: Data) -> Int? { ImageReaders.openingByteCount(of: data) }

    package func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
      do throws(CodecError) {
        let reader = try ImageReaders.reader(for: data, limits: limits)
        return Self.opened(reader, of: data, limits: limits, tolerance: tolerance)
      } catch {
        guard tolerance == .tolerant, let part = DamagedImage(data, limits: limits, reason: error) else { throw error }
        return part
      }
    }

    /// Returns an opened image for the reader of `data`.
    package static func opened(
      _ reader: any ImageReader, of data: Data, limits: CodecLimits, tolerance: DamageTolerance = .strict
    ) -> any OpenedImage {
      Opened(reader: reader, data: data, limits: limits, tolerance: tolerance)
    }

    private struct Opened: OpenedImage {
      let reader: any ImageReader
      let data: Data
      let limits: CodecLimits
      let tolerance: DamageTolerance
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
        // A damaged thumbnail is no reason to show less than the image.
        return Opened(
          reader: thumbnail, data: data, limits: limits, tolerance: .strict,
          ownOrientation: isTurned ? orientation : nil)
      }

      var scaleDenominators: [Int] { reader.scaleDenominators }
      var isVector: Bool { reader.isVector }

      func checkDrawnSize(_ size: DecodeOptions.TargetSize) throws {
        try limits.check(reader.header.format, width: size.width, height: size.height)
      }

      func byteCount(scaleDenominator: Int) -> Int {
        let (width, height) = reader.pixelSize(scaleDenominator: scaleDenominator)
        return width * height * 4 + reader.workingByteCount
      }

      func decode(_ options: DecodeOptions) throws -> ImageContainer {
        var options = options
        if options.orientation == nil { options.orientation = ownOrientation }
        let image: Bitmap
        do throws(CodecError) {
          image = try reader.decode(options)
        } catch {
          guard tolerance == .tolerant, let part = DamagedImage(data, limits: limits, reason: error) else {
            throw error
          }
          return try part.decode(options)
        }
        let format = reader.header.format
        // A 3GPP file has no type, but its data is stored like that of every video.
        let type = format == .mp4 ? AssetType(data) ?? .mp4 : AssetType(format)
        let isAnimated = reader.header.frameCount.map { $0 > 1 } ?? false
        let isAttached = isAnimated && !format.isVideo && ImagePipeline.Configuration.attachesAnimatedImageData
        var container = ImageContainer(
          image: isAttached ? image.withAnimatedData(data) : image, type: type,
          original: isAnimated || type == .gif || format.isVideo ? EncodedOriginal(data, limits: limits) : nil)
        container.nameProfile(of: reader.header)
        return container
      }
    }

    // MARK: Previews

    /// Returns a preview of incomplete data, if it shows more than the last one. It has about a megapixel at most.
    public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      previews.withLock { previews in
        guard previewPolicy != .disabled, !previews.isOver else { return nil }
        do {
          if previews.reader == nil {
            previews.reader = try IncrementalReaders.reader(
              forPrefix: data, limits: previews.limits ?? limits, tolerance: tolerance)
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

extension DamagedImage: OpenedImage {
  package var orientation: Orientation { header.orientation }
  package var pixelSize: (width: Int, height: Int) { (header.pixelWidth, header.pixelHeight) }

  package func decode(_ options: DecodeOptions) throws -> ImageContainer {
    let (image, damage): (Bitmap, ImageDamage) = try decode(options)
    var container = ImageContainer(image: image, type: AssetType(header.format))
    container.damage = damage
    container.nameProfile(of: header)
    return container
  }
}

extension ImageContainer {
  /// Sets ``colorProfileName``, which says nothing about the pixels: they are in sRGB.
  fileprivate mutating func nameProfile(of header: ImageHeader) {
    if let name = header.profileName, name != "sRGB" { colorProfileName = name }
  }
}
