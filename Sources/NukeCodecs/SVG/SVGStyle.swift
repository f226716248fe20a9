#if SVG
  import Foundation

  /// The properties of an element, or of a rule of a style sheet, that determine the cost of drawing.
  struct SVGStyle {
    /// The numbers of the elements that it refers to.
    var references: Set<Int> = []
    /// The numbers of the elements that are drawn at every point of a path.
    var markers: Set<Int> = []
    /// The number of times that it is drawn into a separate layer and then composited, including filter steps.
    private(set) var layers = 0.0
    /// The factor by which its transforms enlarge.
    private(set) var scale = 1.0
    private var hasTransform = false
    /// The sum of its positions, and of its width and height.
    private(set) var offset = SVGLength()
    private(set) var size = SVGLength()
    /// The largest of its radii.
    private(set) var radius = SVGLength()
    private(set) var strokeWidth: SVGLength?
    /// The number of dashes and gaps in each pixel of its strokes.
    private(set) var dashes: Double?
    /// The absolute font size.
    private(set) var font: Double?
    /// The factor by which it changes the font size of its parent.
    private(set) var fontFactor: Double?
    /// `true` if strokes are not enlarged together with their path.
    private(set) var hasFixedStroke = false
    /// The sides of view boxes.
    var views = SVGLength()

    private static let known: Set<String> = [
      "clip-path", "cx", "cy", "dx", "dy", "fill", "filter", "font", "font-size", "height",
      "isolation", "marker", "marker-end", "marker-mid", "marker-start", "markerHeight", "markerWidth", "mask",
      "mix-blend-mode", "opacity", "patternTransform", "r", "rx", "ry", "stroke", "stroke-dasharray", "stroke-width",
      "transform", "vector-effect", "width", "x", "x1", "x2", "y", "y1", "y2",
    ]

    /// Returns `true` if an attribute with this name is a property that matters here.
    static func isKnown(_ name: String) -> Bool { known.contains(name) }

    var isEmpty: Bool {
      references.isEmpty && markers.isEmpty && layers == 0 && scale == 1 && strokeWidth == nil && dashes == nil
        && font == nil && fontFactor == nil && !hasFixedStroke && [offset, size, radius].allSatisfy { $0.isZero }
    }

    /// Reads a property. Properties without an influence on the cost are ignored. Of several values of a property, for
    /// example in an attribute and in `style`, the one that costs most counts.
    mutating func read(_ property: String, _ value: String) {
      switch property {
      case "opacity": layers += Double(value) == 1 ? 0 : 1
      case "filter":
        // Functions such as blur() are filters with one step.
        let functions = value.utf8.count { $0 == UInt8(ascii: "(") }
        layers += value == "none" ? 0 : 1 + Double(functions) * SVGCost.layersPerFilterStep
      case "mask": layers += value == "none" ? 0 : 1
      case "mix-blend-mode": layers += value == "normal" ? 0 : 1
      case "isolation": layers += value == "auto" ? 0 : 1
      case "vector-effect": hasFixedStroke = hasFixedStroke || value != "none"
      case "transform", "patternTransform":
        let transform = SVGTransform(ArraySlice(value.utf8))
        scale = hasTransform ? max(scale, transform.scale) : transform.scale
        hasTransform = true
        offset = offset + SVGLength(pixels: transform.offset)
      case "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "dx", "dy": offset = offset + Self.length(value)
      case "width", "height", "markerWidth", "markerHeight": size = size + Self.length(value)
      case "r", "rx", "ry": radius.formMaximum(Self.length(value))
      case "stroke-width":
        var numbers = SVGNumbers(value)
        if let width = numbers.length() { widen(to: width) }
      case "stroke-dasharray":
        if let density = Self.dashes(value) { dashes = max(density, dashes ?? 0) }
      case "font-size", "font": readFont(value)
      default: break
      }
    }

    private static func length(_ value: String) -> SVGLength {
      var numbers = SVGNumbers(value)
      return numbers.length() ?? SVGLength()
    }

    private mutating func widen(to width: SVGLength) {
      var widest = strokeWidth ?? SVGLength()
      widest.formMaximum(width)
      strokeWidth = widest
    }

    /// Returns the number of dashes and gaps in a pixel; `nil` for a value that leaves them as they are. Relative lengths
    /// count as 0, because the font may be arbitrarily small, and so may the viewport.
    private static func dashes(_ value: String) -> Double? {
      var numbers = SVGNumbers(value)
      var (count, period) = (0.0, SVGLength())
      while let length = numbers.length() { (count, period) = (count + 1, period + length) }
      guard count > 0 else { return value == "none" ? 0 : nil }
      return period.isZero ? 0 : count / period.pixels
    }

    private mutating func readFont(_ value: String) {
      var numbers = SVGNumbers(value)
      var (largest, factor) = (0.0, 0.0)
      while let length = numbers.nextLength() {
        largest = max(largest, length.pixels)
        factor = max(factor, length.percent / 100, length.ems)
      }
      // The ratio of two keywords that follow each other is 1.2, and the largest is three times as large as the default.
      if value.contains("larger") { factor = max(factor, 1.2) }
      if value.contains("smaller") { factor = max(factor, 1 / 1.2) }
      if value.contains("large") { largest = max(largest, 50) }
      if largest > 0 { font = max(largest, font ?? 0) }
      if factor > 0 { fontFactor = max(factor, fontFactor ?? 0) }
    }

    /// Adds the properties of a rule that may apply too.
    mutating func add(_ rule: SVGStyle) {
      references.formUnion(rule.references)
      markers.formUnion(rule.markers)
      layers += rule.layers
      scale = max(scale, rule.scale)
      offset.formMaximum(rule.offset)
      size.formMaximum(rule.size)
      radius.formMaximum(rule.radius)
      if let width = rule.strokeWidth { widen(to: width) }
      if let dashes = rule.dashes { self.dashes = max(dashes, self.dashes ?? 0) }
      if let font = rule.font { self.font = max(font, self.font ?? 0) }
      if let factor = rule.fontFactor { fontFactor = max(factor, fontFactor ?? 0) }
      hasFixedStroke = hasFixedStroke || rule.hasFixedStroke
    }
  }
#endif
