/// Why there is no image to send. The description is for whoever runs the server: it may name hosts and files.
public enum ServingError: Error, Sendable, Hashable {
  /// The path is not one of the grammar's.
  case malformedURL(String)
  /// An option that is not known, or whose arguments make no sense: its name as it stands in the URL, and why.
  case invalidOption(String, String)
  /// No signature, or not that of the URL.
  case wrongSignature
  /// The URL was good until a moment that has passed.
  case expired
  /// A source that this server does not load from, and why.
  case sourceNotAllowed(String)
  /// The source is not there: what its server, or the disk, says.
  case sourceNotFound(String)
  /// The source's server failed.
  case sourceFailed(String)
  /// The source's server did not answer in time.
  case sourceTimedOut(String)
  /// A limit of bytes, pixels or frames, in words.
  case tooLarge(String)
  /// The source is no image that this build reads, or is damaged.
  case notAnImage(String)
  /// A format that this build does not write.
  case cannotWrite(String)
  /// More is asked for than can be done: seconds after which to ask again.
  case overloaded(retryAfter: Int)
  /// The server is about to end.
  case shuttingDown(retryAfter: Int)
  /// It was not made in the time that a request has.
  case deadlineExceeded
  /// Nobody waits for it any more.
  case cancelled
  /// An unexpected failure, with its description.
  case failed(String)
}
