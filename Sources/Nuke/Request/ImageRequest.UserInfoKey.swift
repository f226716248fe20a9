import Foundation

extension ImageRequest.UserInfoKey {
  // Values that version 12 stores in `userInfo`. They are properties of the request now.
  static let imageID: Self = "org.nuke.imageId"
  static let scale: Self = "org.nuke.scale"
  static let thumbnail: Self = "org.nuke.thumbnail"
}

extension [ImageRequest.UserInfoKey: any Sendable] {
  var imageID: String? { value(.imageID) as? String }

  /// Version 12 expects a `Float`; any number is accepted.
  var scale: CGFloat? {
    guard let value = value(.scale) else { return nil }
    let scale: CGFloat? =
      switch value {
      case let value as Float: CGFloat(value)
      case let value as CGFloat: value
      case let value as Double: CGFloat(value)
      case let value as Int: CGFloat(value)
      default: nil
      }
    return scale.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  var thumbnail: ImageRequest.ThumbnailOptions? { value(.thumbnail) as? ImageRequest.ThumbnailOptions }

  /// `true` if the dictionary contains a value that identifies the image.
  var namesImage: Bool {
    !isEmpty && (self[.imageID] != nil || self[.scale] != nil || self[.thumbnail] != nil)
  }

  mutating func remove(_ key: Key) { if !isEmpty { self[key] = nil } }

  private func value(_ key: Key) -> (any Sendable)? { isEmpty ? nil : self[key] }
}
