import Nuke
import NukeCodecs
import Testing

@testable import NukeServing

@Suite("Errors of renditions")
struct ServingErrorTests {
  @Test("Messages for clients do not contain what those for the operator do")
  func publicMessages() {
    let error = ServingError.sourceFailed("http://10.0.0.7/secret.jpg answered 500")
    #expect(error.description.contains("10.0.0.7"))
    #expect(!error.publicMessage.contains("10.0.0.7"))
    #expect(error.status == 502)
  }

  @Test("The reason of an error is a sentence of its own")
  func sentences() {
    let notAnImage = "The source is not a readable image."
    let cases: [(error: ServingError, description: String)] = [
      (
        ServingError(.unrecognizedFormat(looksLike: "plain text")),
        notAnImage + " Not an image: it looks like plain text."
      ),
      (
        ServingError(.truncated(.jpeg, byteCount: 3)),
        notAnImage + " Truncated JPEG: the data ends after 3 bytes, in the middle of the image."
      ),
      (ServingError(.malformed(.png, reason: "bad", offset: 9)), notAnImage + " Damaged PNG: bad (at byte 9)."),
      (
        ServingError(.tooManyFrames(.gif, count: 9, limit: 4)),
        "The image is too large. GIF of 9 frames: more than the 4 allowed."
      ),
      (.tooLarge("the result has 9 bytes"), "The image is too large. The result has 9 bytes."),
      (.notAnImage("it has no pixels").ofWatermark, notAnImage + " Watermark: it has no pixels."),
      // These are sentences already.
      (.sourceNotAllowed("Its scheme is ftp."), "The source is not allowed. Its scheme is ftp."),
      (
        ServingError(loading: DataLoader.TransferError.timedOut(.idle, host: "localhost", seconds: 5)),
        "The source of the image did not respond in time. localhost sent nothing for 5 s."
      ),
      // Names stay as they are.
      (.sourceFailed("http://a/b answered 500"), "The source of the image failed. http://a/b answered 500."),
      (.failed("noSpace"), "An internal error occurred. noSpace."),
    ]
    for (error, description) in cases { #expect(error.description == description) }
  }

  @Test("Only temporary errors have a Retry-After")
  func retrying() {
    #expect(ServingError.overloaded(retryAfter: 3).retryAfter == 3)
    #expect(ServingError.overloaded(retryAfter: 3).status == 429)
    #expect(ServingError.wrongSignature.retryAfter == nil)
    #expect(ServingError.wrongToken.status == 403 && ServingError.wrongToken.retryAfter == nil)
  }
}
