#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("The log handler")
  struct ServerLogHandlerTests {
    private let lines = LogLines()

    private func logger(_ format: ImageServer.Configuration.LogFormat) -> Logger {
      Logger(label: "test") { [lines] label in
        ServerLogHandler(
          label: label, format: format, level: .debug, now: { Date(timeIntervalSince1970: 0.5) }, write: lines.write)
      }
    }

    @Test("A JSON entry contains all values by name")
    func json() throws {
      var logger = logger(.json)
      logger[metadataKey: "request"] = "abc"
      logger.info(
        "done \"now\"\n", metadata: ["status": .stringConvertible(200), "ms": .stringConvertible(1.5), "level": "mine"])
      #expect(
        lines.all == [
          #"{"time":"1970-01-01T00:00:00.500Z","level":"info","logger":"test","message":"done \"now\"\u000a","#
            + #""_level":"mine","ms":1.5,"request":"abc","status":200}"# + "\n"
        ])
      let object = try JSONSerialization.jsonObject(with: Data(lines.all[0].utf8)) as? [String: Any]
      #expect(object?["message"] as? String == "done \"now\"\n")
    }

    @Test("A text entry is one line without terminal control characters")
    func text() {
      logger(.text).warning(
        "a\u{1B}[31m\nb", metadata: ["path": "/x y", "stages": ["load": .stringConvertible(2)], "list": ["a", "b"]])
      #expect(
        lines.all == [
          "1970-01-01T00:00:00.500Z WARNING a\\u{1b}[31m\\u{a}b list=[a,b] path=\"/x y\" stages={load=2}\n"
        ])
    }

    @Test("The metadata of an entry takes precedence over that of a provider, and that over the logger's")
    func precedence() {
      let provider = Logger.MetadataProvider { ["a": "provider", "b": "provider"] }
      var handler = ServerLogHandler(
        label: "test", format: .text, now: { Date(timeIntervalSince1970: 0.5) }, write: lines.write)
      handler.metadata = ["a": "logger", "b": "logger", "c": "logger"]
      handler.metadataProvider = provider
      let made = handler
      Logger(label: "test") { _ in made }.info("done", metadata: ["a": "entry"])
      #expect(lines.all == ["1970-01-01T00:00:00.500Z INFO done a=entry b=provider c=logger\n"])
    }

    @Test("Entries below the log level are not written")
    func level() {
      var logger = logger(.text)
      logger.logLevel = .error
      logger.info("quiet")
      #expect(lines.all.isEmpty)
    }

    @Test(
      "Logged paths contain no signatures, queries and passwords, and begin with the prefix",
      arguments: [
        (
          "", "/c2lnbmF0dXJl/rs:fit:10/plain/https://u:p%40host/a.jpg%3Ftoken=1@webp",
          "/-/rs:fit:10/plain/https://host/a.jpg@webp"
        ),
        ("", "/unsafe/plain/local:///a.jpg?x=1", "/unsafe/plain/local:///a.jpg"),
        ("", "/unsafe/plain/local:///a%231%25%3F.jpg@png", "/unsafe/plain/local:///a#1%?.jpg@png"),
        ("", "/unsafe/czM6Ly9iL2EjMSU_LnBuZw", "/unsafe/plain/s3://b/a#1%?.png"),
        ("", "/unsafe/plain/a%231%3Fb", "/unsafe/plain/a#1"),
        ("", "/unsafe/plain/s3://u:p%40b/a%40b", "/unsafe/plain/s3://b/a@b"),
        ("", "/unsafe/plain/photos://b/a%3Ftoken=1", "/unsafe/plain/photos://b/a"),
        ("", "/unsafe/plain/http://h/a%3F%CC%81token=1", "/unsafe/plain/http://h/a"),
        ("", "/health?\u{301}token=1", "/health"),
        ("", "/c2lnbmF0dXJl/aHR0cHM6Ly9ob3N0L2EuanBnP3Rva2VuPTE.png", "/-/plain/https://host/a.jpg@png"),
        ("", "/c2lnbmF0dXJl/fiu:aHR0cHM6Ly9ob3N0/plain/http://h/a.jpg", "/-/fiu:-/plain/http://h/a.jpg"),
        ("", "/c2lnbmF0dXJl/w:1/enc/aHR0cHM6Ly9ob3N0/L2EuanBn.png", "/-/w:1/enc/aHR0cHM6Ly9ob3N0L2EuanBn.png"),
        ("", "/c2lnbmF0dXJl/wm:1/wmu:aHR0cHM6Ly9ob3N0/plain/http://h/a.jpg", "/-/wm:1/wmu:-/plain/http://h/a.jpg"),
        ("", "/c2lnbmF0dXJl/rs:fit:10/!!!/secret", "/-/…"),
        ("", "/info/c2lnbmF0dXJl/plain/https://host/a.jpg", "/info/-/plain/https://host/a.jpg"),
        ("", "/health?token=1", "/health"), ("/img", "/health", "/health"),
        ("/img", "/img/sig/plain/http://h/a", "/img/-/plain/http://h/a"),
        ("/img", "//img/sig/plain/http://h/a%3Fkey", "/img/-/plain/http://h/a"),
        ("/img", "//img//info/sig/rs:1/plain/x", "/img/-/…"),
      ])
    func paths(prefix: String, path: String, logged: String) {
      #expect(LoggedPath.of(path, prefix: prefix) == logged)
    }

    @Test("The request ID is the client's if it is harmless, and otherwise a new one")
    func requestIDs() {
      #expect(RequestID.of("a-B_9.z", random: { 1 }) == "a-B_9.z")
      for bad in [nil, "", "a b", "a\nb", String(repeating: "a", count: 129), "é"] {
        #expect(RequestID.of(bad, random: { 0xAB }) == "00000000000000ab")
      }
    }
  }

  /// Keeps what a log writes.
  final class LogLines: Sendable {
    /// Opened by the line that tells of the end.
    let toldOfShutdown = Gate()
    private let lines = Lock<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var write: @Sendable (String) -> Void {
      { line in
        self.lines.withLock { $0.append(line) }
        if line.contains("shutting down") { self.toldOfShutdown.open() }
      }
    }
  }
#endif
