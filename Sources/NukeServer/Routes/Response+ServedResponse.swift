#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NukeServing

  extension Response {
    /// The maximum size of a body that is written at once. Longer bodies are written in chunks, with back-pressure.
    static let wholeBodyLimit = 256 * 1024
    /// The length of a chunk. A client that receives one is making progress.
    static let pieceLength = 64 * 1024

    /// - Parameters:
    ///   - data: the file that the response's ranges refer to.
    ///   - reservation: the reservation of a long response in the sending budget, held until all is written; `nil` for
    ///     a short response, and if the connection holds the reservation.
    init(
      _ served: ServedResponse, _ constants: ConstantFields, _ data: Data = Data(),
      reservation: SendingBudget.Reservation? = nil
    ) {
      self.init(
        status: HTTPResponse.Status(code: served.status), headers: HTTPFields(served, constants),
        body: ResponseBody(served.body, data, reservation))
      // Hummingbird would add a length of 0, but the field of a HEAD response states the length of the image.
      if case .none = served.body, served[.contentLength] == nil { headers[.contentLength] = nil }
    }
  }

  /// The fields that are equal in all responses of a kind, computed once.
  struct ConstantFields: Sendable {
    private var image = HTTPFields()
    private var message = HTTPFields()

    init(_ rules: ResponseRules) {
      image.append(rules.fields(.image))
      message.append(rules.fields(.message))
    }

    subscript(constant: ServedResponse.Constant) -> HTTPFields {
      switch constant {
      case .image: image
      case .message: message
      }
    }
  }

  extension HTTPFields {
    /// The fields of a response.
    init(_ served: ServedResponse, _ constants: ConstantFields) {
      self = constants[served.constant]
      append(served.fields)
    }

    fileprivate mutating func append(_ fields: [ResponseField]) {
      // Hummingbird adds one or two fields.
      reserveCapacity(count + fields.count + 2)
      for field in fields { append(HTTPField(name: HTTPField.Name.served[field.name.rawValue], value: field.value)) }
    }
  }

  extension HTTPField.Name {
    /// The field names by the raw values of `ResponseField.Name`. All of them are valid tokens.
    fileprivate static let served = ResponseField.Name.allCases.map { HTTPField.Name($0.spelling)! }
  }

  extension ResponseBody {
    fileprivate init(_ body: ServedResponse.Body, _ data: Data, _ reservation: SendingBudget.Reservation?) {
      let length = body.length(in: data)
      guard body.isLong(in: data) else {
        self = ByteBuffer(body, data).map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
        return
      }
      let record = RequestRecord.current
      record?.beginSending()
      self.init(contentLength: length) { writer in
        for piece in body.pieces(of: data).flatMap(\.portions) {
          // Suspends until there is room for more.
          try await writer.write(ByteBuffer([piece], of: data))
          reservation?.progressed()
        }
        try await writer.finish(nil)
        record?.endSending()
      }
    }
  }

  extension ByteBuffer {
    /// Creates a buffer with the whole body; `nil` if there is none.
    init?(_ body: ServedResponse.Body, _ data: Data) {
      if case .none = body { return nil }
      self.init(body.pieces(of: data), of: data)
    }

    fileprivate init(_ pieces: [ServedResponse.Piece], of data: Data) {
      self.init()
      reserveCapacity(pieces.reduce(0) { $0 + $1.count })
      for piece in pieces { write(piece, of: data) }
    }

    private mutating func write(_ piece: ServedResponse.Piece, of data: Data) {
      switch piece {
      case .text(let text): writeString(text)
      case .part(let range):
        data.withUnsafeBytes { bytes in _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[range])) }
      }
    }
  }

  extension ServedResponse.Body {
    fileprivate func pieces(of data: Data) -> [ServedResponse.Piece] {
      switch self {
      case .none: []
      case .text(let text): [.text(text)]
      case .whole: [.part(0..<data.count)]
      case .part(let range): [.part(range)]
      case .parts(let pieces): pieces
      }
    }

    fileprivate func length(in data: Data) -> Int { pieces(of: data).reduce(0) { $0 + $1.count } }

    /// Returns `true` if the body is sent in chunks.
    func isLong(in data: Data) -> Bool { length(in: data) > Response.wholeBodyLimit }
  }

  extension ServedResponse.Piece {
    /// The pieces, divided into chunks.
    fileprivate var portions: [ServedResponse.Piece] {
      guard case .part(let range) = self else { return [self] }
      return stride(from: range.lowerBound, to: range.upperBound, by: Response.pieceLength).map {
        .part($0..<min($0 + Response.pieceLength, range.upperBound))
      }
    }
  }
#endif
