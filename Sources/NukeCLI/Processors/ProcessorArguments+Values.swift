import Foundation
import Nuke

extension ProcessorArguments {
  /// The one of a few words that `name=` names; case makes no difference.
  mutating func choice<Choice: CaseIterable & RawRepresentable>(
    _ name: String, of type: Choice.Type
  ) throws(Failure) -> Choice? where Choice.RawValue == String {
    guard let text = value(name) else { return nil }
    if let choice = type.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }) { return choice }
    let names = type.allCases.map(\.rawValue)
    throw Failure("\"\(text)\" is no \(name).\(text.nearest(of: names)) There are: \(names.joined(separator: ", "))")
  }

  private static let gravities: [ImageProcessingOptions.Gravity] = [
    .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight,
  ]

  /// The gravity that one of the words names.
  mutating func gravity(isAttentionKnown: Bool = false) -> ImageProcessingOptions.Gravity? {
    (Self.gravities + (isAttentionKnown ? [.attention] : [])).first { flag("\($0)") }
  }

  /// The point that `focus=0.3x0.7` names.
  mutating func focus() throws(Failure) -> ImageProcessingOptions.Gravity? {
    guard let text = value("focus") else { return nil }
    let shares = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard shares.count == 2, shares.allSatisfy({ (0...1).contains($0) }) else {
      throw Failure("\"\(text)\" is no focus: two numbers from 0 to 1, such as 0.3x0.7")
    }
    return .focalPoint(x: shares[0], y: shares[1])
  }

  /// The image in the file that `name=` names, and what tells it from others.
  mutating func picture(
    _ name: String, word isWord: Bool = false
  ) throws(Failure) -> (image: PlatformImage, id: String)? {
    guard let path = value(name) ?? (isWord ? word() : nil) else { return nil }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      // FNV-1a, so that another image under the same name is another.
      let hash = data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      let image = try ImageReaders.reader(for: data).decode(DecodeOptions())
      return (image, String(hash, radix: 16))
    } catch let error as CodecError {
      throw Failure("\(path) cannot be read: \(error)")
    } catch {
      throw Failure("\(path) cannot be read: there is no such file, or it may not be read")
    }
  }

  /// The value of a filter's key, and how it was written; `inputRadius` may be written `radius`.
  mutating func filterValue(_ parameter: ImageFilterParameter) throws(Failure) -> (text: String, value: Any)? {
    let key = names.first {
      $0 == parameter.key || "input\($0.prefix(1).uppercased() + $0.dropFirst())" == parameter.key
    }
    guard let key else { return nil }
    switch parameter.kind {
    case .color:
      guard let color = try color(key) else { return nil }
      return (color.hex, color)
    case .image:
      guard let picture = try picture(key) else { return nil }
      return (picture.id, picture.image)
    case .data: throw Failure("\(parameter.key) is data, which cannot be written here")
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
  /// A question for what is nearly the same as this, or contains it; empty where nothing does.
  func nearest(of names: [String]) -> String {
    guard let near = names.min(by: { $0.editDistance(to: self) < $1.editDistance(to: self) }) else { return "" }
    let isNear = near.editDistance(to: self) <= max(1, near.count / 3) || near.lowercased() == lowercased()
    if isNear { return " Did you mean \(near)?" }
    guard count > 3, let longer = names.first(where: { $0.lowercased().contains(lowercased()) }) else { return "" }
    return " Did you mean \(longer)?"
  }
}
