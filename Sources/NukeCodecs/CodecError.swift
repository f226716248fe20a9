/// The reason why an image could not be read or written: the format, the problem, and its position.
public enum CodecError: Error, Sendable, Hashable {
  /// The limit in ``CodecLimits`` that an image exceeds.
  public enum Limit: Sendable, Hashable {
    /// The maximum side in pixels.
    case side(Int)
    /// The maximum number of pixels.
    case pixelCount(Int)
  }

  /// The operation that failed: reading or writing a format.
  public enum Direction: String, Sendable, Hashable {
    case reading, writing
  }

  /// The data has no known signature. `looksLike` describes the data, such as "HTML", if that is known.
  case unrecognizedFormat(looksLike: String?)
  /// This build does not support reading or writing the format.
  case notBuilt(ImageFormat, Direction)
  /// The library of the format cannot be loaded; `reason` names it and the package that contains it.
  case missingLibrary(ImageFormat, reason: String)
  /// The format is supported, but not this feature of it.
  case unsupported(ImageFormat, feature: String)
  /// The data violates its format. `offset` is the position at which that was detected, if known.
  case malformed(ImageFormat, reason: String, offset: Int?)
  /// The data is truncated after `byteCount` bytes.
  case truncated(ImageFormat, byteCount: Int)
  /// The header states more pixels than ``CodecLimits`` allow.
  case tooLarge(ImageFormat, width: Int, height: Int, limit: Limit)
  /// The image has more frames than ``CodecLimits`` allow.
  case tooManyFrames(ImageFormat, count: Int, limit: Int)
  /// The image asks for more of some work than is allowed, so that it would take minutes or gigabytes, although it may be
  /// small.
  case tooComplex(ImageFormat, DecodeWork)
  /// Memory for the pixels cannot be allocated.
  case outOfMemory(ImageFormat, byteCount: Int)
  /// The image cannot be written in this format.
  case encodingFailed(ImageFormat, reason: String)
  /// The operation was canceled.
  case cancelled(ImageFormat)
}

extension CodecError: CustomStringConvertible {
  /// A description of the error: a phrase without a period at its end, so that other messages can contain it.
  public var description: String {
    switch self {
    case .unrecognizedFormat(nil):
      "the data is not an image in a supported format"
    case .unrecognizedFormat(let looksLike?):
      "not an image: it looks like \(looksLike)"
    case .notBuilt(let format, .reading):
      "\(format.displayName) cannot be read by this build"
        + (format.trait.map { ": it needs the package's trait \($0)" } ?? "")
    case .notBuilt(let format, .writing):
      "\(format.displayName) cannot be written by this build, which writes "
        + ImageFormat.writable.map(\.displayName).joined(separator: ", ")
    case .missingLibrary(let format, let reason):
      "\(format.displayName) needs a library that cannot be loaded: \(reason)"
    case .unsupported(let format, let feature):
      "\(format.displayName): \(feature) cannot be read"
    case .malformed(let format, let reason, let offset):
      "damaged \(format.displayName): \(reason)" + (offset.map { " (at byte \($0))" } ?? "")
    case .truncated(let format, let byteCount):
      "truncated \(format.displayName): the data ends after \(byteCount) bytes, in the middle of the image"
    case .tooLarge(let format, let width, let height, .side(let limit)):
      "\(format.displayName) of \(width)x\(height) pixels: more than the \(limit) pixels allowed on a side"
    case .tooLarge(let format, let width, let height, .pixelCount(let limit)):
      "\(format.displayName) of \(width)x\(height) pixels: more than the \(limit) pixels allowed"
    case .tooManyFrames(let format, let count, let limit):
      "\(format.displayName) of \(count) frames: more than the \(limit) allowed"
    case .tooComplex(let format, let work):
      "\(format.displayName) is too complex: it needs more than the \(work.limit) \(work.name) allowed"
    case .outOfMemory(let format, let byteCount):
      "\(format.displayName): out of memory for \(byteCount) bytes of pixels"
    case .encodingFailed(let format, let reason):
      "cannot be written as \(format.displayName): \(reason)"
    case .cancelled(let format):
      "decoding of the \(format.displayName) was canceled"
    }
  }
}
