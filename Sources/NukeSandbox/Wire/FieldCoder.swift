import Foundation

/// Writes the fields of a value, or reads them into it, in one order: one list of fields serves both sides.
protocol FieldCoder {
  mutating func code(_ number: inout Int) throws(MalformedFrame)
  mutating func code(_ bytes: inout Data) throws(MalformedFrame)
}

/// What came is not what was agreed on.
struct MalformedFrame: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

extension FieldCoder {
  mutating func code(_ flag: inout Bool) throws(MalformedFrame) {
    var number = flag ? 1 : 0
    try code(&number)
    guard number == 0 || number == 1 else { throw MalformedFrame("\(number) is no flag") }
    flag = number == 1
  }

  /// All its bits, also of what is no number.
  mutating func code(_ number: inout Double) throws(MalformedFrame) {
    var bits = Int(bitPattern: UInt(number.bitPattern))
    try code(&bits)
    number = Double(bitPattern: UInt64(UInt(bitPattern: bits)))
  }

  mutating func code(_ text: inout String) throws(MalformedFrame) {
    var bytes = Data(text.utf8)
    try code(&bytes)
    guard let read = String(data: bytes, encoding: .utf8) else { throw MalformedFrame("a text is not UTF-8") }
    text = read
  }

  mutating func code<Value: RawRepresentable<String>>(_ value: inout Value) throws(MalformedFrame) {
    var name = value.rawValue
    try code(&name)
    guard let read = Value(rawValue: name) else { throw MalformedFrame("there is no \(Value.self) of that name") }
    value = read
  }

  /// - Parameter blank: what the fields of a value are read into.
  mutating func code<Value>(
    _ value: inout Value?, blank: Value, _ body: (inout Self, inout Value) throws(MalformedFrame) -> Void
  ) throws(MalformedFrame) {
    var isThere = value != nil
    try code(&isThere)
    guard isThere else { return value = nil }
    var fields = value ?? blank
    try body(&self, &fields)
    value = fields
  }

  mutating func code<Value>(
    _ values: inout [Value], blank: Value, _ body: (inout Self, inout Value) throws(MalformedFrame) -> Void
  ) throws(MalformedFrame) {
    var count = values.count
    try code(&count)
    guard 0...1000 ~= count else { throw MalformedFrame("a list of \(count)") }
    var read: [Value] = []
    for index in 0..<count {
      var value = index < values.count ? values[index] : blank
      try body(&self, &value)
      read.append(value)
    }
    values = read
  }
}

/// Numbers are little-endian and have 8 bytes; bytes have their count before them.
struct FieldWriter: FieldCoder {
  private(set) var bytes = Data()

  mutating func code(_ number: inout Int) throws(MalformedFrame) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func code(_ field: inout Data) throws(MalformedFrame) {
    var count = field.count
    try code(&count)
    bytes.append(field)
  }

  /// The fields that `body` names.
  static func bytes(_ body: (inout FieldWriter) throws(MalformedFrame) -> Void) -> Data {
    var writer = FieldWriter()
    // What is written is what is there, and cannot be malformed.
    try? body(&writer)
    return writer.bytes
  }
}

/// Reads what may come from anybody: each length is checked against what there is.
struct FieldReader: FieldCoder {
  private var rest: Data

  init(_ bytes: Data) { rest = bytes }

  mutating func code(_ number: inout Int) throws(MalformedFrame) {
    guard rest.count >= 8 else { throw MalformedFrame("it ends in the middle of a number") }
    number = rest.withUnsafeBytes { Int(littleEndian: $0.loadUnaligned(as: Int.self)) }
    rest = rest.dropFirst(8)
  }

  mutating func code(_ field: inout Data) throws(MalformedFrame) {
    var count = 0
    try code(&count)
    guard 0...rest.count ~= count else {
      throw MalformedFrame("a field of \(count) bytes, where \(rest.count) are left")
    }
    field = Data(rest.prefix(count))
    rest = rest.dropFirst(count)
  }

  /// Nothing may be left.
  func end() throws(MalformedFrame) {
    guard rest.isEmpty else { throw MalformedFrame("\(rest.count) bytes too many") }
  }
}
