import Foundation

/// The header of each message: a magic number, the kind of the message, the number of the request, and the length.
package struct FrameHeader: Equatable {
  package static let byteCount = 24
  /// "NKS" and the version of the protocol.
  private static let magic: UInt32 = 0x4E4B_5301

  package let kind: UInt32
  /// The number of the request, which its reply repeats.
  package let number: UInt64
  /// The number of bytes after the header.
  package let length: UInt64

  package init(kind: UInt32, number: UInt64, length: Int) {
    self.kind = kind
    self.number = number
    self.length = UInt64(max(length, 0))
  }

  /// Returns `nil` if the bytes are not a header.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount, bytes.loadUnaligned(as: UInt32.self).littleEndian == Self.magic else {
      return nil
    }
    kind = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian
    number = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
    length = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    withUnsafeBytes(of: Self.magic.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: kind.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }
}

/// Encodes the fields of frames as JSON. Pixels and files follow as raw bytes.
///
/// The receiver of a frame must limit its length before decoding it.
enum FrameCoding {
  static func encode(_ fields: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // All field values can be encoded.
    return (try? encoder.encode(fields)) ?? Data()
  }

  static func decode<Fields: Decodable>(_ type: Fields.Type, from data: Data) throws(WorkerError) -> Fields {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: data)
    } catch {
      // The decoder's own message is left out, because it may quote the bytes that were sent.
      throw WorkerError("it does not have the fields of \(type)")
    }
  }
}

/// The reason why a worker cannot be set up, or why the content of a frame does not match its kind, as one phrase.
struct WorkerError: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
