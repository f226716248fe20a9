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

  @Test("Only temporary errors have a Retry-After")
  func retrying() {
    #expect(ServingError.overloaded(retryAfter: 3).retryAfter == 3)
    #expect(ServingError.overloaded(retryAfter: 3).status == 429)
    #expect(ServingError.wrongSignature.retryAfter == nil)
    #expect(ServingError.wrongToken.status == 403 && ServingError.wrongToken.retryAfter == nil)
  }
}
