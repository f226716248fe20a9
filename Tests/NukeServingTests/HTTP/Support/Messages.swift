import Foundation
import NukeCodecs

@testable import NukeServing

extension RequestHead {
  init(_ method: Method, _ fields: [(Name, String)]) {
    self.init(method)
    for (name, value) in fields { append(name, value) }
  }

  static func get(_ fields: (Name, String)...) -> RequestHead { RequestHead(.get, fields) }
}

/// Times and messages that the tests of this folder share.
enum Sample {
  static let now = 1_700_000_000
  static let nowText = "Tue, 14 Nov 2023 22:13:20 GMT"
  static let source = URL(string: "https://example.com/images/cat.jpg")!
  static let tag = "\"abc\""

  static func rendition(
    _ data: Data = Data((0..<100).map { UInt8($0) }), type: String = "image/webp", lastModified: Int? = now - 1000,
    freshUntil: Int? = nil, isDegraded: Bool = false
  ) -> Rendition {
    Rendition(
      data: data, contentType: type, entityTag: tag, lastModified: lastModified, freshUntil: freshUntil,
      isDegraded: isDegraded)
  }

  static func negotiated(
    _ options: ImageOptions = ImageOptions(), isSigned: Bool = true
  ) -> ResponseRules.NegotiatedRequest {
    ResponseRules.NegotiatedRequest(request: RenditionRequest(source: source, options: options), isSigned: isSigned)
  }

  static func rules(_ change: (inout AnswerSettings) -> Void = { _ in }) -> ResponseRules {
    var settings = AnswerSettings()
    change(&settings)
    return ResponseRules(settings)
  }

  static func response(
    _ head: RequestHead, _ rendition: Rendition = rendition(),
    _ negotiated: ResponseRules.NegotiatedRequest = negotiated(), rules: ResponseRules = rules()
  ) -> ServedResponse { rules.response(head, negotiated, with: rendition, now: now) }
}

extension ServedResponse {
  /// The bytes that are sent of `data`.
  func bytes(of data: Data) -> [UInt8] {
    let data = Array(data)
    switch body {
    case .none: return []
    case .whole: return data
    case .part(let range): return Array(data[range])
    case .text(let text): return Array(text.utf8)
    case .parts(let pieces):
      return pieces.flatMap { piece -> [UInt8] in
        switch piece {
        case .text(let text): Array(text.utf8)
        case .part(let range): Array(data[range])
        }
      }
    }
  }
}
