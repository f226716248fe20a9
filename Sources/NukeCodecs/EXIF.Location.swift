extension EXIF {
  /// A location on the earth (EXIF 2.32, 4.6.6).
  public struct Location: Sendable, Hashable {
    /// The latitude in degrees: positive in the north, from -90 to 90.
    public var latitude: Double
    /// The longitude in degrees: positive in the east, from -180 to 180.
    public var longitude: Double
    /// The altitude in meters, negative below the sea level; `nil` if it is not recorded.
    public var altitude: Double?

    /// Creates a location.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
      self.latitude = latitude
      self.longitude = longitude
      self.altitude = altitude
    }
  }
}

extension EXIF.Location {
  /// Reads the location from a GPS directory. Returns `nil` if a coordinate is missing or out of range.
  init?(_ gps: TIFFBlockDirectory) {
    guard let latitude = Self.angle(.latitude, .latitudeReference, ["N": 1, "S": -1], limit: 90, in: gps),
      let longitude = Self.angle(.longitude, .longitudeReference, ["E": 1, "W": -1], limit: 180, in: gps)
    else { return nil }
    let isBelowSea = gps.integer(.altitudeReference) == 1
    self.init(
      latitude: latitude, longitude: longitude, altitude: gps.rational(.altitude).map { isBelowSea ? -$0 : $0 })
  }

  /// Returns an angle of degrees, minutes and seconds, the last two of which may be missing.
  private static func angle(
    _ tag: EXIFTag, _ reference: EXIFTag, _ signs: [String: Double], limit: Double, in gps: TIFFBlockDirectory
  ) -> Double? {
    guard let sign = gps.text(reference).flatMap({ signs[$0.uppercased()] }), let degrees = gps.rational(tag) else {
      return nil
    }
    let angle = degrees + (gps.rational(tag, at: 1) ?? 0) / 60 + (gps.rational(tag, at: 2) ?? 0) / 3600
    return angle <= limit ? sign * angle : nil
  }
}
