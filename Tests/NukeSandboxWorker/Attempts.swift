import Foundation
import NukeCodecs
import NukeSandbox
import NukeServing

/// Does what an image's author would do who has taken over the worker, where the "image" is the word for it; makes all
/// other images as a worker does.
struct Attempts: WorkerRequestHandler {
  private let handler: any WorkerRequestHandler

  init(then handler: any WorkerRequestHandler) { self.handler = handler }

  /// What stands behind `attempt:`, in words.
  private func words(_ source: Data) -> [String]? {
    let text = String(decoding: source.prefix(500), as: UTF8.self)
    return text.hasPrefix("attempt:") ? text.dropFirst(8).split(separator: " ").map(String.init) : nil
  }

  func decodedBytes(_ request: RenditionRequest, _ source: Data, _ watermark: Data?) throws(ServingError) -> Int {
    guard let words = words(source) else { return try handler.decodedBytes(request, source, watermark) }
    // "… predicted 20": what it says that it needs, in mebibytes.
    let place = words.firstIndex(of: "predicted").map { $0 + 1 }
    return place.flatMap { $0 < words.count ? Int(words[$0]) : nil }.map { $0 << 20 } ?? 1
  }

  func facts(_ source: Data) throws(ServingError) -> ImageFacts { try handler.facts(source) }

  func render(_ request: RenditionRequest, _ source: Data, _ watermark: Data?) throws(ServingError) -> WorkerResult {
    guard let words = words(source), let name = words.first else {
      return try handler.render(request, source, watermark)
    }
    if let result = Self.result(of: name) { return result }
    return .file(
      RenderedFile(
        data: Data(outcome(name, words.dropFirst().prefix { $0 != "predicted" }.joined(separator: " ")).utf8),
        contentType: "image/png"))
  }

  /// What no server should take.
  private static func result(of name: String) -> WorkerResult? {
    switch name {
    case "page": .file(RenderedFile(data: Data("<script>".utf8), contentType: "text/html"))
    case "text": .file(RenderedFile(data: Data("text".utf8), contentType: "text/plain; charset=utf-8"))
    case "drawing": .source(.svg)
    default: nil
    }
  }

  /// What came of it: a name of an error, or another word.
  private func outcome(_ name: String, _ argument: String) -> String {
    switch name {
    case "id": "\(getpid())"
    case "read": said(open(argument, O_RDONLY))
    case "write": said(open(argument, O_WRONLY | O_CREAT, 0o600))
    case "list": opendir(argument) == nil ? System.error : "done"
    case "socket": said(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    case "connect": said(System.call("connect", 3))
    case "fork": said(System.call("fork"))
    case "execute": said(System.call("execv"))
    case "trace": said(System.call("ptrace"))
    case "kill": said(kill(pid_t(argument) ?? 0, SIGTERM))
    case "own": said(System.call("fcntl", 3, Int(F_SETOWN), Int(argument) ?? 0))
    case "limit": raisedLimit()
    case "code":
      mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? "no" : "done"
    case "allocate": malloc((Int(argument) ?? 102_400) << 20) == nil ? System.error : "done"
    case "fill": filled()
    case "thread": threaded()
    case "environment": ProcessInfo.processInfo.environment.keys.sorted().joined(separator: " ")
    case "descriptors": (0..<64).filter { fcntl($0, F_GETFD) >= 0 }.map(String.init).joined(separator: " ")
    case "crash": System.crash()
    case "end": exit(0)
    case "years": years()
    case "spin": System.spin()
    default: spoken(name)
    }
  }

  /// Writes invalid replies to the socket. The rendering of a worker's first image is the request with the number 3.
  private func spoken(_ name: String) -> String {
    switch name {
    case "garbage": say([UInt8](repeating: 0x41, count: 5000))
    case "other": say(FrameHeader(kind: 3, number: 4, length: 4).bytes + [1, 2, 3, 4])
    case "plan": say(FrameHeader(kind: 2, number: 3, length: 1).bytes + Array("1".utf8))
    case "huge": say(FrameHeader(kind: 3, number: 3, length: .max).bytes)
    case "short": say(FrameHeader(kind: 3, number: 3, length: 1000).bytes + [1, 2, 3])
    case "broken":
      say(FrameHeader(kind: 3, number: 3, length: 5).bytes + [255, 255, 255, 255, 0])
    case "stale": say(FrameHeader(kind: 3, number: 1, length: 0).bytes)
    case "twice": return saidFirst()
    case "late":
      let second = saidFirst()
      awaitRequest()
      return second
    default: return "there is no such attempt"
    }
    while true { sleep(1000) }
  }

  /// Claims to have taken a billion seconds.
  private func years() -> String {
    RenderStages.note(.decode, seconds: 1e9)
    return "done"
  }

  /// - Returns: what is said when the worker goes on.
  private func saidFirst() -> String {
    let fields = #"{"contentType":"image/png","times":{"decode":0,"process":0,"encode":0}}"#
    let file = withUnsafeBytes(of: UInt32(fields.utf8.count).littleEndian, Array.init) + Array((fields + "first").utf8)
    say(FrameHeader(kind: 3, number: 3, length: file.count).bytes + file)
    return "second"
  }

  /// Waits until the next request has arrived, and does not read it.
  private func awaitRequest() {
    var byte: UInt8 = 0
    withUnsafeMutablePointer(to: &byte) { byte in
      var part = iovec(iov_base: byte, iov_len: 1)
      withUnsafeMutablePointer(to: &part) { part in
        var message = msghdr()
        message.msg_iov = part
        message.msg_iovlen = 1
        recvmsg(RenderWorker.socket, &message, CInt(MSG_PEEK))
      }
    }
  }

  private func say(_ bytes: [UInt8]) { _ = write(RenderWorker.socket, bytes, bytes.count) }

  private func said(_ result: some BinaryInteger) -> String { result < 0 ? System.error : "done" }

  private func raisedLimit() -> String {
    var limit = rlimit(rlim_cur: 1 << 40, rlim_max: 1 << 40)
    return said(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit))
  }

  /// Takes memory until there is none.
  private func filled() -> String {
    var blocks: [UnsafeMutableRawPointer] = []
    defer { for block in blocks { free(block) } }
    while let block = malloc(16 << 20) {
      memset(block, 1, 16 << 20)
      blocks.append(block)
    }
    return System.error
  }

  private func threaded() -> String {
    var thread: pthread_t = 0
    let failure = pthread_create(&thread, nil, { _ in nil }, nil)
    guard failure == 0 else { return String(cString: strerror(failure)) }
    pthread_join(thread, nil)
    return "done"
  }
}
