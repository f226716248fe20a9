#if AsyncHTTPClient
  import NIOHTTP2
  import Nuke
  import NukeLoaderSuite
  import Testing

  @testable import NukeAsyncHTTPClient

  @Suite("AsyncHTTPClient's errors as errors of ours")
  struct RequestFailureTests {
    @Test(
      "are a lost connection where a stream is reset, unless that is before the head and for being no HTTP",
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
