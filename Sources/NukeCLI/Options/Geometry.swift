#if Command
  import ArgumentParser
  import Foundation
  package import Nuke

  /// The size of a result in pixels, or as a share of the source, as users of ImageMagick and vips write it: `300x200`,
  /// `300x`, `x200`, `50%`, with `>`, `^` or `!`.
  package struct Geometry: Equatable, Sendable {
    package enum Target: Equatable, Sendable {
      /// The image fits into the size.
      case fit(width: Int, height: Int)
      /// The image covers the size (`^`).
      case cover(width: Int, height: Int)
      /// The image has exactly the size, whatever its aspect ratio (`!`).
      case exact(width: Int, height: Int)
      case width(Int)
      case height(Int)
      /// Both sides are multiplied by a factor (`%`).
      case factor(Double)
    }

    package let target: Target
    /// `true` to keep images that are smaller than the size (`>`).
    package let shrinksOnly: Bool

    package init(_ target: Target, shrinksOnly: Bool = false) {
      self.target = target
      self.shrinksOnly = shrinksOnly
    }

    /// The reason why a text is not a geometry, as one phrase.
    package struct Failure: Error, Equatable, CustomStringConvertible {
      package let description: String
    }

    /// Parses a geometry: a size, followed by flags in any order.
    ///
    /// - Throws: ``Failure``.
    package init(parsing text: String) throws(Failure) {
      let size = text.prefix { $0.isASCII && ($0.isNumber || "xX.-%".contains($0)) }
      let flags = text[size.endIndex...]
      if size.contains("%") {
        let factor = try Self.factor(size)
        guard flags.isEmpty else { throw Failure(description: "a percentage has no flags") }
        self.init(.factor(factor))
        return
      }
      let sides = size.split(omittingEmptySubsequences: false) { "xX".contains($0) }
      guard sides.count == 2 else {
        let isNumber = Int(size).map(PixelSize.allowed.contains) == true && flags.allSatisfy(Self.flags.contains)
        throw Failure(
          description: isNumber
            ? "write \(size)x for a width, x\(size) for a height, or \(size)x\(size) for both"
            : "it is not a size, such as 300x200, 300x, x200 or 50%")
      }
      let (width, height) = (try Self.side(sides[0], "width"), try Self.side(sides[1], "height"))
      for flag in flags where !Self.flags.contains(flag) {
        throw Failure(description: "\"\(flag)\" is unknown: the flags are ^, ! and >")
      }
      guard Set(flags).count == flags.count else { throw Failure(description: "a flag is specified twice") }
      let (covers, isExact, shrinksOnly) = (flags.contains("^"), flags.contains("!"), flags.contains(">"))
      if isExact, covers || shrinksOnly { throw Failure(description: "! cannot be combined with another flag") }
      switch (width, height) {
      case (let width?, let height?):
        let target: Target =
          isExact
          ? .exact(width: width, height: height)
          : covers ? .cover(width: width, height: height) : .fit(width: width, height: height)
        self.init(target, shrinksOnly: shrinksOnly)
      case (nil, nil): throw Failure(description: "it has neither a width nor a height")
      case _ where covers || isExact: throw Failure(description: "\(covers ? "^" : "!") needs a width and a height")
      case (let width?, nil): self.init(.width(width), shrinksOnly: shrinksOnly)
      case (nil, let height?): self.init(.height(height), shrinksOnly: shrinksOnly)
      }
    }

    private static let flags: Set<Character> = ["^", "!", ">"]

    /// Returns `nil` for an empty text.
    private static func side(_ text: Substring, _ name: String) throws(Failure) -> Int? {
      guard !text.isEmpty else { return nil }
      guard let side = Int(text), PixelSize.allowed.contains(side) else {
        let range = PixelSize.allowed
        throw Failure(description: "the \(name) must be an integer from \(range.lowerBound) to \(range.upperBound)")
      }
      return side
    }

    private static func factor(_ text: Substring) throws(Failure) -> Double {
      let digits = text.dropLast()
      guard text.last == "%", digits.allSatisfy({ $0.isNumber || $0 == "." }), let percent = Double(digits),
        percent > 0, percent <= 10_000
      else { throw Failure(description: "a percentage must be more than 0% and at most 10000%, such as 50%") }
      return percent / 100
    }

    /// Returns the processor that resizes images to the geometry.
    package func processor(
      filter: ImageProcessingOptions.ResizeFilter = .lanczos, linearLight: Bool = false
    ) -> any ImageProcessing {
      func resize(
        _ width: Int, _ height: Int, _ mode: ImageProcessingOptions.ContentMode
      ) -> ImageProcessors.Resize {
        .init(
          size: CGSize(width: width, height: height), unit: .pixels, contentMode: mode,
          upscale: !shrinksOnly, filter: filter, linearLight: linearLight)
      }
      switch target {
      case .fit(let width, let height): return resize(width, height, .aspectFit)
      case .cover(let width, let height): return resize(width, height, .aspectFill)
      case .width(let width):
        return ImageProcessors.Resize(
          width: CGFloat(width), unit: .pixels, upscale: !shrinksOnly, filter: filter, linearLight: linearLight)
      case .height(let height):
        return ImageProcessors.Resize(
          height: CGFloat(height), unit: .pixels, upscale: !shrinksOnly, filter: filter, linearLight: linearLight)
      case .exact(let width, let height):
        return ScaleProcessor(.size(width: width, height: height), filter: filter, linearLight: linearLight)
      case .factor(let factor):
        return ScaleProcessor(.factor(factor), filter: filter, linearLight: linearLight)
      }
    }
  }

  extension ArgumentHelp {
    /// Returns the help text of an option that takes a geometry.
    static func geometry(_ purpose: String) -> Self {
      Self(
        """
        \(purpose): 300x200 to fit into it, 300x200^ to cover it, 300x200! for exactly it, 300x, x200, or 50%. With >, \
        smaller images stay as they are.
        """, valueName: "geometry")
    }
  }
#endif
