#if Command
  import ArgumentParser
  import NukeTerminal

  /// The options for drawing on the terminal.
  struct DrawingOptions: ParsableArguments {
    enum Method: String, CaseIterable, ExpressibleByArgument {
      case auto, kitty, sixel, symbols, blocks, text

      /// `nil` if the terminal decides.
      var fixed: TerminalProtocol? { TerminalProtocol(rawValue: rawValue) }
    }

    @Option(
      name: .customLong("protocol"),
      help: ArgumentHelp(
        "How to draw: auto (the best protocol of the terminal), kitty, sixel, symbols, blocks or text.",
        discussion: "Symbols require a build with the trait Terminal.", valueName: "protocol"))
    var method = Method.auto

    @Option(
      help: ArgumentHelp(
        "Size in cells, keeping the aspect ratio. (default: the size of the image)", valueName: "COLUMNSxROWS"))
    var cells: PixelSize?

    @Flag(help: "Play animated images. An endless one plays once if other images follow, or until an interrupt.")
    var animate = false

    func validate() throws {
      if let fixed = method.fixed, !fixed.isBuilt {
        throw ValidationError("This build cannot draw \(fixed.rawValue): build it with the trait Terminal.")
      }
    }

    var terminalSize: TerminalSize? { cells.map { TerminalSize(columns: $0.width, rows: $0.height) } }

    /// `true` if any option is given.
    var isGiven: Bool { method != .auto || cells != nil || animate }
  }
#endif
