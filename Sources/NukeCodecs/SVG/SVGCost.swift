#if SVG
  /// The cost of drawing an SVG, counted over all elements as often as they are drawn. An element that is used ten
  /// times by one that is used ten times counts a hundred times.
  ///
  /// librsvg cannot be stopped while it draws, so drawings that would take too long must be rejected before.
  struct SVGCost: Sendable {
    private(set) var elements = 0.0
    private(set) var layers = 0.0
    private(set) var byteCount = 0.0
    /// The size of the longest element, in bytes.
    private(set) var longest = 0.0
    /// The squared lengths of all texts, which is proportional to the time that librsvg takes for them.
    private(set) var texts = 0.0
    /// The maximum number of nested layers.
    private(set) var layerDepth = 0
    private var depth = 0

    /// The maximum depth of nested elements, including referenced ones.
    private static let depthLimit = 256

    // A few seconds each, measured with librsvg 2.54: pixels of elements and of layers, and rows times bytes of markup.
    // All edges of a path may intersect each other, so a long path costs more than several short ones.
    private static let elementLimit = 5e10
    private static let layerLimit = 8e9
    private static let byteLimit = 4e9
    private static let longestLimit = 5e8
    private static let textLimit = 2.5e7
    /// The maximum size of all layers, in bytes.
    private static let memoryLimit = 1 << 30
    /// A filter step costs as much as this number of layers.
    static let layersPerFilterStep = 50.0

    private static let undrawn: Set<String> = [
      "defs", "mask", "clipPath", "pattern", "marker", "filter", "symbol", "linearGradient", "radialGradient",
    ]

    private init() {}

    /// Computes the cost of a drawing.
    init(_ markup: SVGMarkup) throws(CodecError) {
      var counting = Counting(elements: try markup.styled(), identifiers: markup.identifiers)
      self = try counting.cost(of: 0, depth: 0)
    }

    private mutating func add(_ other: SVGCost, times: Double = 1) {
      elements += other.elements * times
      layers += other.layers * times
      byteCount += other.byteCount * times
      texts += other.texts * times
      longest = max(longest, other.longest)
      layerDepth = max(layerDepth, other.layerDepth)
      depth = max(depth, other.depth)
    }

    private struct Counting {
      let elements: [SVGMarkup.Element]
      let identifiers: [String: [Int]]
      private var known: [SVGCost?]
      private var isUnderWay: [Bool]

      init(elements: [SVGMarkup.Element], identifiers: [String: [Int]]) {
        self.elements = elements
        self.identifiers = identifiers
        known = Array(repeating: nil, count: elements.count)
        isUnderWay = Array(repeating: false, count: elements.count)
      }

      mutating func cost(of index: Int, depth: Int) throws(CodecError) -> SVGCost {
        if let cost = known[index] { return cost }
        // A cyclic reference, which librsvg does not follow either.
        guard !isUnderWay[index] else { return SVGCost() }
        isUnderWay[index] = true
        defer { isUnderWay[index] = false }
        let element = elements[index]
        var cost = SVGCost()
        guard depth < SVGCost.depthLimit else { throw Self.tooDeep }
        for child in element.children where !SVGCost.undrawn.contains(elements[child].name) {
          cost.add(try self.cost(of: child, depth: depth + 1))
        }
        for name in element.references {
          for target in identifiers[name] ?? [] { cost.add(try self.cost(of: target, depth: depth + 1)) }
        }
        // Each point of a path takes at least four bytes.
        for name in element.markers {
          let points = 1 + (cost.byteCount + Double(element.byteCount)) / 4
          for target in identifiers[name] ?? [] {
            cost.add(try self.cost(of: target, depth: depth + 1), times: points)
          }
        }
        cost.elements += 1
        cost.byteCount += Double(element.byteCount)
        cost.longest = max(cost.longest, Double(element.byteCount))
        cost.texts += Double(element.textByteCount) * Double(element.textByteCount)
        cost.depth += 1
        guard cost.depth <= SVGCost.depthLimit else { throw Self.tooDeep }
        if element.name.hasPrefix("fe") { cost.layers += SVGCost.layersPerFilterStep }
        let ownLayers = element.layers + (element.name == "pattern" || element.name == "mask" ? 1 : 0)
        if ownLayers > 0 {
          cost.layers += ownLayers
          cost.layerDepth += 1
        }
        known[index] = cost
        return cost
      }

      private static var tooDeep: CodecError {
        .unsupported(.svg, feature: "more than \(SVGCost.depthLimit) levels of nested elements")
      }
    }

    /// Returns the size of all layers in bytes, for a drawing of the given size.
    func layerByteCount(width: Int, height: Int) -> Int { layerDepth * width * height * 4 }

    /// Throws if rendering at this size would exceed the limits of time or memory.
    func check(width: Int, height: Int) throws(CodecError) {
      let pixels = Double(width) * Double(height)
      guard
        elements * pixels <= Self.elementLimit, layers * pixels <= Self.layerLimit,
        byteCount * Double(height) <= Self.byteLimit, longest * Double(height) <= Self.longestLimit,
        texts <= Self.textLimit
      else {
        throw .unsupported(.svg, feature: "a drawing that would take minutes to render at \(width)x\(height) pixels")
      }
      guard layerByteCount(width: width, height: height) <= Self.memoryLimit else {
        throw .outOfMemory(.svg, byteCount: layerByteCount(width: width, height: height))
      }
    }
  }
#endif
