import Foundation

extension ImageRequest.UserInfoKey {
  // What version 12 kept in `userInfo`, and properties of the request say since.
  static let imageID: Self = "org.nuke.imageId"
  static let scale: Self = "org.nuke.scale"
  static let thumbnail: Self = "org.nuke.thumbnail"
}

extension [ImageRequest.UserInfoKey: any Sendable] {
  var imageID: String? { value(.imageID) as? String }

  /// Version 12 wants a `Float`; any number serves.
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

  /// `true` if a value stands in it that decides which image is meant.
  var namesImage: Bool {
    !isEmpty && (self[.imageID] != nil || self[.scale] != nil || self[.thumbnail] != nil)
  }

  mutating func remove(_ key: Key) { if !isEmpty { self[key] = nil } }

  private func value(_ key: Key) -> (any Sendable)? { isEmpty ? nil : self[key] }
}
