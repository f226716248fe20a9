#if Server
  extension OriginFault {
    /// What the client is told, and of which faults.
    struct Outcome: Sendable {
      let status: Int
      /// The whole of it; `nil` for an image.
      let message: String?
      let faults: [String]

      /// As it stands in the document.
      var row: String { "| \(status) | \(message ?? "The image.") | \(faults.joined(separator: "; ")) |" }
    }

    static func outcome(of name: String) -> Outcome? { outcomes.first { $0.faults.contains(name) } }

    static let outcomes = [
      Outcome(
        status: 200, message: nil,
        faults: [
          "PNG with an HTML type", "JPEG with a PNG type",
        ]),
      Outcome(
        status: 403, message: "The source is not allowed.",
        faults: [
          "Redirect to a file URL", "Redirect to a private address",
          "Redirect to a cloud metadata address", "Redirect to a private address in hexadecimal",
          "Redirect to a local:// URL", "Redirect to a data: URL",
        ]),
      Outcome(status: 404, message: "The image does not exist.", faults: ["404", "410"]),
      Outcome(
        status: 422, message: "The image is too large.",
        faults: [
          "Content-Length above the limit", "Chunked body above the limit", "Endless body",
          "Endless chunked body", "Content-Length of an exabyte",
        ]),
      Outcome(
        status: 422, message: "The source is not a readable image.",
        faults: [
          "204", "Unrequested 206", "Body longer than Content-Length",
          "Invalid gzip encoding", "HTML page",
          "HTML page with an image type", "JSON", "Empty body", "Noise", "ZIP archive",
          "Truncated PNG", "JPEG truncated in its header", "JPEG truncated after its header",
        ]),
      Outcome(
        status: 502, message: "The source of the image failed.",
        faults: [
          "Unknown host", "Connection refused", "Connection closed without a response",
          "Connection closed without a response, once", "Connection reset without a response",
          "Not an HTTP response", "Unknown HTTP version", "Truncated header",
          "Endless header", "Endless early hints", "Invalid Content-Length", "Negative Content-Length",
          "Conflicting Content-Length fields", "Unrequested 304", "401", "403", "429 with Retry-After",
          "500", "501", "502", "503, once", "503 with Retry-After of a day", "Redirect loop",
          "Redirect to a closed port", "Redirect without a Location",
          "Redirect to an invalid URL", "Truncated body, once",
          "Body truncated after 1000 bytes each time", "Truncated body without a strong validator",
          "Truncated body that changes before the retry", "Truncated body, ranges not supported",
          "Truncated body, wrong range in the retry", "Truncated body, 416 in the retry",
          "Truncated chunked body, once", "Invalid chunk size",
          "Endless trailer fields",
        ]),
      Outcome(
        status: 504, message: "The source of the image did not respond in time.",
        faults: [
          "TLS handshake timeout", "No response", "Stalled header", "408",
          "504", "Stalled body, once", "Body slower than the resource timeout",
          "Body sent byte by byte", "Content-Length larger than a stalled body",
        ]),
    ]
  }
#endif
