import Foundation
import NukeBase
import NukeImaging
import Testing

/// A line of the lists that Scripts/references/make writes: what is done to which image, and what must come of it.
struct ReferenceCase: Decodable, Sendable, CustomTestStringConvertible {
  enum Parameter: Decodable, Sendable, CustomStringConvertible {
    case number(Double)
    case numbers([Double])
    /// The name of an image or of a mode, or data in base 64.
    case text(String)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let numbers = try? value.decode([Double].self) {
        self = .numbers(numbers)
      } else {
        self = .text(try value.decode(String.self))
      }
    }

    var description: String {
      switch self {
      case .number(let number): "\(number)"
      case .numbers(let numbers): "\(numbers)"
      case .text(let text): String(text.prefix(20))
      }
    }
  }

  let name: String
  /// The image that it is done to.
  let source: String
  let parameters: [String: Parameter]?
  private let frame: ImageSheet.Frame
  /// The largest difference allowed in a channel, in 255ths; `nil` if ``psnr`` counts.
  private let within: Int?
  /// The least ratio of signal to noise allowed, in decibels.
  private let psnr: Double?

  var testDescription: String {
    let parameters = (parameters ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(name) on \(source), \(parameters.isEmpty ? "defaults" : parameters.joined(separator: ", "))"
  }

  /// What is not as expected of a result, in one sentence; `nil` if all is well.
  func fault(of result: Bitmap, family: String) throws -> String? {
    let expected = try Self.sheet(family).image(frame)
    guard (result.pixelWidth, result.pixelHeight) == (expected.pixelWidth, expected.pixelHeight) else {
      return "\(testDescription) has the size of \(result), not of \(expected)"
    }
    let difference = ImageDifference(result, expected)
    if let psnr { return difference.psnr >= psnr ? nil : "\(testDescription): \(difference.psnr) dB, \(difference)" }
    if difference.largest > within ?? 0 { return "\(testDescription): \(difference)" }
    // Where sums are rounded to nearest, few are next to a boundary; cut, half of them would be one off.
    guard within == 1, difference.share > 0.25 else { return nil }
    return "\(testDescription): \(difference.share) of all channels differ by one"
  }
}

extension ReferenceCase {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/Filters").standardized

  /// The lists there are.
  static let families: Set<String> = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return Set(files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
  }()

  /// The cases of a family, by the name of its module in Scripts/references.
  static func all(_ family: String) -> [ReferenceCase] {
    do {
      return try JSONDecoder().decode(
        [ReferenceCase].self, from: Data(contentsOf: folder.appending(path: "\(family).json")))
    } catch {
      fatalError("the list of the \(family) references cannot be read: \(error)")
    }
  }

  private static let sheets = Lock<[String: ImageSheet]>([:])

  private static func sheet(_ family: String) throws -> ImageSheet {
    if let sheet = sheets.withLock({ $0[family] }) { return sheet }
    let sheet = try ImageSheet(folder.appending(path: "\(family).png"))
    sheets.withLock { $0[family] = sheet }
    return sheet
  }

  private static let sources = Dictionary(uniqueKeysWithValues: all("sources").map { ($0.name, $0.frame) })

  /// One of the images that references are made of.
  static func source(_ name: String) throws -> Bitmap {
    try sheet("sources").image(#require(sources[name], "there is no image \(name)"))
  }
}

/// How two images of one size differ.
struct ImageDifference: CustomStringConvertible {
  /// The largest difference of a channel, in 255ths.
  private(set) var largest = 0
  private(set) var psnr = Double.infinity
  /// The share of channels that differ.
  let share: Double
  let description: String

  init(_ result: Bitmap, _ expected: Bitmap) {
    let (actual, wanted) = (result.bytes, expected.bytes)
    var (squares, place, count) = (0, 0, 0)
    for index in wanted.indices {
      let difference = abs(Int(actual[index]) - Int(wanted[index]))
      squares += difference * difference
      if difference > 0 { count += 1 }
      if difference > largest { (largest, place) = (difference, index / 4 * 4) }
    }
    share = Double(count) / Double(max(wanted.count, 1))
    if squares > 0 { psnr = 10 * log10(255 * 255 * Double(wanted.count) / Double(squares)) }
    let (x, y) = (place / 4 % expected.pixelWidth, place / 4 / expected.pixelWidth)
    description =
      "differs by up to \(largest), at \(x), \(y), where \(actual[place..<place + 4]) stands for "
      + "\(wanted[place..<place + 4])"
  }
}
