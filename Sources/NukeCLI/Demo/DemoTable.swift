import Foundation

/// A claim of the demo, and the result that was counted.
package struct DemoRow: Sendable, Equatable {
  package enum Expectation: Sendable, Equatable {
    case exactly(Int)
    case atLeast(Int)

    func isMet(by count: Int) -> Bool {
      switch self {
      case .exactly(let expected): count == expected
      case .atLeast(let expected): count >= expected
      }
    }

    var text: String {
      switch self {
      case .exactly(let count): "\(count)"
      case .atLeast(let count): "≥ \(count)"
      }
    }
  }

  package enum Counter: String, Sendable {
    case origin, pipeline, demo
  }

  package let step: String
  package let measure: String
  package let counter: Counter
  package let expectation: Expectation
  package let count: Int

  package var isMet: Bool { expectation.isMet(by: count) }

  package var json: JSON {
    .members([
      "step": .string(step), "measure": .string(measure), "counter": .string(counter.rawValue),
      "promised": .string(expectation.text), "counted": .integer(count), "ok": .bool(isMet),
    ])
  }
}

/// All claims and counts, as a table.
package struct DemoTable: Sendable {
  package private(set) var rows: [DemoRow] = []

  package init() {}

  package mutating func add(
    _ step: String, _ measure: String, by counter: DemoRow.Counter, _ expectation: DemoRow.Expectation, _ count: Int
  ) {
    rows.append(DemoRow(step: step, measure: measure, counter: counter, expectation: expectation, count: count))
  }

  package var isMet: Bool { rows.allSatisfy(\.isMet) }

  /// Formats the table. The name of a step is in its first row.
  package func lines(hasColor: Bool) -> [String] {
    let header = ["step", "what is counted", "counted by", "promised", "counted", ""]
    let cells = rows.enumerated().map { index, row in
      let isFirst = index == 0 || rows[index - 1].step != row.step
      return [
        isFirst ? row.step : "", row.measure, row.counter.rawValue, row.expectation.text, "\(row.count)",
        row.isMet ? "ok" : "WRONG",
      ]
    }
    let widths = header.indices.map { column in ([header] + cells).map { $0[column].cellWidth }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      cells.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.cellWidth)
        return column == 3 || column == 4 ? padding + text : text + padding
      }.joined(separator: "  ")
    }
    let rule = String(repeating: "─", count: widths.reduce(0, +) + 2 * (widths.count - 1))
    return [line(header), rule]
      + zip(rows, cells).map { row, cells in
        let text = line(cells)
        guard hasColor else { return text.trimmingTrailingSpaces }
        return "\(row.isMet ? "\u{1B}[32m" : "\u{1B}[31m")\(text.trimmingTrailingSpaces)\u{1B}[0m"
      } + [rule]
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
