extension ColorProfile {
  /// Returns the profile for an image's code points; `nil` if they are unspecified or reserved.
  ///
  /// Profiles of high dynamic range are brought into the range of sRGB as ``HighRange`` says; colors that sRGB cannot
  /// show are clipped, as those of an ICC profile are.
  package static func codePoints(_ points: CodePoints) -> ColorProfile? {
    let unsaid = CodePoints(primaries: CodePoints.unspecified, transfer: CodePoints.unspecified)
    guard points != unsaid else { return nil }
    if let profile = known.withLock({ $0[points] }) { return profile }
    let completed = points.completed
    guard let chromaticities = completed.chromaticities,
      let profile = ColorProfile(chromaticities, transfer: completed.transfer, name: completed.name)
    else { return nil }
    known.withLock { $0[points] = profile }
    return profile
  }

  /// Images of one kind share their tables. There are a few dozen kinds at most.
  private static let known = Lock<[CodePoints: ColorProfile]>([:])

  /// Primaries of any kind with a transfer function of ITU-T H.273, table 3; `nil` if that is reserved, or the points
  /// span no colors.
  ///
  /// - Parameter name: what the profile is called; made of the numbers where `nil`.
  package convenience init?(_ chromaticities: Chromaticities, transfer: Int, name: String? = nil) {
    guard let matrix = chromaticities.matrixToD50 else { return nil }
    let points = CodePoints(primaries: CodePoints.unspecified, transfer: transfer)
    let source: Source
    switch transfer {
    case CodePoints.pq: source = .highRange(matrix, .pq)
    case CodePoints.hlg: source = .highRange(matrix, .hlg)
    default:
      guard let curve = points.curve else { return nil }
      source = .matrix(matrix, curve, curve, curve)
    }
    self.init(source, name: name ?? points.name)
  }
}
