#if Command
  import Foundation
  import Nuke

  /// Converts large local files in bands of rows, so that their pixels are not all in memory.
  struct BandConversion: Sendable {
    /// The number of bytes in which the header is searched for.
    private static let headerByteCount = 1 << 20
    /// Files of this size or more are mapped into memory instead of read.
    private static let mappedByteCount = 8 << 20

    private let resize: (any RowResizing)?
    private let limits: CodecLimits
    private let maximumByteCount: Int

    /// Returns `nil` if a processor needs the whole image.
    init?(_ processors: [any ImageProcessing], _ configuration: ImagePipeline.Configuration) {
      guard processors.count <= 1 else { return nil }
      resize = processors.first as? any RowResizing
      guard processors.isEmpty || resize != nil else { return nil }
      limits = configuration.codecLimits
      maximumByteCount = configuration.maximumResponseDataSize ?? .max
    }

    /// Converts a source and writes the file.
    ///
    /// - Parameter destination: returns the path and the format for a source of the given format.
    /// - Returns: `nil`, without reading the whole file, if the source is small, remote or in another format than baseline
    ///   JPEG or PNG, or cannot be read.
    func callAsFunction(
      _ source: Source, _ encoding: OutputEncoding,
      to destination: (ImageFormat) throws -> (path: String, format: OutputFormat)
    ) throws -> LoadedImage? {
      let start = ContinuousClock.now
      guard let (descriptor, header, prefix) = try openFile(of: source) else { return nil }
      defer { close(descriptor) }
      let (path, format) = try destination(header.format)
      let least = BandTranscoder.leastPixelCount(writing: format.format)
      guard header.storedWidth * header.storedHeight >= least, !encoding.options.isLossless || format.format != .jpeg
      else { return nil }
      let (data, mapping) = try content(of: descriptor, after: prefix, named: source)
      let reader = try ImageReaders.reader(for: data, limits: limits)
      guard (reader as? any RowReader)?.decodesRows == true, reader.header.orientation == .up,
        reader.header.frameCount == 1, let (denominator, sampling) = try sampling(of: reader),
        sampling.sourceWidth * sampling.sourceHeight >= least
      else { return nil }
      var options = encoding.options
      encoding.keptMetadata?.add(reader.metadata, to: &options)
      let writer = try ImageWriters.writer(for: format.format, options: options)
      let loaded = ContinuousClock.now
      var writtenCount = 0
      try AtomicFile.write(to: path) { descriptor in
        func write(_ bytes: UnsafeRawBufferPointer) throws {
          try Descriptor.write(bytes, to: descriptor, named: path)
          writtenCount += bytes.count
        }
        let result = Result {
          if let transcoder = BandTranscoder(
            reader, scaleDenominator: denominator, sampling: sampling, writer: writer)
          {
            try transcoder.run(write: write)
          } else {
            let options = DecodeOptions(scaleDenominator: denominator, orientation: .up)
            let image = try reader.decodeInBands(options, sampling) ?? Bitmap()
            try writer.encode(image).withUnsafeBytes(write)
          }
        }
        // Then it is also the cause of any other error.
        if mapping?.hasFailed == true { throw FileError("read", source.displayName, code: EIO) }
        do {
          try result.get()
        } catch let error as CodecError {
          throw LoadFailure(error, of: data, within: limits)
        }
      }
      let stages: [(name: String, seconds: TimeInterval)] = [
        ("loading", (loaded - start).seconds), ("transcoding", (ContinuousClock.now - loaded).seconds),
      ]
      return LoadedImage(
        reader.header.format, width: sampling.outputWidth, height: sampling.outputHeight, bytes: data.count,
        origin: .file, stages: stages, output: (path, writtenCount))
    }

    private func sampling(of reader: any ImageReader) throws -> (Int, RowSampling)? {
      if let resize { return try resize.rowSampling(of: reader) }
      let (width, height) = (reader.header.storedWidth, reader.header.storedHeight)
      return RowSampling(sourceWidth: width, sourceHeight: height).map { (1, $0) }
    }

    /// Opens a regular file that is a JPEG or PNG, and reads its header and first bytes. The caller closes it.
    private func openFile(of source: Source) throws(FileError) -> (descriptor: Int32, ImageHeader, prefix: Data)? {
      // A pipe must not be opened: its writer would not wait for the pipeline.
      guard case .file(let path) = source.location, source.pipe == nil else { return nil }
      let descriptor = path.withSystemPath { Foundation.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0 else { return nil }
      var isUsable = false
      defer { if !isUsable { close(descriptor) } }
      var information = stat()
      guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
        information.st_size <= maximumByteCount
      else { return nil }
      var prefix = Data()
      _ = try Descriptor.read(descriptor, into: &prefix, upTo: Self.headerByteCount, named: path)
      guard let header = try? ImageReaders.header(ofPrefix: prefix), [.jpeg, .png].contains(header.format)
      else { return nil }
      isUsable = true
      return (descriptor, header, prefix)
    }

    /// Returns the content of a file of which `prefix` has been read. Large files are mapped.
    private func content(
      of descriptor: Int32, after prefix: Data, named source: Source
    ) throws(FileError) -> (Data, FileMapping?) {
      var (data, information) = (prefix, stat())
      let size = fstat(descriptor, &information) == 0 ? Int(information.st_size) : 0
      if size >= Self.mappedByteCount, let mapping = FileMapping(descriptor, byteCount: size) {
        return (mapping.data, mapping)
      }
      data.reserveCapacity(size)
      _ = try Descriptor.read(descriptor, into: &data, upTo: max(size, data.count), named: source.displayName)
      return (data, nil)
    }
  }
#endif
