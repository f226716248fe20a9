import Foundation

extension Error {
  /// Whether a server could not be reached, in contrast to one that refuses, answers with nonsense, or is not trusted. An
  /// error of the program's own says nothing of that.
  var isDisconnection: Bool {
    if let error = self as? URLError { return error.code.isDisconnection }
    return switch self as? DataLoader.Error {
    case .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: true
    default: false
    }
  }
}

extension URLError.Code {
  /// The same of a loader of the program's own that stands on `URLSession`.
  fileprivate var isDisconnection: Bool {
    switch self {
    case .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost,
      .notConnectedToInternet:
      true
    default: false
    }
  }
}
