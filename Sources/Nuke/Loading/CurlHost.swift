/// The transfers to one host and port: those that libcurl has, and those that wait for a place.
final class CurlHost: TransferQueue<CurlTransfer> {
  /// The loop has noted that there may be a place to fill.
  var isNoted = false
}
