#if HEIC
  internal import CNukeHEIF
  import Foundation

  /// The first bytes of a file. libheif reads the missing rest as zeros.
  ///
  /// In this way, libheif can parse the header of a file whose image data has not arrived. libheif aborts the process
  /// if a read fails, so reads never fail. After it has read a few megabytes of missing data, the source reports the
  /// end of the file.
  final class HEIFSource {
    private let bytes: NSData
    /// The end of the file according to its boxes.
    private let end: Int
    /// A box behind the end of the file; empty if there is none.
    private let appended: Data
    private var position = 0
    private var zeroCount = 0
    /// The number of missing bytes that may be read before the file ends, and the maximum length of a file.
    private static let (zeroLimit, lengthLimit) = (4 << 20, 64 << 20)

    /// The callbacks for libheif, with `self` as user data.
    let callbacks: UnsafeMutablePointer<heif_reader>

    /// Returns `nil` if there are too few bytes.
    init?(prefix data: Data, _ owners: ISOSingleOwners?) {
      // The new box follows the last one, and not the first bytes of a header.
      let known = owners.map { data.hidingMeta($0).prefix(data.withUnsafeBytes(ISOBoxes.end)) }
      bytes = (known ?? data) as NSData
      appended = owners?.meta ?? Data()
      let buffer = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      guard let end = ISOBoxes.end(ofFileWith: owners == nil ? "meta" : "free", in: buffer) else { return nil }
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
      guard let userData else { preconditionFailure("libheif called a reader callback without its user data") }
      return Unmanaged<HEIFSource>.fromOpaque(userData).takeUnretainedValue()
    }

    private func holds(_ length: Int64) -> Bool { length <= end + appended.count && zeroCount <= Self.zeroLimit }

    private func seek(to offset: Int64) -> CInt {
      position = Int(min(max(offset, 0), 1 << 62))
      return 0
    }

    private func read(_ count: Int, to target: UnsafeMutableRawPointer?) -> CInt {
      guard let target, count > 0 else { return 0 }
      if position >= end, count <= end + appended.count - position {
        let bytes = appended.dropFirst(position - end).prefix(count)
        bytes.copyBytes(to: UnsafeMutableRawBufferPointer(start: target, count: count))
        position += count
        return 0
      }
      let present = position < bytes.length ? min(count, bytes.length - position) : 0
      if present > 0 { target.copyMemory(from: bytes.bytes + position, byteCount: present) }
      (target + present).initializeMemory(as: UInt8.self, repeating: 0, count: count - present)
      zeroCount += count - present
      position += count
      return 0
    }
  }
#endif
