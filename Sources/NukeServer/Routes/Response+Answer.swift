#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NukeServing

  extension Response {
    /// Bodies that are longer are sent in pieces, each when there is room, as far as SwiftNIO knows at that moment.
    static let wholeBodyLimit = 256 * 1024
    /// A client that takes one of them goes on.
    static let pieceLength = 64 * 1024

    /// - Parameters:
    ///   - data: what the answer's parts are parts of.
    ///   - place: that of a long answer, kept until all is written, where no connection keeps it until all is sent.
    init(
      _ answer: Answer, _ constants: ConstantFields, _ data: Data = Data(), place: SendingBudget.Place? = nil
    ) {
      self.init(
        status: HTTPResponse.Status(code: answer.status), headers: HTTPFields(answer, constants),
        body: ResponseBody(answer.body, data, place))
      // Hummingbird adds a length of 0, which would be that of the image.
      if case .none = answer.body, answer[.contentLength] == nil { headers[.contentLength] = nil }
    }
  }

  /// Fields that are the same in all answers of a kind, made once.
  struct ConstantFields: Sendable {
    private var image = HTTPFields()
    private var message = HTTPFields()

    init(_ rules: AnswerRules) {
      image.append(rules.fields(.image))
      message.append(rules.fields(.message))
    }

    subscript(constant: Answer.Constant) -> HTTPFields {
      switch constant {
      case .image: image
      case .message: message
      }
    }
  }

  extension HTTPFields {
    /// The fields of a response.
    init(_ answer: Answer, _ constants: ConstantFields) {
      self = constants[answer.constant]
      append(answer.fields)
    }

    fileprivate mutating func append(_ fields: [AnswerField]) {
      // Hummingbird adds one or two.
      reserveCapacity(count + fields.count + 2)
      for field in fields { append(HTTPField(name: HTTPField.Name.answer[field.name.rawValue], value: field.value)) }
    }
  }

  extension HTTPField.Name {
    /// By the raw values of an answer's names. All of them are tokens.
    fileprivate static let answer = AnswerField.Name.allCases.map { HTTPField.Name($0.spelling)! }
  }

  extension ResponseBody {
    fileprivate init(_ body: Answer.Body, _ data: Data, _ place: SendingBudget.Place?) {
      let length = body.length(in: data)
      guard body.isLong(in: data) else {
        self = ByteBuffer(body, data).map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
        return
      }
      self.init(contentLength: length) { writer in
        for piece in body.pieces(of: data).flatMap(\.portions) {
          // Comes back when there is room for more.
          try await writer.write(ByteBuffer([piece], of: data))
          place?.progressed()
        }
        try await writer.finish(nil)
      }
    }
  }

  extension ByteBuffer {
    /// The whole body; `nil` if there is none.
    init?(_ body: Answer.Body, _ data: Data) {
      if case .none = body { return nil }
      self.init(body.pieces(of: data), of: data)
    }

    fileprivate init(_ pieces: [Answer.Piece], of data: Data) {
      self.init()
      reserveCapacity(pieces.reduce(0) { $0 + $1.count })
      for piece in pieces { write(piece, of: data) }
    }

    private mutating func write(_ piece: Answer.Piece, of data: Data) {
      switch piece {
      case .text(let text): writeString(text)
      case .part(let range):
        data.withUnsafeBytes { bytes in _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[range])) }
      }
    }
  }

  extension Answer.Body {
    fileprivate func pieces(of data: Data) -> [Answer.Piece] {
      switch self {
      case .none: []
      case .text(let text): [.text(text)]
      case .whole: [.part(0..<data.count)]
      case .part(let range): [.part(range)]
      case .parts(let pieces): pieces
      }
    }

    fileprivate func length(in data: Data) -> Int { pieces(of: data).reduce(0) { $0 + $1.count } }

    /// Returns `true` if it is sent piece by piece.
    func isLong(in data: Data) -> Bool { length(in: data) > Response.wholeBodyLimit }
  }

  extension Answer.Piece {
    /// The same in portions of one piece's length.
    fileprivate var portions: [Answer.Piece] {
      guard case .part(let range) = self else { return [self] }
      return stride(from: range.lowerBound, to: range.upperBound, by: Response.pieceLength).map {
        .part($0..<min($0 + Response.pieceLength, range.upperBound))
      }
    }
  }
#endif
