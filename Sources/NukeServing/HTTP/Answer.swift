/// A response: its status, header fields, and body.
package struct Answer: Sendable {
  package var status: Int
  /// The constant fields that the response begins with.
  package var constant: Constant
  /// Its own fields, behind those.
  package var fields: [AnswerField] = []
  package var body: Body

  /// Fields that are made once; see ``AnswerRules/fields(_:)``.
  package enum Constant: Sendable, Hashable, CaseIterable {
    /// A response with an image or a part of one.
    case image
    /// Any other response.
    case message
  }

  package enum Body: Sendable, Hashable {
    /// Nothing. A `Content-Length` among the fields is that of what a GET would have got.
    case none
    /// The whole rendition.
    case whole
    /// A part of the rendition.
    case part(Range<Int>)
    /// Parts of the rendition with text around them (RFC 9110 §14.6).
    case parts([Piece])
    /// This, instead of a rendition.
    case text(String)
  }

  package enum Piece: Sendable, Hashable {
    case text(String)
    case part(Range<Int>)

    package var count: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .part(let range): range.count
      }
    }
  }

  package subscript(name: AnswerField.Name) -> String? { fields.first { $0.name == name }?.value }

  mutating func append(_ name: AnswerField.Name, _ value: String) { fields.append(AnswerField(name, value)) }

  mutating func append(_ name: AnswerField.Name, _ value: String?) {
    if let value { append(name, value) }
  }
}
