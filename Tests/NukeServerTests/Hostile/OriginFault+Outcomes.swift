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
          "A PNG that is said to be a page", "A JPEG that is said to be a PNG",
        ]),
      Outcome(
        status: 403, message: "Images of this source are not served.",
        faults: [
          "A redirect leads to a file", "A redirect leads to a private address",
          "A redirect leads to a cloud's metadata", "A redirect leads to a private address in disguise",
          "A redirect leads to a folder of the server", "A redirect leads to a data: URL",
        ]),
      Outcome(status: 404, message: "There is no such image.", faults: ["404", "410"]),
      Outcome(
        status: 422, message: "The image is too large.",
        faults: [
          "The length is above the limit", "A chunked body grows above the limit", "The body has no end",
          "A chunked body has no end", "The length is an exabyte",
        ]),
      Outcome(
        status: 422, message: "The source is not an image that can be read.",
        faults: [
          "204", "206 that nobody asked for", "The body is longer than its length",
          "The body is said to be gzip, and is none", "A page in place of the image",
          "A page that is said to be an image", "JSON", "An empty body", "Noise", "An archive",
          "A PNG that is cut off", "A JPEG that is cut off within its head", "A JPEG that is cut off behind its head",
        ]),
      Outcome(
        status: 502, message: "The image's source failed.",
        faults: [
          "The host is not found", "The connection is refused", "The connection is closed without an answer",
          "The connection is closed without an answer, once", "The connection is reset without an answer",
          "The answer is not HTTP", "The version of HTTP does not exist", "The head breaks off",
          "The head has no end", "Early hints have no end", "The length is no number", "The length is negative",
          "Two lengths contradict each other", "304 that nobody asked for", "401", "403", "429 with Retry-After",
          "500", "501", "502", "503, once", "503 for a day", "Redirects go in a circle",
          "A redirect leads to a port that refuses", "A redirect leads nowhere",
          "A redirect leads to what is no URL", "The body breaks off, once",
          "The body breaks off after every 1000 bytes", "The body breaks off, and has no strong validator",
          "The body breaks off, and is another then", "The body breaks off, and ranges are not served",
          "The body breaks off, and another range is served", "The body breaks off, and the range is refused",
          "A chunked body breaks off, once", "The size of a chunk is nonsense",
          "Fields after the body have no end",
        ]),
      Outcome(
        status: 504, message: "The image's source did not answer in time.",
        faults: [
          "The secure connection is not made in time", "No answer comes", "The head stops in the middle", "408",
          "504", "The body stops, once", "The body does not come within the whole time",
          "The body comes byte by byte", "The length is more than ever comes",
        ]),
    ]
  }
#endif
