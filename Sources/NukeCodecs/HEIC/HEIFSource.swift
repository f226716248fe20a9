#if HEIC
  internal import CNukeHEIF
  import Foundation

  /// The first bytes of a file, which libheif reads as though the rest were there, and zero.
  ///
  /// So it comes to the header of a file whose coded picture is still to come. How much of what is not there it may read
  /// is bounded, since a file can ask for any amount.
  final class HEIFSource {
    private let bytes: NSData
    /// Where the file ends, as far as its boxes say.
    private let end: Int
    private var position = 0
    private var zeros = 4 << 20

    /// What libheif calls, with `self` as its user data.
    let callbacks: UnsafeMutablePointer<heif_reader>

    /// Nil where too little is there to begin.
    init?(prefix data: Data) {
      bytes = data as NSData
      let buffer = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      guard let end = ISOBoxes.end(ofFileWith: "meta", in: buffer) else { return nil }
      self.end = end
      callbacks = .allocate(capacity: 1)
      callbacks.initialize(to: heif_reader())
      callbacks.pointee.reader_api_version = 1
      callbacks.pointee.get_position = { Int64(HEIFSource.of($0).position) }
      callbacks.pointee.read = { HEIFSource.of($2).read($1, to: $0) ? 0 : 1 }
      callbacks.pointee.seek = { HEIFSource.of($1).seek(to: $0) ? 0 : 1 }
      callbacks.pointee.wait_for_file_size = {
        $0 <= HEIFSource.of($1).end ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof
      }
    }

    deinit { callbacks.deallocate() }

    private static func of(_ userData: UnsafeMutableRawPointer?) -> HEIFSource {
      guard let userData else { preconditionFailure("libheif lost the source it was given") }
      return Unmanaged<HEIFSource>.fromOpaque(userData).takeUnretainedValue()
    }

    private func seek(to place: Int64) -> Bool {
      guard place >= 0, place <= end else { return false }
      position = Int(place)
      return true
    }

    private func read(_ count: Int, to target: UnsafeMutableRawPointer?) -> Bool {
      guard let target, count <= end - position else { return false }
      let present = max(min(count, bytes.length - position), 0)
      zeros -= count - present
      guard zeros >= 0 else { return false }
      if present > 0 { target.copyMemory(from: bytes.bytes + position, byteCount: present) }
      (target + present).initializeMemory(as: UInt8.self, repeating: 0, count: count - present)
      position += count
      return true
    }
  }
#endif
