import NukeBase

extension ColorProfile {
  /// Returns the profile for an image's code points; `nil` if they are unspecified or reserved.
  ///
  /// High dynamic range is tone mapped to the range of sRGB, see ``HighRange``. Colors outside sRGB are clipped, as
  /// with ICC profiles.
  ///
  /// - Parameter peak: the peak luminance of a PQ image in cd/m²; `nil` for 1000.
  package static func codePoints(_ points: CodePoints, peak: Double? = nil) -> ColorProfile? {
    let unsaid = CodePoints(primaries: CodePoints.unspecified, transfer: CodePoints.unspecified)
    guard points != unsaid else { return nil }
    let completed = points.completed
    // There can be many different peaks, so their profiles are not cached.
    let otherPeak = completed.transfer == CodePoints.pq ? peak : nil
    if otherPeak == nil, let profile = known.withLock({ $0[points] }) { return profile }
    guard let chromaticities = completed.chromaticities,
      let profile = ColorProfile(
        chromaticities, transfer: completed.transfer, name: completed.name, peak: otherPeak)
    else { return nil }
    if otherPeak == nil { known.withLock { $0[points] = profile } }
    return profile
  }

  /// The profiles by code points, so that similar images share their tables. There are a few dozen at most.
  private static let known = Lock<[CodePoints: ColorProfile]>([:])

  /// Creates a profile from primaries and a transfer function of ITU-T H.273, table 3. Returns `nil` if the function is
  /// reserved or the primaries are degenerate.
  ///
  /// - Parameters:
  ///   - name: the name of the profile; `nil` to derive it from the code points.
  ///   - peak: see ``codePoints(_:peak:)``.
  package convenience init?(
    _ chromaticities: Chromaticities, transfer: Int, name: String? = nil, peak: Double? = nil
  ) {
    guard let matrix = chromaticities.matrixToD50 else { return nil }
    let points = CodePoints(primaries: CodePoints.unspecified, transfer: transfer)
    let source: Source
    switch transfer {
    case CodePoints.pq:
      let peak = peak.flatMap { $0.isFinite ? min(max($0, HighRange.white), 10_000) : nil }
      source = .highRange(matrix, .pq(peak: peak ?? HighRange.usualPeak))
    case CodePoints.hlg: source = .highRange(matrix, .hlg)
    default:
      guard let curve = points.curve else { return nil }
      source = .matrix(matrix, curve, curve, curve)
    }
    self.init(source, name: name ?? points.name)
  }
}
