package import Foundation

extension DataLoader.TransferError {
  /// Returns the `URLError` that programs receive, with the code that Foundation documents and this error as its
  /// underlying error.
  ///
  /// - Parameter url: the URL of the request.
  package func urlError(for url: URL?) -> URLError {
    var userInfo: [String: Any] = [NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: description]
    if let url { userInfo[NSURLErrorFailingURLErrorKey] = url }
    return URLError(code, userInfo: userInfo)
  }

  private var code: URLError.Code {
    switch self {
    case .cannotResolveHost: .cannotFindHost
    case .cannotConnect, .addressNotAllowed, .hostNotAllowed: .cannotConnectToHost
    case .connectionLost: .networkConnectionLost
    case .timedOut: .timedOut
    case .tooManyRedirects: .httpTooManyRedirects
    case .insecureRedirect: .appTransportSecurityRequiresSecureConnection
    case .tlsFailed: .secureConnectionFailed
    case .certificateNotTrusted: .serverCertificateUntrusted
    case .unsupportedScheme: .unsupportedURL
    case .malformedURL, .malformedRequest, .malformedDataURL: .badURL
    case .fileNotFound: .fileDoesNotExist
    case .fileNotReadable: .noPermissionsToReadFile
    case .isDirectory: .fileIsDirectory
    case .bodyTooLarge: .dataLengthExceedsMaximum
    case .protocolError: .badServerResponse
    case .contentNotDecodable: .cannotDecodeContentData
    case .cancelled: .cancelled
    }
  }
}

extension Error {
  /// The details of a failed transfer, also if they are inside a `URLError`.
  package var transferError: DataLoader.TransferError? {
    if let error = self as? DataLoader.TransferError { return error }
    return (self as? URLError)?.userInfo[NSUnderlyingErrorKey] as? DataLoader.TransferError
  }

  /// The status of a response that was not accepted.
  package var unacceptableStatus: Int? {
    guard case .statusCodeUnacceptable(let status)? = self as? DataLoader.Error else { return nil }
    return status
  }

  /// Returns the error that programs receive for this error.
  package func forPrograms(url: URL?) -> any Error {
    (self as? DataLoader.TransferError)?.urlError(for: url) ?? self
  }

  /// A sentence about what happened: that of a transfer error, or the description of any other error.
  package var reason: String {
    if let transferError { return transferError.description }
    guard let error = self as? URLError else { return "\(self)" }
    // The description of an error from `URLSession` contains the URL with its secrets.
    if let text = error.userInfo[NSLocalizedDescriptionKey] as? String { return text }
    return error.code == .badURL ? "The request has no valid URL." : "NSURLErrorDomain error \(error.errorCode)"
  }

  /// `true` if the server could not be reached. Refusals, invalid responses and untrusted certificates do not count,
  /// and neither do errors of the program.
  package var isDisconnection: Bool {
    switch transferError {
    case .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: true
    case nil: (self as? URLError)?.code.isDisconnection ?? false
    default: false
    }
  }
}

extension URLError.Code {
  /// `true` if the server could not be reached, for errors of custom loaders that use `URLSession`.
  fileprivate var isDisconnection: Bool {
    switch self {
    case .timedOut, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost,
      .notConnectedToInternet:
      true
    default: false
    }
  }
}
