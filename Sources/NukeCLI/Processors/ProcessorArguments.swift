#if Command
  import Foundation
  import Nuke

  /// The arguments of a processor's specification: `300x200,crop` or `width=300`.
  ///
  /// Each accessor removes what it returns. What is left at the end is unknown.
  package struct ProcessorArguments {
    /// An error, as one phrase.
    package struct Failure: Error, Equatable, CustomStringConvertible {
      package let description: String
      init(_ description: String) { self.description = description }
    }

    private var values: [(name: String, value: String)] = []
    private var words: [String] = []

    /// - Parameter text: `name=value` or single words, separated by commas.
    init(_ text: Substring) throws {
      guard !text.isEmpty else { return }
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard !part.isEmpty else { throw Failure("\"\(text)\" contains an empty value: remove a comma") }
        guard let sign = part.firstIndex(of: "=") else {
          words.append(String(part))
          continue
        }
        let name = String(part[..<sign])
        if values.contains(where: { $0.name == name }) { throw Failure("\(name) is specified twice") }
        values.append((name, String(part[part.index(after: sign)...])))
      }
    }

    /// Throws if an argument is left.
    func end() throws {
      if let left = words.first ?? values.first.map({ "\($0.name)=" }) { throw Failure("\"\(left)\" is unknown") }
    }

    // MARK: Words and values

    /// Returns `true` if the word is given.
    mutating func flag(_ word: String) -> Bool {
      guard let index = words.firstIndex(of: word) else { return false }
      words.remove(at: index)
      return true
    }

    /// Returns the first word.
    mutating func word() -> String? { words.isEmpty ? nil : words.removeFirst() }

    /// Returns the value of `name=value`.
    ///
    /// - Parameter word: `true` if the first word may be the value.
    mutating func value(_ name: String, word isWord: Bool = false) -> String? {
      values.firstIndex { $0.name == name }.map { values.remove(at: $0).value } ?? (isWord ? word() : nil)
    }

    /// The names of the values that are left.
    var names: [String] { values.map(\.name) }

    // MARK: Types of values

    mutating func number(_ name: String, word isWord: Bool = false, in range: ClosedRange<Double>) throws -> Double? {
      guard let text = value(name, word: isWord) else { return nil }
      guard let number = Double(text), range.contains(number) else {
        throw Failure("\(name) must be a number from \(range.lowerBound.short) to \(range.upperBound.short)")
      }
      return number
    }

    /// Returns the size of `size=300x200`, or of the first word.
    mutating func size() throws -> CGSize? {
      guard let text = value("size", word: true) else { return nil }
      guard let size = PixelSize(argument: text) else {
        let range = PixelSize.allowed
        throw Failure(
          "\"\(text)\" is not a size: use a width and a height from \(range.lowerBound) to \(range.upperBound) pixels, "
            + "such as 300x200")
      }
      return CGSize(width: size.width, height: size.height)
    }

    /// Returns the case with this raw value in kebab case, ignoring case.
    mutating func choice<Choice: CaseIterable & RawRepresentable>(
      _ name: String, of type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
      guard let text = value(name) else { return nil }
      let names = type.allCases.map(\.rawValue.kebabCase)
      if let choice = type.allCases.first(where: { $0.rawValue.kebabCase == text.lowercased() }) { return choice }
      throw Failure(
        "unknown \(name) \"\(text)\".\(text.nearest(of: names)) Use one of: \(names.joined(separator: ", "))")
    }

    private static let gravities: [ImageProcessingOptions.Gravity] = [
      .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight,
    ]

    /// Returns the gravity that is given as a word.
    mutating func gravity(allowingAttention: Bool = false) -> ImageProcessingOptions.Gravity? {
      (Self.gravities + (allowingAttention ? [.attention] : [])).first { flag("\($0)".kebabCase) }
    }

    /// Returns the point of `focus=0.3x0.7`.
    mutating func focus() throws -> ImageProcessingOptions.Gravity? {
      guard let text = value("focus") else { return nil }
      let shares = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
      guard shares.count == 2, shares.allSatisfy({ (0...1).contains($0) }) else {
        throw Failure("\"\(text)\" is not a focus: use two numbers from 0 to 1, such as 0.3x0.7")
      }
      return .focalPoint(x: shares[0], y: shares[1])
    }

    /// Returns the border of `border=` and `color=`. The default color is black.
    mutating func border() throws -> ImageProcessingOptions.Border? {
      let width = try number("border", in: 0...10_000)
      let color = try color("color")
      guard let width else {
        if color != nil { throw Failure("color needs border") }
        return nil
      }
      return ImageProcessingOptions.Border(color: color ?? .black, width: width, unit: .pixels)
    }

    private static let colors: KeyValuePairs<String, Color> = [
      "black": .black, "white": .white, "gray": .gray, "red": .red, "green": .green, "blue": .blue, "clear": .clear,
    ]

    /// Returns a color: a name, or RRGGBB or RRGGBBAA in hexadecimal digits, with an optional #.
    mutating func color(_ name: String, word isWord: Bool = false) throws -> Color? {
      try value(name, word: isWord).map(Self.color(parsing:))
    }

    static func color(parsing text: String) throws(Failure) -> Color {
      if let named = Self.colors.first(where: { $0.key == text.lowercased() }) { return named.value }
      let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
      guard [6, 8].contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let number = UInt32(digits.count == 6 ? digits + "FF" : digits, radix: 16)
      else {
        let names = Self.colors.map(\.key).joined(separator: ", ")
        throw Failure("\"\(text)\" is not a color: use RRGGBB, RRGGBBAA, or one of \(names)")
      }
      func component(_ shift: UInt32) -> CGFloat { CGFloat(number >> shift & 255) / 255 }
      return Color(red: component(24), green: component(16), blue: component(8), alpha: component(0))
    }

    /// Returns the image in a file, and a hash of the file that identifies it.
    mutating func image(_ name: String, word isWord: Bool = false) throws -> (image: PlatformImage, id: String)? {
      guard let path = value(name, word: isWord) else { return nil }
      guard let data = try? Self.content(of: path) else {
        throw Failure("\(path) cannot be read: the file does not exist or is not readable")
      }
      // FNV-1a
      let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      do {
        return (try ImageReaders.reader(for: data).decode(DecodeOptions()), String(hash, radix: 16))
      } catch {
        throw Failure("\(path) cannot be read: \(error)")
      }
    }

    private static func content(of path: String) throws(FileError) -> Data {
      let descriptor = try Descriptor.open(path)
      defer { close(descriptor) }
      return try Descriptor.readToEnd(descriptor, limit: 1 << 30, named: path)
    }

    /// Returns the value of a filter's key, and its text. `inputRadius` may be written `radius`.
    mutating func filterValue(_ parameter: ImageFilterParameter) throws -> (text: String, value: Any)? {
      let key = names.first {
        $0 == parameter.key || "input\($0.prefix(1).uppercased() + $0.dropFirst())" == parameter.key
      }
      guard let key else { return nil }
      switch parameter.kind {
      case .color: return try color(key).map { ($0.hex, $0) }
      case .image: return try image(key).map { ($0.id, $0.image) }
      case .data: throw Failure("\(parameter.key) is data, which cannot be specified on the command line")
      case .number, .vector:
        guard let text = value(key) else { return nil }
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        let count = if case .vector(let count) = parameter.kind { count } else { 1 }
        guard numbers.count == count, numbers.allSatisfy(\.isFinite) else {
          throw Failure(
            "\(key) must be \(parameter.kind)"
              + (count > 1 ? ", such as \(Array(repeating: "1", count: count).joined(separator: ":"))" : ""))
        }
        return (text, count == 1 ? numbers[0] : numbers)
      }
    }
  }

  extension String {
    /// The name in Swift's spelling with hyphens in place of capital letters: `topLeft` as `top-left`.
    var kebabCase: String {
      reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// Returns a question with the most similar name, or one that contains this text; empty if there is none.
    func nearest(of names: [String]) -> String {
      guard let near = names.min(by: { $0.editDistance(to: self) < $1.editDistance(to: self) }) else { return "" }
      let isNear = near.editDistance(to: self) <= max(1, near.count / 3) || near.lowercased() == lowercased()
      if isNear { return " Did you mean \(near)?" }
      guard count > 3, let longer = names.first(where: { $0.lowercased().contains(lowercased()) }) else { return "" }
      return " Did you mean \(longer)?"
    }
  }

  extension Double {
    /// The shortest unambiguous form, without a point for whole numbers.
    var short: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
  }
#endif
