import Foundation

extension Error {
  /// `true` if a server could not be reached, in contrast to one that refuses, answers with nonsense, or is not
  /// trusted. An error of the program's own says nothing of that.
  var isDisconnection: Bool {
    switch transferError {
    case .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: true
    case nil: (self as? URLError)?.code.isDisconnection ?? false
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
