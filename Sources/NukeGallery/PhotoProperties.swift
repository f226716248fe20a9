#if GTK
  import Foundation
  import Nuke

  /// The properties of a photo as texts. Those that are unknown are left out.
  struct PhotoProperties: Equatable, Sendable {
    struct Row: Equatable, Sendable {
      let title: String
      let value: String
    }

    private(set) var rows: [Row] = []

    /// - Parameters:
    ///   - byteCount: the size of the file; `nil` if it is unknown.
    ///   - header: the header of the image; `nil` if it could not be read.
    init(_ url: URL, byteCount: Int?, header: ImageHeader?) {
      add("Name", url.displayName)
      if url.isFileURL {
        let folder = PhotoStore.folder(ofPath: PhotoStore.path(of: url))
        add("Folder", folder.isEmpty ? "/" : String(decoding: folder, as: UTF8.self))
      } else {
        add("Address", url.absoluteString)
      }
      add("File size", byteCount.map(Self.size))
      add("Image size", header.map { "\($0.pixelWidth) × \($0.pixelHeight) pixels" })
      add("Format", header?.format.displayName)
      if let exif = header?.exif { add(exif) }
    }

    /// The maximum length of a value in bytes. Paths are shorter, but texts of EXIF may have 64 KB.
    private static let lengthLimit = 4096

    private mutating func add(_ title: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      rows.append(Row(title: title, value: PhotoStore.displayName(value.utf8.prefix(Self.lengthLimit))))
    }

    private mutating func add(_ exif: EXIF) {
      add("Date taken", exif.dateTimeOriginal.map(Self.time))
      add("Camera", Self.camera(exif.make, exif.model))
      add("Lens", exif.lensModel)
      add("Exposure time", exif.exposureTime.flatMap(Self.exposure))
      add("Aperture", exif.fNumber.flatMap { $0 > 0 ? "f/" + Self.number($0) : nil })
      add("ISO", exif.isoSpeed.flatMap { $0 > 0 ? String($0) : nil })
      add("Focal length", exif.focalLength.flatMap { $0 > 0 ? Self.number($0) + " mm" : nil })
      add("Location", exif.location.map(Self.coordinates))
      add("Altitude", exif.location?.altitude.map { String(format: "%.0f m", $0) })
    }

    // MARK: Texts

    private static func size(_ byteCount: Int) -> String {
      let bytes = byteCount == 1 ? "1 byte" : "\(byteCount.grouped) bytes"
      return byteCount < 1_000_000 ? bytes : "\(byteCount.megabytes) (\(bytes))"
    }

    /// Returns `2024-05-06 07:08:09` for `2024:05:06 07:08:09`, and any other text unchanged.
    private static func time(_ text: String) -> String {
      guard let match = text.wholeMatch(of: #/(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/#) else { return text }
      return "\(match.1)-\(match.2)-\(match.3) \(match.4)"
    }

    /// Many models begin with the name of their maker.
    private static func camera(_ make: String?, _ model: String?) -> String {
      guard let make, let model else { return model ?? make ?? "" }
      return model.lowercased().hasPrefix(make.lowercased()) ? model : "\(make) \(model)"
    }

    private static func exposure(_ seconds: Double) -> String? {
      guard seconds > 0 else { return nil }
      return seconds < 0.3 ? "1/\(number((1 / seconds).rounded())) s" : "\(number(seconds)) s"
    }

    /// Returns `48.8583° N, 2.2945° E`.
    private static func coordinates(_ location: EXIF.Location) -> String {
      func degrees(_ angle: Double, _ positive: String, _ negative: String) -> String {
        String(format: "%.4f° ", abs(angle)) + (angle < 0 ? negative : positive)
      }
      return degrees(location.latitude, "N", "S") + ", " + degrees(location.longitude, "E", "W")
    }

    private static func number(_ value: Double) -> String { String(format: "%.5g", value) }
  }
#endif
