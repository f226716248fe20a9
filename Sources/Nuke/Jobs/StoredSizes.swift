import Foundation
import NukeImaging

/// The sizes at which the results of one resize are stored on disk, so that a smaller result can be made from one of
/// them. A value type.
///
/// It is a hint: entries may have been evicted or replaced since, and two processes that add a size at the same time may
/// lose one.
struct StoredSizes: Codable, Equatable {
  /// The image that is resized.
  struct Source: Codable, Hashable {
    let width: Int
    let height: Int
    /// The reductions at which the image can be decoded for the resize.
    var scaleDenominators = [1]
  }

  /// A stored result, and the geometry that makes the smaller result from it.
  struct Larger {
    let resize: ImageProcessors.Resize
    let geometry: ResizeGeometry
  }

  /// The smallest ratio of the sides of a stored result to those of a result made from it. The largest error depends on
  /// it; see the article about caching.
  static let factor = 2
  /// The maximum number of sizes. Adding another one removes the oldest.
  static let limit = 16

  let source: Source
  private(set) var targets: [ImageProcessors.Resize.Target]

  init(_ source: Source, targets: [ImageProcessors.Resize.Target] = []) {
    self.source = source
    self.targets = targets
  }

  mutating func insert(_ target: ImageProcessors.Resize.Target) {
    if targets.contains(target) { return }
    targets.append(target)
    if targets.count > Self.limit { targets.removeFirst() }
  }

  /// Returns the stored results from which the result of `resize` can be made, the smallest first.
  ///
  /// They show the same part of the source, are not enlarged, and have ``factor`` times the sides, or more.
  func larger(than resize: ImageProcessors.Resize) -> [Larger] {
    let result = outcome(of: resize)
    return targets.map { resize.with($0) }.compactMap { larger in
      let stored = outcome(of: larger)
      guard stored.region.isEqual(to: result.region), !stored.isEnlarged, stored.isLarger(than: result) else {
        return nil
      }
      let geometry = ResizeGeometry(
        sourceWidth: stored.width, sourceHeight: stored.height,
        region: .init(x: 0, y: 0, width: Double(stored.width), height: Double(stored.height)),
        outputWidth: result.width, outputHeight: result.height)
      return Larger(resize: larger, geometry: geometry)
    }.sorted { $0.geometry.sourceWidth < $1.geometry.sourceWidth }
  }

  /// The part of the source that a result shows, and the size of the result in pixels.
  private struct Outcome {
    let region: ResizeGeometry.Region
    let width: Int
    let height: Int

    var isEnlarged: Bool { Double(width) > region.width + 0.5 || Double(height) > region.height + 0.5 }

    /// The side that follows from the other one is rounded in both results, so that it may lack a pixel.
    func isLarger(than result: Outcome) -> Bool {
      let excess = [width - result.width * StoredSizes.factor, height - result.height * StoredSizes.factor]
      return excess.max()! >= 0 && excess.min()! >= -1
    }
  }

  private func outcome(of resize: ImageProcessors.Resize) -> Outcome {
    let (width, height) = (source.width, source.height)
    // The sides of a reduced image are rounded up, which may change a side of the result by a pixel.
    let denominator =
      resize.decodeTarget?.scaleDenominator(of: source.scaleDenominators, width: width, height: height) ?? 1
    let reduced = (width: (width - 1) / denominator + 1, height: (height - 1) / denominator + 1)
    // There is no geometry if the image stays unchanged. For an invalid size, processing fails.
    let result = try? resize.geometry(sourceWidth: reduced.width, sourceHeight: reduced.height)
    return Outcome(
      region: (try? resize.geometry(sourceWidth: width, sourceHeight: height))?.region
        ?? .init(x: 0, y: 0, width: Double(width), height: Double(height)),
      width: result?.outputWidth ?? reduced.width, height: result?.outputHeight ?? reduced.height)
  }
}

/// The encoding on disk: JSON.
extension StoredSizes {
  private static let byteLimit = 4096
  /// The longest side that can be resized.
  private static let longestSide = 1 << 24

  /// Returns `nil` for damaged or foreign data.
  init?(_ data: Data) {
    guard data.count <= Self.byteLimit, let sizes = try? JSONDecoder().decode(StoredSizes.self, from: data),
      [sizes.source.width, sizes.source.height].allSatisfy({ 1...Self.longestSide ~= $0 })
    else { return nil }
    self = sizes
  }

  var encoded: Data? { try? JSONEncoder().encode(self) }
}

extension ResizeGeometry.Region {
  /// Compares with a tolerance for rounding errors.
  fileprivate func isEqual(to other: Self) -> Bool {
    zip([x, y, width, height], [other.x, other.y, other.width, other.height]).allSatisfy { abs($0 - $1) < 1e-6 }
  }
}
