public import Foundation
public import FoundationNetworking

extension FakeDataLoader {
  /// The answer of a ``FakeDataLoader`` for a URL: a response, then steps in order.
  public struct Answer: Sendable {
    /// One step of an answer.
    public enum Step: Sendable {
      /// Waits until the gate is open.
      case wait(Gate)
      /// Delivers a chunk of the body.
      case chunk(Data)
      /// Completes, with or without an error. Later steps are performed, too, to simulate a faulty loader.
      case complete((any Error)?)
    }

    /// The response of each chunk; `nil` for status 200 with the length of the body.
    public var response: URLResponse?
    /// The steps, in order.
    public var steps: [Step]

    /// Creates an answer.
    public init(_ steps: [Step], response: URLResponse? = nil) {
      self.steps = steps
      self.response = response
    }

    /// Returns an answer with a complete body, in chunks of at most `chunkSize` bytes. The default is one chunk.
    public static func data(_ data: Data, chunkSize: Int? = nil, response: URLResponse? = nil) -> Answer {
      let size = max(chunkSize ?? data.count, 1)
      let chunks = stride(from: 0, to: data.count, by: size).map { start in
        Step.chunk(data.dropFirst(start).prefix(size))
      }
      return Answer(chunks + [.complete(nil)], response: response)
    }

    /// Returns an answer that fails after a part of a body.
    public static func failure(_ error: any Error, after chunks: [Data] = []) -> Answer {
      Answer(chunks.map(Step.chunk) + [.complete(error)])
    }

    /// Returns the answer held back by a gate: all of it, or the rest after `count` chunks.
    public func held(by gate: Gate, afterChunks count: Int = 0) -> Answer {
      var place = 0
      var left = count
      while left > 0, place < steps.count {
        if case .chunk = steps[place] { left -= 1 }
        place += 1
      }
      var answer = self
      answer.steps.insert(.wait(gate), at: place)
      return answer
    }

    func response(to request: URLRequest) -> URLResponse {
      if let response { return response }
      let length = steps.reduce(0) { if case .chunk(let data) = $1 { $0 + data.count } else { $0 } }
      let url = request.url ?? URL(fileURLWithPath: "/")
      return HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Content-Length": "\(length)"])
        ?? URLResponse(url: url, mimeType: nil, expectedContentLength: length, textEncodingName: nil)
    }
  }
}
