import Foundation

extension String {
  /// The help of a command with the section PROCESSORS, which is longer than a screen, after the usage and the options.
  /// Other texts are returned unchanged.
  package var withProcessorsLast: String {
    guard let title = range(of: "\n\nPROCESSORS\n"), contains("\nUSAGE: "),
      let end = range(of: "\n\n", range: title.upperBound..<endIndex)
    else { return self }
    let section = self[title.lowerBound..<end.lowerBound]
    return (self[..<title.lowerBound] + self[end.lowerBound...]).trimmingCharacters(in: .newlines) + section
  }
}
