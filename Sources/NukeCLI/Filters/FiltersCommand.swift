#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke filters`: describes the filters of `core-image-filter`.
  struct FiltersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "filters",
      abstract: "List the filters with Core Image's names, and their keys.",
      discussion: """
        Without a name, prints a line for each filter: its name and what it does. With a name, prints its keys with their \
        types, ranges and defaults. Numbers outside of a range are clamped.

        EXAMPLES
          nuke filters
          nuke filters CISepiaTone
          nuke filters CIGaussianBlur --json
          nuke convert a.jpg b.jpg --processor core-image-filter:CIBloom,intensity=0.5

        The exit status is 2 for an unknown name.
        """)

    @Argument(help: "A filter to describe in full.", completion: .list(ImageFilters.names)) var name: String?

    @Flag(help: .json) var json = false

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
    /// The text up to the first period.
    fileprivate var firstSentence: String {
      range(of: ". ").map { String(self[..<$0.lowerBound]) + "." } ?? self
    }
  }
#endif
