#if TIFF
  import CNukeTIFF
  import Foundation
  import NukeBase

  /// A TIFF that is open in libtiff. For one thread, and no longer than the bytes it was opened with.
  final class TIFFFile {
    let handle: OpaquePointer
    private let memory: UnsafeMutablePointer<nuke_tiff_memory>
    private let byteCount: Int

    /// The maximum allocation of libtiff, 64 MB. Images are decoded row by row, or tile by tile.
    static let largestAllocation = 64 << 20

    /// Opens the first image of a file.
    init(reading bytes: UnsafeRawBufferPointer) throws(CodecError) {
      try SystemLibrary.tiff.require(for: .tiff)
      let memory = UnsafeMutablePointer<nuke_tiff_memory>.allocate(capacity: 1)
      memory.initialize(to: nuke_tiff_memory())
      memory.pointee.data = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
      memory.pointee.size = UInt64(bytes.count)
      guard let handle = nuke_tiff_open(memory, "r", tmsize_t(Self.largestAllocation)) else {
        let words = memory.pointee.words
        memory.deallocate()
        throw .malformed(.tiff, reason: words, offset: nil)
      }
      self.handle = handle
      self.memory = memory
      byteCount = bytes.count
    }

    deinit {
      TIFFClose(handle)
      memory.deallocate()
    }

    /// libtiff's description of the error.
    var words: String { memory.pointee.words }

    /// The error of a strip or tile that could not be read.
    func failure(ofPart part: UInt32) -> CodecError {
      let (start, count) = (TIFFGetStrileOffset(handle, part), TIFFGetStrileByteCount(handle, part))
      let (end, overflow) = start.addingReportingOverflow(count)
      if overflow || end > UInt64(byteCount) { return .truncated(.tiff, byteCount: byteCount) }
      return .malformed(.tiff, reason: words, offset: start > 0 ? Int(start) : nil)
    }

    // MARK: Fields

    func number(_ tag: Int32) -> Int { Int(nuke_tiff_get32(handle, UInt32(tag))) }
    func small(_ tag: Int32) -> Int { Int(nuke_tiff_get16(handle, UInt32(tag))) }
    func hasSmall(_ tag: Int32) -> Bool { nuke_tiff_has16(handle, UInt32(tag)) != 0 }

    func data(_ tag: Int32) -> Data? {
      var bytes: UnsafeRawPointer?
      let count = Int(nuke_tiff_get_bytes(handle, UInt32(tag), &bytes))
      return bytes.map { Data(bytes: $0, count: count) }
    }

    /// The kinds of the samples after the colors.
    var extraSamples: [Int] {
      var kinds: UnsafePointer<UInt16>?
      let count = Int(nuke_tiff_get_extra_samples(handle, &kinds))
      return UnsafeBufferPointer(start: kinds, count: kinds == nil ? 0 : count).map(Int.init)
    }

    /// Returns a palette with `count` colors, three bytes each.
    func palette(count: Int) -> [UInt8]? {
      var (red, green, blue): (UnsafePointer<UInt16>?, UnsafePointer<UInt16>?, UnsafePointer<UInt16>?)
      guard nuke_tiff_get_palette(handle, &red, &green, &blue) != 0, let red, let green, let blue else { return nil }
      let values = (0..<count).flatMap { [red[$0], green[$0], blue[$0]] }
      // Some programs write bytes instead of 16-bit values.
      if values.allSatisfy({ $0 < 256 }) { return values.map { UInt8($0) } }
      return values.map { UInt8((UInt32($0) * 255 + 32_895) >> 16) }
    }
  }

  extension nuke_tiff_memory {
    var words: String {
      let words = String(characters: message)
      return words.isEmpty ? "libtiff reported no reason" : words
    }
  }

  extension SystemLibrary {
    static let tiff = SystemLibrary(.tiff, files: nuke_tiff_files())
  }
#endif
