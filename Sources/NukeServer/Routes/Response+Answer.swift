#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NukeServing

  extension Response {
    /// Bodies that are longer are sent in pieces, each when the client has taken what came before.
    static let wholeBodyLimit = 256 * 1024
    static let pieceLength = 64 * 1024

    /// - Parameters:
    ///   - data: what the answer's parts are parts of.
    init(_ answer: Answer, _ constants: ConstantFields, _ data: Data = Data()) {
      var headers = constants[answer.constant]
      headers.append(answer.fields)
      self.init(
        status: HTTPResponse.Status(code: answer.status), headers: headers, body: ResponseBody(answer.body, data))
      // Hummingbird adds a length of 0, which would be that of the picture.
      if case .none = answer.body, answer[.contentLength] == nil { self.headers[.contentLength] = nil }
    }
  }

  /// Fields that are the same in all answers of a kind, made once.
  struct ConstantFields: Sendable {
    private var picture = HTTPFields()
    private var message = HTTPFields()

    init(_ rules: AnswerRules) {
      picture.append(rules.fields(.picture))
      message.append(rules.fields(.message))
    }

    subscript(constant: Answer.Constant) -> HTTPFields {
      switch constant {
      case .picture: picture
      case .message: message
      }
    }
  }

  extension HTTPFields {
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
    fileprivate init(_ body: Answer.Body, _ data: Data) {
      switch body {
      case .none: self.init()
      case .text(let text): self.init(byteBuffer: ByteBuffer(string: text))
      case .whole: self.init([.part(0..<data.count)], data)
      case .part(let range): self.init([.part(range)], data)
      case .parts(let pieces): self.init(pieces, data)
      }
    }

    private init(_ pieces: [Answer.Piece], _ data: Data) {
      let length = pieces.reduce(0) { $0 + $1.count }
      guard length > Response.wholeBodyLimit else {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(length)
        for piece in pieces { buffer.write(piece, of: data) }
        self.init(byteBuffer: buffer)
        return
      }
      self.init(contentLength: length) { writer in
        for piece in pieces.flatMap(\.portions) {
          var buffer = ByteBuffer()
          buffer.reserveCapacity(piece.count)
          buffer.write(piece, of: data)
          // Comes back when there is room for more.
          try await writer.write(buffer)
        }
        try await writer.finish(nil)
      }
    }
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

  extension ByteBuffer {
    fileprivate mutating func write(_ piece: Answer.Piece, of data: Data) {
      switch piece {
      case .text(let text): writeString(text)
      case .part(let range):
        data.withUnsafeBytes { bytes in _ = writeBytes(UnsafeRawBufferPointer(rebasing: bytes[range])) }
      }
    }
  }
#endif
