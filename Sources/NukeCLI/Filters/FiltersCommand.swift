import ArgumentParser
import Foundation
import Nuke

/// `nuke filters`: lists what `coreImageFilter` runs.
struct FiltersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filters",
    abstract: "List the filters that have Core Image's names, and their keys.",
    discussion: """
      Without a name each filter is a line: its name and what it does. With one it is told in full: its keys, what may stand \
      under each, what counts where nothing is given, and the range that numbers are brought into.

      EXAMPLES
        nuke filters
        nuke filters CISepiaTone
        nuke filters CIGaussianBlur --json
        nuke convert a.jpg b.jpg --processor coreImageFilter:CISepiaTone,intensity=0.5

      The status is 2 for a name that there is not.
      """)

  @Argument(help: "A filter to tell in full.", completion: .list(ImageFilters.names)) var name: String?

  @Flag(help: "Print one JSON object a line instead of text.") var json = false

  func validate() throws {
    guard let name else { return }
    guard (try? ImageFilters.filter(named: name)) == nil else { return }
    throw ValidationError("There is no filter \(name).\(name.nearest(of: ImageFilters.names))")
  }

  func run() throws {
    let console = Console()
    let names = name.map { [$0] } ?? ImageFilters.names
    let filters = names.compactMap { try? ImageFilters.filter(named: $0) }
    if json {
      for filter in filters { console.print(filter.json.text) }
    } else if name != nil {
      for line in filters.flatMap(\.lines) { console.print(line) }
    } else {
      let width = names.map(\.count).max() ?? 0
      for filter in filters { console.print("\(filter.name.fitted(to: width))  \(filter.summary.firstSentence)") }
    }
  }
}

extension String {
  /// Up to the first full stop with a space behind it.
  fileprivate var firstSentence: String {
    range(of: ". ").map { String(self[..<$0.lowerBound]) + "." } ?? self
  }
}
