#if AsyncHTTPClient
  import NIOHTTP2
  import Nuke
  import NukeLoaderSuite
  import Testing

  @testable import NukeAsyncHTTPClient

  @Suite("The errors of AsyncHTTPClient")
  struct RequestFailureTests {
    @Test(
      "A reset stream is a lost connection, unless it is a protocol error before the head",
      arguments: [.protocolError, .internalError, .cancel, .refusedStream] as [HTTP2ErrorCode], [true, false])
    func reset(code: HTTP2ErrorCode, hasHead: Bool) {
      let error = RequestFailure.error(
        NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: code), host: "a.test", isSent: true, hasHead: hasHead,
        configuration: makeConfiguration())
      switch error {
      case .connectionLost("a.test", _): #expect(hasHead || code != .protocolError)
      case .protocolError("a.test", _): #expect(!hasHead && code == .protocolError)
      default: Issue.record("it is \(error)")
      }
    }
  }
#endif
