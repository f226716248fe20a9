import CNukeZlib
import Foundation

/// Decodes the body of a response according to its `Content-Encoding` (RFC 9110 §8.4.1), as it arrives: gzip and
/// deflate.
///
/// libcurl's own decoders are not used: they accept a truncated stream, reject a gzip stream with several members, and
/// collect up to 64 MB of decoded data while a transfer is paused.
package final class ContentDecoder {
  private let coding: String
  private let host: String
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 << 10)
  private var hasBegun = false
  /// `true` if the stream is complete, or has not begun.
  private var isAtEnd = true
  /// The number of decoded bytes of a chunk that was not accepted to its end.
  private var consumedBytes = 0

  /// - Parameters:
  ///   - coding: the content coding, in lowercase letters.
  ///   - host: for error messages.
  init(_ coding: String, host: String) {
    self.coding = coding
    self.host = host
    stream.initialize(to: z_stream())
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  var isSupported: Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }

  /// Decodes a chunk, and calls `accept` with pieces of at most 16 KiB until it returns `false`.
  ///
  /// - Returns: `false` if `accept` did. The next chunk must then begin with the same bytes, of which the rest is
  ///   decoded.
  package func decode(
    _ chunk: UnsafeRawBufferPointer,
    accept: (UnsafeRawBufferPointer) throws(DataLoader.TransferError) -> Bool
  ) throws(DataLoader.TransferError) -> Bool {
    guard let first = chunk.first else { return true }
    if !hasBegun { try begin(first) }
    let input = UnsafeMutableRawBufferPointer(mutating: chunk).bindMemory(to: UInt8.self)
    stream.pointee.next_in = input.baseAddress! + consumedBytes
    stream.pointee.avail_in = uInt(input.count - consumedBytes)
    var mayHaveMore = true
    while stream.pointee.avail_in > 0 || mayHaveMore {
      if isAtEnd {
        // Some servers pad a gzip stream with zeros. No member begins with one.
        if coding != "deflate" { skipZeros() }
        guard stream.pointee.avail_in > 0 else { break }
        guard coding != "deflate" else { throw failure("bytes follow the end of the data") }
        // The next member of a gzip stream (RFC 1952 §2.2).
        inflateReset(stream)
        isAtEnd = false
      }
      stream.pointee.next_out = output.baseAddress
      stream.pointee.avail_out = uInt(output.count)
      switch inflate(stream, Z_NO_FLUSH) {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isAtEnd = true
      default: throw failure(stream.pointee.msg.map { String(cString: $0) } ?? "the data is invalid")
      }
      mayHaveMore = stream.pointee.avail_out == 0
      consumedBytes = input.count - Int(stream.pointee.avail_in)
      let piece = UnsafeRawBufferPointer(start: output.baseAddress, count: output.count - Int(stream.pointee.avail_out))
      if !piece.isEmpty, try !accept(piece) { return false }
    }
    consumedBytes = 0
    return true
  }

  private func skipZeros() {
    while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
      stream.pointee.next_in += 1
      stream.pointee.avail_in -= 1
    }
  }

  /// The error for a body that has ended, if its encoded data has not.
  package var incompleteness: DataLoader.TransferError? { isAtEnd ? nil : failure("the data is truncated") }

  private func begin(_ first: UInt8) throws(DataLoader.TransferError) {
    guard isSupported else {
      throw .contentNotDecodable(
        host: host, reason: "its Content-Encoding is \(coding), and only gzip and deflate are supported")
    }
    // Some servers send deflate without the header of zlib, which begins with the number 8 (RFC 1950 §2.2). Otherwise,
    // zlib recognizes its own header and that of gzip.
    let isRaw = coding == "deflate" && first & 0x0F != 8
    let windowBits = isRaw ? -MAX_WBITS : MAX_WBITS + 32
    guard inflateInit2_(stream, windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw failure("out of memory")
    }
    hasBegun = true
    isAtEnd = false
  }

  private func failure(_ reason: String) -> DataLoader.TransferError {
    .contentNotDecodable(host: host, reason: "\(coding): \(reason)")
  }
}
