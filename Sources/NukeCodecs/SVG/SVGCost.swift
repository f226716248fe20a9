#if SVG
  /// The cost of drawing an SVG, counted over all elements as often as they are drawn. An element that is used ten
  /// times by one that is used ten times counts a hundred times.
  ///
  /// librsvg cannot be stopped while it draws, so drawings that would take too long must be rejected before.
  struct SVGCost: Sendable {
    fileprivate(set) var elements = 0.0
    fileprivate(set) var layers = 0.0
    /// The squared lengths of all texts, which is proportional to the time that librsvg takes for them.
    fileprivate(set) var texts = 0.0
    /// The maximum number of nested layers.
    fileprivate(set) var layerDepth = 0
    fileprivate var depth = 0
    fileprivate var outlines = SVGOutlines()
    /// The first element's view box, or else its width and height.
    private var sides = (width: 1.0, height: 1.0)

    /// A filter step costs as much as this number of layers.
    static let layersPerFilterStep = 50.0
    /// The maximum size of all layers, in bytes.
    private static let memoryLimit = 1 << 30

    fileprivate init() {}

    /// Computes the cost of a drawing.
    ///
    /// - Parameters:
    ///   - width: the width of the drawing in CSS pixels.
    ///   - height: the height.
    init(_ markup: SVGMarkup, width: Double, height: Double) throws(CodecError) {
      var counting = SVGCounting(markup, viewport: max(width, height))
      self = try counting.total()
      sides = markup.viewBox ?? (width, height)
    }

    fileprivate mutating func add(_ other: SVGCost, times: Double = 1) {
      elements += other.elements * times
      layers += other.layers * times
      texts += other.texts * times
      outlines.add(other.outlines, times: times)
      layerDepth = max(layerDepth, other.layerDepth)
      depth = max(depth, other.depth)
    }

    /// Returns the size of all layers in bytes, for a drawing of the given size.
    func layerByteCount(width: Int, height: Int) -> Int {
      Int(min(Double(layerDepth) * Double(width) * Double(height) * 4, 1e18))
    }

    /// Throws if rendering at this size would exceed the limits of time or memory.
    func check(width: Int, height: Int) throws(CodecError) {
      let pixels = Double(width) * Double(height)
      try DecodeWork.drawnElements.check(elements, .svg)
      try DecodeWork.drawnPixels.check(elements * pixels, .svg)
      try DecodeWork.layerPixels.check(layers * pixels, .svg)
      try DecodeWork.crossings.check(outlines.crossings, .svg)
      try DecodeWork.textLayout.check(texts, .svg)
      let scale = max(Double(width) / sides.width, Double(height) / sides.height)
      try DecodeWork.outlineLines.check(outlines.lines(scale: scale), .svg)
      try DecodeWork.outlineLength.check(outlines.length(scale: scale), .svg)
      guard layerByteCount(width: width, height: height) <= Self.memoryLimit else {
        throw .outOfMemory(.svg, byteCount: layerByteCount(width: width, height: height))
      }
    }
  }

  /// The lines that the outlines of a drawing consist of, as a function of the scale at which it is drawn.
  ///
  /// Cairo divides a curve, a round corner of a stroke and a large letter into lines so that none is more than 0.1 pixels
  /// beside it. Their number is proportional to the square root of the size. Properties that elements inherit are
  /// applied when the element that sets them is reached.
  struct SVGOutlines: Sendable {
    /// The sum of the square roots of the sizes of curves and corners.
    private var curves = 0.0
    private var curveCount = 0.0
    private var largestCurve = 0.0
    private var dashes = 0.0
    /// The same as `curves`, of letters.
    private var letters = 0.0
    private var largestLetter = 0.0
    /// The length of all paths.
    private var drawnLength = 0.0
    private(set) var crossings = 0.0
    /// The points at which markers are drawn.
    private(set) var vertices = 0.0
    /// The largest coordinate.
    private(set) var extent = 0.0
    private var widestStroke = 0.0
    /// The largest product of the factors by which nested elements change the font size.
    private(set) var fontFactor = 1.0

    /// The largest product of the factors by which nested elements are enlarged.
    private var innerScale = 1.0

    // Of elements without a stroke width, dashes and a font size of their own:
    private var points = 0.0
    private var length = 0.0
    private var characters = 0.0

    /// 1.4 times the square root of the control polygon's length, by measuring.
    private static let linesPerCurve = 1.4
    /// Cairo's coordinates have 24 bits before the point. What a curve outside of them costs does not depend on its size.
    private static let (largestCoordinate, linesOutside) = (4e6, 80_000.0)
    private static let linesPerDash = 4.0
    private static let curvesPerLetter = 60.0
    /// Smaller letters are drawn once, and then copied.
    private static let smallestLetter = 256.0

    mutating func add(_ other: SVGOutlines, times: Double) {
      curves += other.curves * times
      curveCount += other.curveCount * times
      largestCurve = max(largestCurve, other.largestCurve)
      dashes += other.dashes * times
      drawnLength += other.drawnLength * times
      crossings += other.crossings * times
      vertices += other.vertices * times
      letters += other.letters * times
      largestLetter = max(largestLetter, other.largestLetter)
      extent = max(extent, other.extent)
      widestStroke = max(widestStroke, other.widestStroke)
      fontFactor = max(fontFactor, other.fontFactor)
      innerScale = max(innerScale, other.innerScale)
      points += other.points * times
      length += other.length * times
      characters += other.characters * times
    }

    mutating func add(_ path: SVGPathMeasure) {
      curves += path.curves
      curveCount += path.curveCount
      largestCurve = max(largestCurve, path.largestCurve)
      extent = max(extent, path.extent)
      points += path.points
      vertices += path.points
      length += path.length
      drawnLength += path.length
      crossings += path.crossings
    }

    mutating func add(text byteCount: Double) { characters += byteCount }

    mutating func add(extent other: Double) { extent = max(extent, other) }

    /// Applies an absolute font size.
    mutating func apply(font: Double, isCertain: Bool) {
      guard characters > 0 else { return }
      letters += characters * Self.curvesPerLetter * font.squareRoot()
      largestLetter = max(largestLetter, font * innerScale)
      extent = max(extent, font * characters)
      if isCertain { characters = 0 }
    }

    mutating func apply(fontFactor factor: Double) {
      if characters > 0 { characters *= factor.squareRoot() }
      fontFactor *= max(1, factor)
    }

    mutating func apply(dashesPerPixel density: Double, isCertain: Bool) {
      if density > 0, length > 0 {
        let count = density * length
        dashes += count
        // Each may have round ends.
        curves += count * widestStroke.squareRoot()
        points += count * innerScale.squareRoot()
      }
      if isCertain { length = 0 }
    }

    mutating func apply(strokeWidth width: Double, isCertain: Bool) {
      curves += points * width.squareRoot()
      widestStroke = max(widestStroke, width * innerScale)
      if isCertain { points = 0 }
    }

    /// - Parameter enlargesStrokes: `false` if dashes stay as they are while paths become longer.
    mutating func scale(by factor: Double, enlargesStrokes: Bool) {
      guard factor != 1 else { return }
      let root = factor.squareRoot()
      (curves, letters, points, characters) = (curves * root, letters * root, points * root, characters * root)
      (largestCurve, largestLetter, drawnLength) = (largestCurve * factor, largestLetter * factor, drawnLength * factor)
      (extent, widestStroke, innerScale) = (extent * factor, widestStroke * factor, innerScale * factor)
      if !enlargesStrokes, factor > 1 { (length, dashes) = (length * factor, dashes * factor) }
    }

    mutating func move(by offset: Double) { extent += offset }

    func length(scale: Double) -> Double { drawnLength == 0 ? 0 : drawnLength * scale }

    func lines(scale: Double) -> Double {
      var roots = curves
      if largestLetter * scale > Self.smallestLetter { roots += letters }
      let drawn = roots == 0 ? 0 : Self.linesPerCurve * roots * scale.squareRoot()
      let outside = largestCurve * scale > Self.largestCoordinate ? curveCount * Self.linesOutside : 0
      return drawn + outside + dashes * Self.linesPerDash
    }
  }

  /// Counts the cost of elements: of each once, however often it is referred to.
  private struct SVGCounting {
    private let markup: SVGMarkup
    private var known: [SVGCost?] = []
    /// The costs of all elements of an identifier.
    private var knownNames: [SVGCost?] = []
    /// The identifiers of elements in which lengths are fractions of what refers to them.
    private let relativeNames: Set<Int>
    /// The number of elements whose costs were added for references to them.
    private var addedCount = 0
    private var isUnderWay: [Bool]
    private let enlargesStrokes: Bool
    // The largest values in the drawing, for elements whose values depend on what refers to them.
    private var viewport: Double
    private var font = 16.0
    private var strokeWidth = 1.0
    /// The largest density of dashes that the elements of each identifier inherit from the elements around them.
    private let inheritedDashes: [Double]
    /// The size that a symbol takes from what uses it.
    private var used = 0.0
    /// Patterns take what they do not state from the patterns that they refer to.
    private var pattern: (size: Double, viewSide: Double?) = (0, nil)

    private static let undrawn: Set<String> = [
      "defs", "mask", "clipPath", "pattern", "marker", "filter", "symbol", "linearGradient", "radialGradient",
    ]

    init(_ markup: SVGMarkup, viewport: Double) {
      self.markup = markup
      isUnderWay = Array(repeating: false, count: markup.elements.count)
      relativeNames = Set(
        markup.named.indices.filter { markup.named[$0].contains { markup.elements[$0].isRelative } })
      inheritedDashes = Self.inheritedDashes(markup)
      let styles = markup.elements.lazy.flatMap(\.styles)
      enlargesStrokes = !styles.contains { $0.style.hasFixedStroke }
      self.viewport = viewport
      for element in markup.elements {
        self.viewport = max(self.viewport, element.style.views.pixels)
        if element.name == "svg" { self.viewport = max(self.viewport, element.size.pixels) }
      }
      for (style, _) in styles { font = max(font, style.font ?? 0) }
    }

    private static func inheritedDashes(_ markup: SVGMarkup) -> [Double] {
      var inherited = Array(repeating: 0.0, count: markup.elements.count)
      // Elements come before their children.
      for (index, element) in markup.elements.enumerated() {
        let dashes = element.styles.reduce(inherited[index]) { max($0, $1.style.dashes ?? 0) }
        for child in element.children { inherited[child] = dashes }
      }
      return markup.named.map { $0.reduce(0) { max($0, inherited[$1]) } }
    }

    /// Returns the cost of the first element, which contains all others.
    mutating func total() throws(CodecError) -> SVGCost {
      // The font size depends on how elements are nested, and other lengths may depend on the font size.
      let largest = font * (try count().outlines.fontFactor)
      try DecodeWork.fontSize.check(largest, .svg)
      font = largest
      var cost = try count()
      cost.outlines.apply(font: 16, isCertain: true)
      cost.outlines.apply(strokeWidth: 1, isCertain: true)
      return cost
    }

    private mutating func count() throws(CodecError) -> SVGCost {
      for element in markup.elements {
        if element.name == "use" { used = max(used, resolved(element.size)) }
        if element.name == "pattern" {
          pattern.size = max(pattern.size, resolved(element.size))
          if let side = element.viewSide { pattern.viewSide = min(side, pattern.viewSide ?? side) }
        }
        for (style, _) in element.styles { strokeWidth = max(strokeWidth, resolved(style.strokeWidth ?? SVGLength())) }
      }
      known = Array(repeating: nil, count: markup.elements.count)
      knownNames = Array(repeating: nil, count: markup.named.count)
      return try cost(of: 0, depth: 0)
    }

    private func resolved(_ length: SVGLength) -> Double { length.resolved(viewport: viewport, font: font) }

    private mutating func cost(of index: Int, depth: Int) throws(CodecError) -> SVGCost {
      if let cost = known[index] { return cost }
      // A cyclic reference, which librsvg does not follow either.
      guard !isUnderWay[index] else { return SVGCost() }
      isUnderWay[index] = true
      defer { isUnderWay[index] = false }
      try DecodeWork.levels.check(Double(depth + 1), .svg)
      let element = markup.elements[index]
      var cost = SVGCost()
      for child in element.children where !Self.undrawn.contains(markup.elements[child].name) {
        cost.add(try self.cost(of: child, depth: depth + 1))
      }
      addShape(element, to: &cost)
      // What is used inherits the properties of the element that uses it. Others inherit from their parents.
      if element.name == "use" { try addReferences(element, to: &cost, depth) }
      inherit(element, &cost.outlines)
      if element.name != "use" { try addReferences(element, to: &cost, depth) }
      try addMarkers(element, to: &cost, depth)
      // The first element is scaled to the size of the image, which is not known yet.
      let scale = element.scale * (index == 0 ? 1 : viewScale(element))
      cost.outlines.scale(by: scale, enlargesStrokes: enlargesStrokes)
      cost.outlines.move(by: resolved(element.offset))
      cost.depth += 1
      try DecodeWork.levels.check(Double(cost.depth), .svg)
      if element.name.hasPrefix("fe") { cost.layers += SVGCost.layersPerFilterStep }
      let ownLayers = element.layers + (element.name == "pattern" || element.name == "mask" ? 1 : 0)
      if ownLayers > 0 {
        cost.layers += ownLayers
        cost.layerDepth += 1
      }
      known[index] = cost
      return cost
    }

    /// Returns the cost of all elements of an identifier.
    private mutating func cost(named number: Int, _ depth: Int) throws(CodecError) -> SVGCost {
      if let cost = knownNames[number] { return cost }
      let targets = markup.named[number]
      // It is not complete yet if one of them refers to itself.
      let isComplete = !targets.contains { isUnderWay[$0] }
      addedCount += targets.count
      try DecodeWork.references.check(Double(addedCount), .svg)
      var cost = SVGCost()
      for target in targets { cost.add(try self.cost(of: target, depth: depth + 1)) }
      if isComplete { knownNames[number] = cost }
      return cost
    }

    private func addShape(_ element: SVGMarkup.Element, to cost: inout SVGCost) {
      // A text is laid out, which takes ten times as long as a shape.
      cost.elements += element.name == "text" || element.name == "tspan" ? 10 : 1
      let textByteCount = Double(element.textByteCount)
      cost.texts += textByteCount * textByteCount
      cost.outlines.add(text: textByteCount)
      if let path = element.path { cost.outlines.add(path) }
      switch element.name {
      case "rect", "circle", "ellipse", "line":
        let radius = resolved(element.radius)
        let side = max(resolved(element.size), radius, element.name == "line" ? resolved(element.offset) : 0)
        var path = SVGPathMeasure()
        path.addLines(length: 8 * side, points: 5, extent: 2 * side)
        if radius > 0 { path.addRound(radius: element.name == "rect" ? min(radius, side) : radius) }
        cost.outlines.add(path)
      case "image", "svg": cost.outlines.add(extent: resolved(element.size))
      default: break
      }
    }

    private func inherit(_ element: SVGMarkup.Element, _ outlines: inout SVGOutlines) {
      for (style, isCertain) in element.styles {
        if let factor = style.fontFactor, isCertain || factor > 1 { outlines.apply(fontFactor: factor) }
        if let font = style.font { outlines.apply(font: font, isCertain: isCertain) }
        if let dashes = style.dashes { outlines.apply(dashesPerPixel: dashes, isCertain: isCertain) }
        if let width = style.strokeWidth { outlines.apply(strokeWidth: resolved(width), isCertain: isCertain) }
      }
    }

    private mutating func addReferences(
      _ element: SVGMarkup.Element, to cost: inout SVGCost, _ depth: Int
    ) throws(CodecError) {
      for number in element.references {
        var target = try self.cost(named: number, depth)
        if element.name != "use" { inherit(&target.outlines, named: number) }
        if relativeNames.contains(number) {
          target.outlines.scale(by: max(1, cost.outlines.extent), enlargesStrokes: enlargesStrokes)
        }
        cost.add(target)
      }
    }

    /// Adds the elements that are drawn at every point.
    private mutating func addMarkers(
      _ element: SVGMarkup.Element, to cost: inout SVGCost, _ depth: Int
    ) throws(CodecError) {
      let points = 1 + cost.outlines.vertices
      for number in element.markers {
        var target = try self.cost(named: number, depth)
        inherit(&target.outlines, named: number)
        // By default, the unit of a marker is the width of the stroke.
        target.outlines.scale(by: max(1, strokeWidth), enlargesStrokes: enlargesStrokes)
        cost.add(target, times: points)
      }
    }

    /// Applies the largest values that the elements around those of an identifier may set.
    private func inherit(_ outlines: inout SVGOutlines, named number: Int) {
      outlines.apply(font: font, isCertain: true)
      outlines.apply(dashesPerPixel: inheritedDashes[number], isCertain: true)
      outlines.apply(strokeWidth: strokeWidth, isCertain: true)
    }

    /// Returns the factor by which the view box of an element enlarges what is in it.
    private func viewScale(_ element: SVGMarkup.Element) -> Double {
      var size = resolved(element.size)
      var viewSide = element.viewSide
      switch element.name {
      case "svg", "symbol": size = max(size > 0 ? size : viewport, used)
      case "marker": size = max(size, 3)
      case "pattern": if !element.references.isEmpty { (size, viewSide) = pattern }
      default: return 1
      }
      return viewSide.map { size / $0 } ?? 1
    }
  }

  extension SVGMarkup.Element {
    /// The properties that style sheets may add, and then its own, which are certain.
    fileprivate var styles: [(style: SVGStyle, isCertain: Bool)] {
      (sheets.map { [($0, false)] } ?? []) + [(style, true)]
    }

    fileprivate var references: Set<Int> { style.references.union(sheets?.references ?? []) }
    fileprivate var markers: Set<Int> { style.markers.union(sheets?.markers ?? []) }
    fileprivate var layers: Double { style.layers + (sheets?.layers ?? 0) }
    fileprivate var scale: Double { style.scale * max(1, sheets?.scale ?? 1) }
    fileprivate var offset: SVGLength { style.offset + (sheets?.offset ?? SVGLength()) }
    fileprivate var size: SVGLength { style.size + (sheets?.size ?? SVGLength()) }
    fileprivate var radius: SVGLength { style.radius + (sheets?.radius ?? SVGLength()) }
  }
#endif
