#if Command
  package import Nuke

  /// The syntax of one processor on the command line.
  package struct ProcessorSyntax: Sendable {
    package typealias Make = @Sendable (inout ProcessorArguments) throws -> any ImageProcessing

    package let name: String
    /// The possible arguments, after the name and a colon.
    package let forms: [String]
    private let summary: String
    private let make: Make

    init(_ name: String, _ forms: [String], _ summary: String, make: @escaping Make) {
      self.name = name
      self.forms = forms
      self.summary = summary
      self.make = make
    }

    package static let all: [ProcessorSyntax] = geometry + shapes + effects

    /// The help text of all processors.
    package static var help: String {
      all.flatMap { syntax in
        syntax.written.map { "  " + $0 } + syntax.summary.lines(of: 72).map { "      " + $0 }
      }.joined(separator: "\n")
    }

    /// Parses a specification such as `resize:300x200,crop`.
    package static func processor(_ specification: String) throws -> any ImageProcessing {
      let colon = specification.firstIndex(of: ":") ?? specification.endIndex
      let name = String(specification[..<colon])
      guard let syntax = all.first(where: { $0.name == name }) else {
        let names = all.map(\.name)
        throw ProcessorArguments.Failure(
          "there is no processor \"\(name)\".\(name.nearest(of: names)) Use one of: \(names.joined(separator: ", "))")
      }
      do {
        var arguments = try ProcessorArguments(specification[colon...].dropFirst())
        let processor = try syntax.make(&arguments)
        try arguments.end()
        return processor
      } catch {
        throw ProcessorArguments.Failure("\(error). Its syntax is " + syntax.written.joined(separator: " or "))
      }
    }

    private var written: [String] { forms.map { $0.isEmpty ? name : "\(name):\($0)" } }
  }

  extension Optional {
    /// Returns the value of a required argument.
    func required(_ what: String) throws -> Wrapped {
      guard let self else { throw ProcessorArguments.Failure("it requires \(what)") }
      return self
    }
  }
#endif
