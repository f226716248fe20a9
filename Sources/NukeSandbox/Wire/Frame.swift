import Foundation

/// What stands before all that is sent: a mark, what it is, whose it is, and how long.
package struct FrameHeader: Equatable {
  package static let byteCount = 24
  /// "NKS" and the version of the form.
  private static let mark: UInt32 = 0x4E4B_5301

  package let kind: UInt32
  /// The order's number, which its answer has too.
  package let number: UInt64
  /// Bytes that follow.
  package let length: UInt64

  package init(kind: UInt32, number: UInt64, length: Int) {
    self.kind = kind
    self.number = number
    self.length = UInt64(max(length, 0))
  }

  /// `nil` for other bytes.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount, bytes.loadUnaligned(as: UInt32.self).littleEndian == Self.mark else {
      return nil
    }
    kind = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian
    number = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
    length = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self).littleEndian
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    withUnsafeBytes(of: Self.mark.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: kind.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }
}

/// Encodes the fields of frames as JSON. Pixels and files are sent beside them as they are.
///
/// Whoever receives a frame limits its length before anything is decoded.
enum FrameCoding {
  static func encode(_ fields: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // No field has a value that cannot be encoded.
    return (try? encoder.encode(fields)) ?? Data()
  }

  static func decode<Fields: Decodable>(_ type: Fields.Type, from data: Data) throws(MalformedFrame) -> Fields {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: data)
    } catch {
      // Without the decoder's words, which can quote what was sent.
      throw MalformedFrame("it does not have the fields of \(type)")
    }
  }
}

/// The content of a frame is not what its kind says.
struct MalformedFrame: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
