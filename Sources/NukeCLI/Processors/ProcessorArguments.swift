/// What stands behind the name in a processor's specification: `300x200,crop` or `width=300`. Each use takes out what it
/// uses, so that what is left at the end is what nobody knows.
package struct ProcessorArguments {
  /// What is wrong, as one phrase.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  private var values: [(name: String, value: String)] = []
  private var words: [String] = []

  /// - Parameter text: parts with commas between them, `name=value` or single words.
  package init(_ text: Substring) throws(Failure) {
    guard !text.isEmpty else { return }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard !part.isEmpty else { throw Failure("there is nothing between two commas or at an end of \"\(text)\"") }
      guard let sign = part.firstIndex(of: "=") else {
        words.append(String(part))
        continue
      }
      let name = String(part[..<sign])
      if values.contains(where: { $0.name == name }) { throw Failure("\(name) is given twice") }
      values.append((name, String(part[part.index(after: sign)...])))
    }
  }

  /// Returns `true` if `word` is there.
  package mutating func flag(_ word: String) -> Bool {
    guard let index = words.firstIndex(of: word) else { return false }
    words.remove(at: index)
    return true
  }

  /// The value of `name=value`, or `nil`.
  package mutating func value(_ name: String) -> String? {
    values.firstIndex { $0.name == name }.map { values.remove(at: $0).value }
  }

  /// The names of values that are left.
  var names: [String] { values.map(\.name) }

  /// The first word that is left, or `nil`.
  package mutating func word() -> String? { words.isEmpty ? nil : words.removeFirst() }

  /// The number of `name=value`; `nil` if it is not given.
  ///
  /// - Parameter word: whether the first word that is left may stand for it.
  package mutating func number(
    _ name: String, word isWord: Bool = false, in range: ClosedRange<Double>
  ) throws(Failure) -> Double? {
    guard let text = value(name) ?? (isWord ? word() : nil) else { return nil }
    return try Self.number(text, name, in: range)
  }

  /// The size that `word` or `name=` names: `300x200`.
  package mutating func size() throws(Failure) -> PixelSize? {
    guard let text = value("size") ?? word() else { return nil }
    guard let size = PixelSize(argument: text) else {
      throw Failure("\"\(text)\" is no size: two numbers of pixels, such as 300x200")
    }
    return size
  }

  /// Throws where something is left that the processor does not know.
  package func end() throws(Failure) {
    if let left = words.first ?? values.first.map({ "\($0.name)=" }) { throw Failure("it does not know \"\(left)\"") }
  }

  private static func number(_ text: String, _ name: String, in range: ClosedRange<Double>) throws(Failure) -> Double {
    guard let number = Double(text), range.contains(number) else {
      throw Failure("\(name) must be a number from \(short(range.lowerBound)) to \(short(range.upperBound))")
    }
    return number
  }

  private static func short(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}
