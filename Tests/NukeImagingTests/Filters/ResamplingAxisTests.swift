import NukeImaging
import Testing

@Suite("Resampling weights")
struct ResamplingAxisTests {
  @Test("Weights sum to exactly one and stay within the source", arguments: ResizeTests.filters)
  func sums(_ filter: ResamplingFilter) {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let input = Int.random(in: 1...400, using: &random)
      let output = Int.random(in: 1...400, using: &random)
      let start = Double.random(in: 0..<Double(input), using: &random)
      let length = Double.random(in: 0.001...1, using: &random) * (Double(input) - start)
      let alignment = Bool.random(using: &random) ? 1 : 4
      let axis = ResamplingAxis(
        .init(
          inputCount: input, start: start, length: length, outputCount: output, filter: filter, alignment: alignment))
      var previous = 0
      for index in 0..<output {
        let (first, weights) = axis.weights(of: index)
        #expect(weights.reduce(0) { $0 + Int($1) } == 1 << 14)
        #expect(filter == .nearest ? weights.count == 1 : weights.count % alignment == 0)
        #expect(first >= previous, "later pixels begin no earlier")
        previous = first
        // Alignment may ask for up to three pixels more than there are; they weigh nothing.
        #expect(first + weights.count <= max(input, weights.count))
        #expect(weights.dropFirst(max(input - first, 0)).allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("A reduction from ten thousand pixels to one weighs all of them")
  func extreme() {
    let axis = ResamplingAxis(
      .init(inputCount: 10_000, start: 0, length: 10_000, outputCount: 1, filter: .area, alignment: 1))
    let (first, weights) = axis.weights(of: 0)
    #expect(first == 0)
    #expect(weights.count == 10_000)
    #expect(weights.allSatisfy { (1...3).contains($0) })
  }

  @Test("Weights of an axis are computed once, and the least recently used are evicted")
  func cache() {
    let cache = ResamplingAxis.Cache(limit: 2, largest: 1 << 20)
    func key(_ output: Int) -> ResamplingAxis.Key {
      .init(inputCount: 100, start: 0, length: 100, outputCount: output, filter: .lanczos3, alignment: 4)
    }
    let first = cache.axis(for: key(1))
    let second = cache.axis(for: key(2))
    #expect(cache.axis(for: key(1)) === first)
    _ = cache.axis(for: key(3))
    #expect(cache.count == 2)
    #expect(cache.axis(for: key(1)) === first)
    #expect(cache.axis(for: key(2)) !== second)
  }

  @Test("The weights of a very large axis are not cached")
  func largeAxis() {
    let cache = ResamplingAxis.Cache(limit: 2, largest: 100)
    _ = cache.axis(
      for: .init(inputCount: 1000, start: 0, length: 1000, outputCount: 100, filter: .area, alignment: 1))
    #expect(cache.count == 0)
  }
}
