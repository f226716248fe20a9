import ArgumentParser
import NukeTerminal

/// How images are drawn on the terminal: the options for it, checked.
struct DrawingOptions: ParsableArguments {
  /// What may be typed for ``DrawingOptions/method``.
  enum Method: String, CaseIterable, ExpressibleByArgument {
    case auto, kitty, sixel, symbols, blocks, text

    /// `nil` if the terminal decides.
    var fixed: TerminalProtocol? { TerminalProtocol(rawValue: rawValue) }
  }

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp(
      "Draw by auto (the best that the terminal knows), kitty, sixel, symbols, blocks or text.",
      discussion: "Symbols need a build with the trait Terminal.", valueName: "protocol"))
  var method = Method.auto

  @Option(
    help: ArgumentHelp(
      "Fill so many cells, keeping the proportions, instead of one pixel with each.", valueName: "COLUMNSxROWS"),
    transform: TerminalSize.typed)
  var size: TerminalSize?

  @Flag(help: "Play animated images. One that never ends does so once where others follow, else until an interrupt.")
  var animate = false

  func validate() throws {
    if let fixed = method.fixed, !fixed.isBuilt {
      throw ValidationError("This build cannot draw \(fixed.rawValue): it needs the trait Terminal.")
    }
  }

  /// `true` if anything was said.
  var isGiven: Bool { method != .auto || size != nil || animate }
}

extension TerminalSize {
  /// As it is typed: `40x12`.
  fileprivate static func typed(_ text: String) throws -> TerminalSize {
    guard let size = PixelSize(argument: text) else {
      throw ValidationError("--size needs columns and rows, such as 40x12.")
    }
    return TerminalSize(columns: size.width, rows: size.height)
  }
}
