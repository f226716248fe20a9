import Foundation
import NukeCodecs
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

@Suite("Replies of a worker")
struct WorkerReplyTests {
  private static let replies: [WorkerReply] = [
    .ready(.init(readsFonts: true, reason: "")), .ready(.init(readsFonts: false, reason: "no Landlock")),
    .plan(decodedBytes: 12),
    .file(
      RenderedFile(data: Data([1, 2, 3]), contentType: "image/webp"),
      RenderTimes(decode: 0.5, process: 0.25, encode: 1e-6)),
    .file(RenderedFile(data: Data([4]), contentType: "image/png", sizes: sizes(9)), RenderTimes()),
    .file(RenderedFile(data: Data("#fff".utf8), contentType: "text/plain; charset=utf-8"), RenderTimes()),
    .source(.svg), .facts(try! Renderer().facts(of: SampleImage.png(width: 3, height: 2))), .error(.tooLarge("a")),
    .error(.notAnImage("b")), .error(.failed("c")),
    .error(.cannotWrite(ImageFormat.ico.displayName)), .error(.overloaded(retryAfter: 3)),
  ]

  private static func sizes(_ width: Int) -> RenditionSizes {
    RenditionSizes(sourceWidth: 7, sourceHeight: 8, width: width, height: 10)
  }

  @Test("A reply is decoded as it was encoded", arguments: replies)
  func same(reply: WorkerReply) throws {
    #expect(try WorkerReply(reply.kind, reply.payload, limit: 100) == reply)
  }

  @Test("Decoding never reads outside the bytes of a reply")
  func random() {
    var numbers = SeededGenerator(seed: 5)
    var refused = 0
    for _ in 0..<20_000 {
      let reply = Self.replies.randomElement(using: &numbers)!
      var bytes = reply.payload
      for _ in 0..<Int.random(in: 1...4, using: &numbers) where !bytes.isEmpty {
        let place = bytes.indices.randomElement(using: &numbers)!
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(255, at: place)
        default: bytes = bytes.prefix(place)
        }
      }
      do throws(WorkerError) {
        let read = try WorkerReply(reply.kind, Data(bytes), limit: 100)
        if case .file(let file, _) = read { #expect(file.data.count <= 100) }
      } catch {
        refused += 1
      }
    }
    #expect(refused > 10_000)
  }

  @Test("Errors that a worker must not report, and text that controls terminals, are rejected")
  func refused() throws {
    func error(_ name: String, _ text: String, _ seconds: Int = 0) throws(WorkerError) -> WorkerReply {
      let failure = WorkerFailure(name: name, reason: text, seconds: seconds)
      return try WorkerReply(.error, FrameCoding.encode(failure), limit: 0)
    }
    for name in ["wrongSignature", "sourceNotAllowed", "cancelled", "shuttingDown", ""] {
      #expect(throws: WorkerError.self) { try error(name, "") }
    }
    #expect(throws: WorkerError.self) { try error("cannotWrite", "<b>") }
    #expect(throws: WorkerError.self) { try error("overloaded", "", 1_000_000) }
    #expect(try error("failed", "a\nb\u{1B}[2J\u{202E}") == .error(.failed("a b [2J ")))
    let file = WorkerReply.file(RenderedFile(data: Data(count: 11), contentType: "image/png"), RenderTimes())
    #expect(throws: WorkerError.self) { try WorkerReply(.file, file.payload, limit: 10) }
    let page = WorkerReply.file(RenderedFile(data: Data(), contentType: "text/html"), RenderTimes())
    #expect(throws: WorkerError.self) { try WorkerReply(.file, page.payload, limit: 10) }
    let drawing = WorkerReply.file(RenderedFile(data: Data(), contentType: "image/svg+xml"), RenderTimes())
    #expect(throws: WorkerError.self) { try WorkerReply(.file, drawing.payload, limit: 10) }
    for seconds in [-1, .nan, .infinity] {
      let file = WorkerReply.file(RenderedFile(data: Data(), contentType: "image/png"), RenderTimes(encode: seconds))
      #expect(throws: WorkerError.self) { try WorkerReply(.file, file.payload, limit: 10) }
    }
    for width in [-1, 0, 1 << 40] {
      let file = RenderedFile(data: Data(), contentType: "image/png", sizes: Self.sizes(width))
      #expect(throws: WorkerError.self) {
        try WorkerReply(.file, WorkerReply.file(file, RenderTimes()).payload, limit: 10)
      }
    }
    #expect(throws: WorkerError.self) {
      try WorkerReply(.plan, WorkerReply.plan(decodedBytes: -1).payload, limit: 0)
    }
    #expect(throws: WorkerError.self) { try WorkerReply(.plan, Data("1 2".utf8), limit: 0) }
    #expect(throws: WorkerError.self) { try WorkerReply(.facts, Data("{}".utf8), limit: 0) }
    let nested = Data(repeating: UInt8(ascii: "["), count: WorkerReply.smallLimit)
    #expect(throws: WorkerError.self) { try WorkerReply(.facts, nested, limit: 0) }
    #expect(throws: WorkerError.self) { try WorkerReply(.file, Data([255, 255, 255, 255, 0]), limit: 10) }
  }

  @Test("The header is recognized, and other bytes are not")
  func header() {
    let header = FrameHeader(kind: 3, number: 9, length: 77)
    #expect(header.bytes.withUnsafeBytes { FrameHeader($0) } == header)
    for place in 0..<4 {
      var bytes = header.bytes
      bytes[place] ^= 1
      #expect(bytes.withUnsafeBytes { FrameHeader($0) } == nil)
    }
    #expect(header.bytes.dropLast().withUnsafeBytes { FrameHeader($0) } == nil)
  }
}
