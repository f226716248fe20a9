package import Nuke

/// How one processor is written on the command line. The table is all there is to add a processor to.
package struct ProcessorSyntax: Sendable {
  package let name: String
  /// What can stand behind the name and its colon, one way of writing it each.
  package let forms: [String]
  /// What it does, as one phrase.
  package let summary: String
  let make: @Sendable (inout ProcessorArguments) throws(ProcessorArguments.Failure) -> any ImageProcessing

  init(
    _ name: String, _ forms: [String], _ summary: String,
    make: @escaping @Sendable (inout ProcessorArguments) throws(ProcessorArguments.Failure) -> any ImageProcessing
  ) {
    self.name = name
    self.forms = forms
    self.summary = summary
    self.make = make
  }

  package static let all: [ProcessorSyntax] = sizes + turns + shapes + effects

  /// The table as lines of a help text.
  package static var help: String {
    all.flatMap { syntax in
      syntax.written.map { "  " + $0 } + syntax.summary.lines(of: 72).map { "      " + $0 }
    }.joined(separator: "\n")
  }

  /// The processor that `specification` names, such as `resize:300x200,crop`.
  package static func processor(
    _ specification: String
  ) throws(ProcessorArguments.Failure) -> any ImageProcessing {
    let colon = specification.firstIndex(of: ":") ?? specification.endIndex
    let name = String(specification[..<colon])
    guard let syntax = all.first(where: { $0.name == name }) else { throw unknown(name) }
    do {
      var arguments = try ProcessorArguments(specification[colon...].dropFirst())
      let processor = try syntax.make(&arguments)
      try arguments.end()
      return processor
    } catch {
      throw ProcessorArguments.Failure(
        "\(error.description). It is written " + syntax.written.joined(separator: " or "))
    }
  }

  /// The ways of writing it, in full.
  private var written: [String] { forms.map { $0.isEmpty ? name : "\(name):\($0)" } }

  private static func unknown(_ name: String) -> ProcessorArguments.Failure {
    let hint = name.nearest(of: all.map(\.name))
    return ProcessorArguments.Failure(
      "there is no processor \"\(name)\".\(hint) There are: \(all.map(\.name).joined(separator: ", "))")
  }
}
