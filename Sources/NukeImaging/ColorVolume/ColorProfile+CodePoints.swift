extension ColorProfile {
  /// Returns the profile for an image's code points; `nil` if they are unspecified or reserved.
  ///
  /// Profiles of high dynamic range are brought into the range of sRGB as ``HighRange`` says; colors that sRGB cannot
  /// show are clipped, as those of an ICC profile are.
  ///
  /// - Parameter peak: the light that an image of PQ reaches, in candelas a square metre; 1000 where `nil`.
  package static func codePoints(_ points: CodePoints, peak: Double? = nil) -> ColorProfile? {
    let unsaid = CodePoints(primaries: CodePoints.unspecified, transfer: CodePoints.unspecified)
    guard points != unsaid else { return nil }
    let completed = points.completed
    // There is no end of peaks, so that their profiles are not kept.
    let otherPeak = completed.transfer == CodePoints.pq ? peak : nil
    if otherPeak == nil, let profile = known.withLock({ $0[points] }) { return profile }
    guard let chromaticities = completed.chromaticities,
      let profile = ColorProfile(
        chromaticities, transfer: completed.transfer, name: completed.name, peak: otherPeak)
    else { return nil }
    if otherPeak == nil { known.withLock { $0[points] = profile } }
    return profile
  }

  /// Images of one kind share their tables. There are a few dozen kinds at most.
  private static let known = Lock<[CodePoints: ColorProfile]>([:])

  /// Primaries of any kind with a transfer function of ITU-T H.273, table 3; `nil` if that is reserved, or the points
  /// span no colors.
  ///
  /// - Parameters:
  ///   - name: what the profile is called; made of the numbers where `nil`.
  ///   - peak: as for ``codePoints(_:peak:)``.
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
