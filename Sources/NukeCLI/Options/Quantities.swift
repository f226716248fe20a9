#if Command
  import ArgumentParser
  package import Nuke

  /// A number of bytes as it is typed: `1500`, `500K`, `20MB`, `1G`. The units are decimal.
  package struct ByteLimit: ExpressibleByArgument, Equatable {
    package let bytes: Int

    package init?(argument: String) {
      var digits = argument.uppercased()[...]
      if digits.hasSuffix("B") { digits = digits.dropLast() }
      let factors: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
      let factor = digits.last.flatMap { factors[$0] }
      if factor != nil { digits = digits.dropLast() }
      guard let count = Int(digits), count > 0 else { return nil }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: factor ?? 1)
      guard !overflow else { return nil }
      self.bytes = bytes
    }
  }

  /// A size in pixels, or in cells of a terminal, as it is typed: `640x480`.
  package struct PixelSize: ExpressibleByArgument, Equatable {
    /// The accepted widths and heights.
    package static let allowed = 1...65_500

    package let width: Int
    package let height: Int

    init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    package init?(argument: String) {
      let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
        Self.allowed.contains(width), Self.allowed.contains(height)
      else { return nil }
      self.width = width
      self.height = height
    }
  }

  /// The frame of a video as it is typed: `2s`, `1.5`, `500ms`, `2m`, or `best`.
  package struct FrameChoice: ExpressibleByArgument, Equatable {
    package let frame: PosterFrame

    package init?(argument: String) {
      if argument == "best" {
        frame = .representative(of: 10)
        return
      }
      let units = [("ms", 0.001), ("s", 1), ("m", 60), ("", 1)]
      guard let (unit, factor) = units.first(where: { argument.hasSuffix($0.0) }),
        let number = Double(argument.dropLast(unit.count)), number.isFinite, number >= 0
      else { return nil }
      frame = .time(number * factor)
    }
  }

  extension ParsableArguments {
    /// Throws unless the value of an option is in a range.
    func check<Value: Comparable>(_ name: String, _ value: Value?, in range: ClosedRange<Value>) throws {
      guard let value, !range.contains(value) else { return }
      throw ValidationError("\(name) must be from \(range.lowerBound) to \(range.upperBound).")
    }

    /// Throws the error for the first option that is given.
    func reject(_ options: KeyValuePairs<String, Bool>, _ reason: (String) -> String) throws {
      guard let (name, _) = options.first(where: \.value) else { return }
      throw ValidationError(reason(name))
    }
  }
#endif
