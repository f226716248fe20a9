import Foundation
import FoundationNetworking
import Nuke

/// The reason that an image was not loaded or written, as one phrase.
struct LoadFailure: Error, Sendable, Equatable, CustomStringConvertible {
  let reason: String
  var description: String { reason }

  /// Turns a sentence into a phrase: on one line, without its capital letter and its period.
  init(_ reason: String) {
    var text = reason.onOneLine.trimmingCharacters(in: .whitespaces)
    if text.hasSuffix(".") { text.removeLast() }
    if text.dropFirst().first?.isLowercase == true { text = text.prefix(1).lowercased() + text.dropFirst() }
    self.reason = text
  }

  init(_ error: any Error, limit: Int? = nil) {
    switch error {
    case let error as LoadFailure: self = error
    case let error as ImagePipeline.Error: self.init(error, limit: limit)
    case DataLoader.Error.statusCodeUnacceptable(let status):
      self.init("the server answered with status \(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))")
    default:
      if let detail = error.transferError { self.init(detail, limit: limit) } else { self.init("\(error)") }
    }
  }

  private init(_ error: ImagePipeline.Error, limit: Int?) {
    switch error {
    case .dataLoadingFailed(let error): self.init(error, limit: limit)
    case .decodingFailed(_, _, let error as CodecError): self.init(error)
    case .decodingFailed(_, _, let error), .processingFailed(_, _, let error): self.init("\(error)")
    case .dataIsEmpty: self.init("the source is empty: it has no bytes")
    case .dataDownloadExceededMaximumSize: self = .tooLarge(limit: limit)
    case .dataMissingInCache: self.init("not in the cache, and not loaded (see --offline)")
    default: self.init("\(error)")
    }
  }

  private init(_ error: CodecError) {
    let hint = if case .tooLarge(_, _, _, .pixelCount) = error { " (see --max-pixels)" } else { "" }
    self.init("\(error)" + hint)
  }

  /// Creates the failure of an image that cannot be decoded. Its reason names the option that shows a part of the image,
  /// if one can be decoded.
  init(_ error: CodecError, of data: Data, within limits: CodecLimits) {
    self.init(error)
    // At the smallest scale, which needs the least memory.
    let image: ImageContainer? = DamagedImage(data, limits: limits, reason: error).flatMap { part in
      try? part.decode(DecodeOptions(scaleDenominator: part.scaleDenominators.max() ?? 1))
    }
    if image != nil { self.init(reason + " (see --tolerate-damage)") }
  }

  private init(_ error: DataLoader.TransferError, limit: Int?) {
    switch error {
    // The path is the source, which starts the line.
    case .fileNotFound: self.init("no such file")
    case .isDirectory: self.init("it is a folder, not an image")
    case .fileNotReadable(_, let reason): self.init("cannot be read: \(reason)")
    case .bodyTooLarge(let bodyLimit): self = .tooLarge(limit: limit ?? bodyLimit)
    default: self.init("\(error)")
    }
  }

  static func tooLarge(limit: Int?) -> LoadFailure {
    LoadFailure("larger than the limit" + (limit.map { " of \(Format.bytes(Int64($0)))" } ?? "") + " (see --max-bytes)")
  }
}

#if Command
  extension TransferLimits {
    /// Returns the failure of a load with these options. Its reason names the option that would change the result.
    func failure(_ error: any Error) -> LoadFailure {
      if !tolerateDamage,
        case .decodingFailed(_, let context, let error as CodecError)? = error as? ImagePipeline.Error
      {
        return LoadFailure(error, of: context.data, within: codecLimits)
      }
      return LoadFailure(error, limit: byteLimit)
    }
  }
#endif
