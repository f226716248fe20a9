#if GTK
  import Foundation
  import NukeGTK

  extension PhotoProperties {
    /// The number of bytes of a file that are read for its header. Most headers are in the first thousands.
    private static let limit = 64 << 20

    /// Reads the properties of a file, or of a web image whose data is in the disk cache. Blocks the calling thread.
    static func read(_ url: URL, in pipeline: ImagePipeline) -> PhotoProperties {
      guard url.isFileURL else {
        let data = pipeline.cache.cachedData(for: ImageRequest(url: url))
        return PhotoProperties(url, byteCount: data?.count, header: data.flatMap { header(of: $0) })
      }
      guard let file = try? PhotoFile(PhotoStore.path(of: url)) else {
        return PhotoProperties(url, byteCount: nil, header: nil)
      }
      return PhotoProperties(url, byteCount: file.byteCount, header: header(of: file.handle))
    }

    /// Reads twice as much of the file each time, until the header is complete.
    private static func header(of file: FileHandle) -> ImageHeader? {
      var data = Data()
      var wanted = 1 << 16
      while data.count < limit {
        guard let next = try? file.read(upToCount: wanted - data.count), !next.isEmpty else { return header(of: data) }
        data.append(next)
        guard data.count == wanted else { continue }
        do {
          // Only JPEG has EXIF before the pixels in every file.
          if let header = try ImageReaders.header(ofPrefix: data), header.format == .jpeg || header.exif != nil {
            return header
          }
        } catch {
          return nil
        }
        wanted *= 2
      }
      return try? ImageReaders.header(ofPrefix: data)
    }

    private static func header(of data: Data) -> ImageHeader? {
      (try? ImageReaders.reader(for: data, limits: .unlimited).header) ?? (try? ImageReaders.header(ofPrefix: data))
    }
  }
#endif
