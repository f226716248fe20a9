/// Numbers in BlurHash's base 83, most significant digit first.
enum Base83 {
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// The value of each ASCII character; -1 if it is not a digit.
  private static let values: [Int] = {
    var values = [Int](repeating: -1, count: 128)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = value }
    return values
  }()

  static func encode(_ number: Int, digits count: Int) -> String {
    var rest = number
    var text: [UInt8] = []
    for _ in 0..<count {
      text.append(digits[rest % 83])
      rest /= 83
    }
    return String(decoding: text.reversed(), as: UTF8.self)
  }

  /// Returns the values of all digits.
  static func values(of text: String) throws(PlaceholderError) -> [Int] {
    var result: [Int] = []
    for (position, character) in text.enumerated() {
      guard let ascii = character.asciiValue, values[Int(ascii)] >= 0 else {
        throw .invalidCharacter(character, position: position)
      }
      result.append(values[Int(ascii)])
    }
    return result
  }

  static func number(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }
}
