public import Foundation
public import FoundationNetworking
import Nuke

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

    /// The response of each chunk; `nil` for status 200 with ``headers``.
    public var response: URLResponse?
    /// The header fields of the response with status 200. `Content-Length`, if it is not among them, is the length of the
    /// body.
    public var headers: [String: String] = [:]
    /// The steps, in order.
    public var steps: [Step]

    /// Creates an answer.
    public init(_ steps: [Step], response: URLResponse? = nil) {
      self.steps = steps
      self.response = response
    }

    /// Returns an answer with a complete body.
    ///
    /// - Parameters:
    ///   - data: the body.
    ///   - chunkSize: the maximum size of a chunk, in bytes. The default is one chunk.
    ///   - headers: header fields of the response, such as `["ETag": "\"1\""]`. They are not used with a `response`.
    ///   - response: the response. The default is status 200 with `headers` and the length of the body.
    public static func data(
      _ data: Data, chunkSize: Int? = nil, headers: [String: String] = [:], response: URLResponse? = nil
    ) -> Answer {
      let size = max(chunkSize ?? data.count, 1)
      let chunks = stride(from: 0, to: data.count, by: size).map { start in
        Step.chunk(data.dropFirst(start).prefix(size))
      }
      var answer = Answer(chunks + [.complete(nil)], response: response)
      answer.headers = headers
      return answer
    }

    /// Returns an answer with the contents of a file, such as a recorded response, in one chunk.
    ///
    /// - Throws: the error of reading the file.
    public static func file(_ file: URL, headers: [String: String] = [:]) throws -> Answer {
      data(try Data(contentsOf: file), headers: headers)
    }

    /// Returns the failure of a `DataLoader` whose server responds with a status outside 200…299, such as 404.
    public static func status(_ status: Int) -> Answer {
      failure(DataLoader.Error.statusCodeUnacceptable(status))
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
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: headers.merging(["Content-Length": "\(length)"]) { own, _ in own })
        ?? URLResponse(url: url, mimeType: nil, expectedContentLength: length, textEncodingName: nil)
    }
  }
}
