import Foundation
import NukeImaging
import Testing

@testable import NukeCodecs

#if canImport(Glibc)
  import Glibc

  @Suite("Memory of encoded images")
  struct EncodedMemoryTests {
    private static let formats = ImageWriters.all.keys.filter { $0.libraryFailure == nil }.sorted {
      $0.rawValue < $1.rawValue
    }

    private func usableSize() throws -> @convention(c) (UnsafeRawPointer?) -> Int {
      unsafeBitCast(
        try #require(dlsym(nil, "malloc_usable_size")), to: (@convention(c) (UnsafeRawPointer?) -> Int).self)
    }

    @Test("An encoded image keeps no more memory than its bytes need", arguments: formats, [false, true])
    func size(_ format: ImageFormat, hasMetadata: Bool) throws {
      var options = EncodeOptions(quality: 0.5)
      options.metadata = ImageMetadata(
        exif: Data(repeating: 0, count: 700), xmp: Data(repeating: 0x20, count: 3000), hasColorProfile: true)
      options.keptMetadata = hasMetadata ? .all : []
      for side in [8, 70, 250] {
        let image = try Bitmap.waves(side, side, opaque: true)
        let data = try ImageWriters.writer(for: format, options: options).encode(image)
        let allocated = try data.withUnsafeBytes { try usableSize()($0.baseAddress) }
        #expect(allocated <= data.count + data.count / 8 + 64, "\(side) pixels: \(data.count) bytes")
      }
    }
  }
#endif
