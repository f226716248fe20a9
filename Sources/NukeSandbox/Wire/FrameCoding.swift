import Foundation

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
