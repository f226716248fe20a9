import Foundation
import NukeCodecs
import NukeImaging

/// Encodes the image of a request in one format.
struct RenditionEncoder: Sendable {
  let format: ImageFormat
  /// The options, with the quality to try first.
  var options: EncodeOptions
  /// The goal that decides the quality; `nil` for that of the options.
  var goal: ImageOptions.AutoQuality?
  /// The maximum size of the file in bytes, reached by lower quality if possible; `nil` for no limit.
  var maximumByteCount: Int?

  /// Returns the encoded file. If there is a goal or a maximum size, searches for a quality by bisection, in at most
  /// seven attempts for each. If the file is too large even at the lowest quality, returns that file.
  ///
  /// - Parameter isCancelled: called before each attempt.
  func encode(_ image: Bitmap, isCancelled: () -> Bool) throws(CodecError) -> Data {
    guard format.hasQuality, !options.isLossless else { return try writer(quality: options.quality).encode(image) }
    func attempt(_ quality: Int) throws(CodecError) -> Data {
      if isCancelled() { throw .cancelled(format) }
      return try writer(quality: Double(quality) / 100).encode(image)
    }
    let start: (quality: Int, data: Data)
    switch goal?.goal {
    case nil: start = (Int((options.quality * 100).rounded()), try writer(quality: options.quality).encode(image))
    case .size(let bytes):
      let highest = goal?.qualities.upperBound ?? 100
      start = try fitting(bytes, goal?.qualities.lowerBound ?? 1, (highest, try attempt(highest)), attempt)
    case .similarity(let similarity): start = try reaching(similarity, image, attempt)
    }
    guard let maximumByteCount else { return start.data }
    return try fitting(maximumByteCount, 1, start, attempt).data
  }

  /// Returns the file with the highest quality that has at most a number of bytes, or else the smallest file.
  ///
  /// - Parameter highest: the file with the highest quality.
  private func fitting(
    _ byteCount: Int, _ lowest: Int, _ highest: (quality: Int, data: Data),
    _ attempt: (Int) throws(CodecError) -> Data
  ) throws(CodecError) -> (quality: Int, data: Data) {
    guard highest.data.count > byteCount else { return highest }
    var smallest = highest
    var best: (Int, Data)?
    // The range of qualities that is left to search, in percent.
    var (low, high) = (lowest, highest.quality - 1)
    while low <= high {
      let middle = (low + high) / 2
      let data = try attempt(middle)
      if data.count <= byteCount {
        best = (middle, data)
        low = middle + 1
      } else {
        high = middle - 1
        if data.count <= smallest.data.count { smallest = (middle, data) }
      }
    }
    return best ?? smallest
  }

  /// Returns the file with the lowest quality that is similar enough to the image, or else that with the highest.
  private func reaching(
    _ similarity: Double, _ image: Bitmap, _ attempt: (Int) throws(CodecError) -> Data
  ) throws(CodecError) -> (quality: Int, data: Data) {
    let (qualities, tolerance) = (goal?.qualities ?? 1...100, goal?.tolerance ?? 0)
    var best: (Int, Data)?
    var (low, high) = (qualities.lowerBound, qualities.upperBound)
    while low <= high {
      let middle = (low + high) / 2
      let data = try attempt(middle)
      let decoded = try ImageReaders.reader(for: data, limits: .unlimited).decode(DecodeOptions())
      let reached = decoded.structuralSimilarity(to: image) ?? 1
      if reached >= similarity {
        best = (middle, data)
        if reached - similarity <= tolerance { break }
        high = middle - 1
      } else {
        low = middle + 1
      }
    }
    if let best { return best }
    return (qualities.upperBound, try attempt(qualities.upperBound))
  }

  /// Returns the file with all frames; `nil` if the format is not animated.
  func encode(_ animation: Animation) throws -> Data? {
    try (try writer(quality: options.quality) as? any AnimationWriter)?.encode(animation)
  }

  private func writer(quality: Double) throws(CodecError) -> any ImageWriter {
    var options = options
    options.quality = quality
    return try ImageWriters.writer(for: format, options: options)
  }
}
