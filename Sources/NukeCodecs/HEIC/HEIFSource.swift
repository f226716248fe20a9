#if HEIC
  internal import CNukeHEIF
  import Foundation

  /// The first bytes of a file, which libheif reads as though the rest were there, and zero.
  ///
  /// So it comes to the header of a file whose coded image is still to come. It ends the program where reading fails,
  /// so that this never does; but once it has read a few megabytes of what is not there, it is told that the file ends.
  final class HEIFSource {
    private let bytes: NSData
    /// Where the file ends, as far as its boxes say.
    private let end: Int
    private var position = 0
    private var zeroCount = 0
    /// How many bytes that are not there may be read before the file ends, and how long it may be at all.
    private static let (zeroLimit, lengthLimit) = (4 << 20, 64 << 20)

    /// What libheif calls, with `self` as its user data.
    let callbacks: UnsafeMutablePointer<heif_reader>

    /// `nil` if too little is there to begin.
    init?(prefix data: Data) {
      bytes = data as NSData
      let buffer = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      guard let end = ISOBoxes.end(ofFileWith: "meta", in: buffer) else { return nil }
      self.end = max(min(end, Self.lengthLimit), bytes.length)
      callbacks = .allocate(capacity: 1)
      callbacks.initialize(to: heif_reader())
      callbacks.pointee.reader_api_version = 1
      callbacks.pointee.get_position = { Int64(HEIFSource.of($0).position) }
      callbacks.pointee.read = { HEIFSource.of($2).read($1, to: $0) }
      callbacks.pointee.seek = { HEIFSource.of($1).seek(to: $0) }
      callbacks.pointee.wait_for_file_size = {
        HEIFSource.of($1).holds($0) ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof
      }
    }

    deinit { callbacks.deallocate() }

    private static func of(_ userData: UnsafeMutableRawPointer?) -> HEIFSource {
      guard let userData else { preconditionFailure("libheif lost the source it was given") }
      return Unmanaged<HEIFSource>.fromOpaque(userData).takeUnretainedValue()
    }

    private func holds(_ length: Int64) -> Bool { length <= end && zeroCount <= Self.zeroLimit }

    private func seek(to offset: Int64) -> CInt {
      position = Int(min(max(offset, 0), 1 << 62))
      return 0
    }

    private func read(_ count: Int, to target: UnsafeMutableRawPointer?) -> CInt {
      guard let target, count > 0 else { return 0 }
      let present = position < bytes.length ? min(count, bytes.length - position) : 0
      if present > 0 { target.copyMemory(from: bytes.bytes + position, byteCount: present) }
      (target + present).initializeMemory(as: UInt8.self, repeating: 0, count: count - present)
      zeroCount += count - present
      position += count
      return 0
    }
  }
#endif
