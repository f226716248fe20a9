import Foundation
import NukeImaging
import Testing

@Suite("Filters compared with their formulas in double precision")
struct FilterReferenceTests {
  /// Each is a module of Scripts/references.
  private static let families = ReferenceCase.families.subtracting(["sources", "processors"]).sorted()

  @Test(
    "Each filter produces the reference pixels at several sets of parameters, and reports opacity correctly",
    arguments: families)
  func formulas(_ family: String) throws {
    for reference in ReferenceCase.all(family) {
      let (filter, source) = (
        try ImageFilters.filter(named: reference.name), try ReferenceCase.source(reference.source)
      )
      let given = try reference.values(for: filter)
      let result = try filter.apply(ImageFilterValues(given, for: filter), to: source)
      if let fault = try reference.fault(of: result, family: family) { Issue.record("\(fault)") }
      let isCovered = source.isOpaque || (given["inputBackgroundImage"] as? Bitmap)?.isOpaque == true
      let isWhole = stride(from: 3, to: result.byteCount, by: 4).allSatisfy { result.bytes[$0] == 255 }
      #expect(result.isOpaque == (isCovered && isWhole), "\(reference.testDescription)")
    }
  }

  @Test("Every filter has a reference, and every reference has a filter")
  func completeness() {
    let referenced = Set(Self.families.flatMap { ReferenceCase.all($0).map(\.name) })
    let names = Set(ImageFilters.names.filter { $0.hasPrefix("CI") })
    #expect(names.subtracting(referenced).sorted() == [])
    #expect(referenced.subtracting(names).sorted() == [])
  }
}

extension ReferenceCase {
  /// The parameters as programs give them, by the kinds that a filter declares.
  fileprivate func values(for filter: any ImageFilter) throws -> [String: Any] {
    let kinds = Dictionary(uniqueKeysWithValues: filter.parameters.map { ($0.key, $0.kind) })
    var values: [String: Any] = [:]
    for (key, parameter) in parameters ?? [:] {
      switch (parameter, kinds[key]) {
      case (.text(let name), .image): values[key] = try ReferenceCase.source(name)
      case (.text(let text), .data):
        let data: Data = try #require(Data(base64Encoded: text))
        values[key] = data
      case (.text(let text), _): values[key] = text
      case (.number(let number), _): values[key] = number
      case (.numbers(let numbers), .color): values[key] = Color(numbers)
      case (.numbers(let numbers), _): values[key] = numbers
      }
    }
    return values
  }
}

extension Color {
  /// Red, green, blue and alpha.
  init(_ numbers: [Double]) {
    self.init(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3])
  }
}
