import Foundation
import FoundationNetworking
import Nuke
import NukeCodecs
import NukeOrigin
import NukeTesting
import Testing

@Suite("Resumed downloads", .timeLimit(.minutes(1)))
struct ResumingTests {
  typealias Answer = @Sendable (NukeOrigin.Request) -> NukeOrigin.Response

  static let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
  static let other = Data(body.reversed())
  static let cut = 40_000
  static let path = "/image"

  /// The body under a tag, and whatever range of it is asked for.
  let origins = Origins()
  static let ranged: Answer = { .ranged(body, etag: "\"a\"", for: $0) }

  /// An origin that gives its answers one after the other, the last one again and again.
  func origin(_ answers: [Answer]) throws -> NukeOrigin {
    let calls = CallCounter()
    return try origins.start { answers[min(calls.next(), answers.count) - 1]($0) }
  }

  /// The answer broken off.
  func broken(_ answer: @escaping Answer = ranged) -> Answer {
    { answer($0).scripted(.head, .bytes(Self.cut), .close) }
  }

  func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline {
    .fake(loader: DataLoader(configuration: .init()), configure)
  }

  /// Loads once, which fails.
  func fail(_ request: ImageRequest, on pipeline: ImagePipeline) async throws {
    let error = await loadFailure(try await pipeline.data(for: request))
    guard case .dataLoadingFailed = error else { throw Unexpected(error) }
  }

  /// An origin, and a pipeline that has failed to load from it once.
  func interrupted(
    _ answers: [Answer], configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) async throws -> (origin: NukeOrigin, pipeline: ImagePipeline) {
    let (origin, pipeline) = (try origin(answers), pipeline(configure))
    try await fail(request(origin), on: pipeline)
    return (origin, pipeline)
  }

  func request(_ origin: NukeOrigin) -> ImageRequest { ImageRequest(url: origin.url(Self.path)) }

  @Test("A failed download is resumed, and the result is complete")
  func afterFailure() async throws {
    let (origin, pipeline) = try await interrupted([broken(), Self.ranged])
    #expect(pipeline.partialBodies.byteCount == Self.cut)
    let task = pipeline.startTask(with: request(origin), kind: .data)
    var progress: [ImageTask.Progress] = []
    for await value in task.progress { progress.append(value) }
    let response = try await task.response
    #expect(response.container.data == Self.body)
    #expect(task.facts.resumedByteCount == Self.cut && task.facts.byteCount == Self.body.count)
    let sent = origin.log.requests
    #expect(sent.count == 2)
    #expect(sent[0].header("Range") == nil && sent[0].header("If-Range") == nil)
    #expect(sent[1].header("Range") == "bytes=\(Self.cut)-" && sent[1].header("If-Range") == "\"a\"")
    #expect(progress.allSatisfy { $0.completed >= Self.cut && $0.total == Self.body.count })
    #expect(task.currentProgress.completed == Self.body.count)
    let head = try #require(response.urlResponse as? HTTPURLResponse)
    #expect(head.statusCode == 200 && head.expectedContentLength == Self.body.count)
    #expect(head.value(forHTTPHeaderField: "Content-Range") == nil)
    #expect(head.value(forHTTPHeaderField: "ETag") == "\"a\"")
    #expect(pipeline.partialBodies.count == 0)
  }

  @Test("A canceled download is resumed")
  func afterCancellation() async throws {
    let gate = ScriptGate()
    let origin = try origin([{ Self.ranged($0).scripted(.head, .bytes(Self.cut), .wait(gate)) }, Self.ranged])
    let pipeline = pipeline()
    let task = pipeline.startTask(with: request(origin), kind: .data)
    for await value in task.progress where value.completed == Self.cut { break }
    task.cancel()
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests[1].header("Range") == "bytes=\(Self.cut)-")
  }

  @Test("A download is resumed as often as it is interrupted")
  func again() async throws {
    let origin = try origin([
      broken(), { Self.ranged($0).scripted(.head, .bytes(10_000), .close) },
      { Self.ranged($0).scripted(.head, .close) }, Self.ranged,
    ])
    let pipeline = pipeline()
    for _ in 0..<3 { try await fail(request(origin), on: pipeline) }
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(
      origin.log.requests.map { $0.header("Range") } == [nil, "bytes=40000-", "bytes=50000-", "bytes=50000-"])
  }

  @Test(
    "A download is resumed by its modification date if that is strong",
    arguments: [("08:50:37", true), ("08:50:36", false)])
  func dates(_ time: String, _ isStrong: Bool) async throws {
    let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    let dated: Answer = {
      .ranged(Self.body, headers: [("Last-Modified", modified), ("Date", "Sun, 06 Nov 1994 \(time) GMT")], for: $0)
    }
    let (origin, pipeline) = try await interrupted([broken(dated), dated])
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests[1].header("If-Range") == (isStrong ? modified : nil))
  }

  @Test("A body of unknown length starts again, and ends with the length that the rest states")
  func unknownLength() async throws {
    let (origin, pipeline) = try await interrupted([
      { Self.ranged($0).framed(.untilClose).scripted(.head, .bytes(Self.cut), .reset) }, Self.ranged,
    ]) { $0.maximumResponseDataSize = 99_999 }
    let part = pipeline.partialBodies.byteCount
    let error = await loadFailure(try await pipeline.data(for: request(origin)))
    // A reset may take bytes along that were on their way; without any there is nothing to go on from.
    if part > 0 { #expect(origin.log.requests[1].header("Range") == "bytes=\(part)-") }
    guard case .dataDownloadExceededMaximumSize = error else { throw Unexpected(error) }
  }

  @Test("A changed body is loaded completely")
  func changed() async throws {
    let (origin, pipeline) = try await interrupted([broken(), { .ranged(Self.other, etag: "\"b\"", for: $0) }])
    #expect(try await pipeline.data(for: request(origin)).0 == Self.other)
    #expect(origin.log.requests.count == 2)
  }

  @Test("If the server does not support ranges, the whole body is loaded")
  func ignored() async throws {
    let (origin, pipeline) = try await interrupted([broken(), { _ in .data(Self.body) }])
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests.count == 2)
  }

  static func partial(_ range: String, tag: String = "\"a\"", _ bytes: Data = Data(other.dropFirst(cut))) -> Answer {
    { _ in .init(status: 206, headers: [("Content-Range", range), ("ETag", tag)], body: bytes) }
  }

  static let wrong: [(String, Answer)] = [
    ("other start", partial("bytes 39999-99999/100000")),
    ("other length", partial("bytes 40000-99999/100001")),
    ("other tag", partial("bytes 40000-99999/100000", tag: "\"b\"")),
    ("no tag", { _ in .init(status: 206, headers: [("Content-Range", "bytes 40000-99999/100000")], body: other) }),
    ("other count", partial("bytes 40000-99999/100000", Data(other.prefix(7)))),
    ("no range", { _ in .init(status: 206, headers: [("ETag", "\"a\"")], body: other) }),
    ("not satisfiable", { _ in .status(416) }),
  ]

  @Test("If the response does not match, the download starts again, once", arguments: wrong.indices)
  func refused(_ index: Int) async throws {
    let (origin, pipeline) = try await interrupted([
      broken(), Self.wrong[index].1, { .ranged(Self.other, etag: "\"b\"", for: $0) },
    ])
    #expect(try await pipeline.data(for: request(origin)).0 == Self.other, "\(Self.wrong[index].0)")
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=40000-", nil])
    #expect(pipeline.load == (0, 0) && pipeline.partialBodies.count == 0)
  }

  @Test("An unrelated response does not discard the partial body")
  func otherFailure() async throws {
    let (origin, pipeline) = try await interrupted([broken(), { _ in .status(503) }, Self.ranged])
    try await fail(request(origin), on: pipeline)
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=40000-", "bytes=40000-"])
  }

  @Test("With resumption disabled, no range is requested")
  func disabled() async throws {
    let (origin, pipeline) = try await interrupted([broken(), Self.ranged]) { $0.isResumableDataEnabled = false }
    #expect(pipeline.partialBodies.count == 0)
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests[1].header("Range") == nil)
  }

  @Test("Requests with another Authorization have separate partial bodies")
  func otherFields() async throws {
    let (origin, pipeline) = try await interrupted([broken(), Self.ranged])
    var urlRequest = URLRequest(url: origin.url(Self.path))
    urlRequest.setValue("Basic xyz", forHTTPHeaderField: "Authorization")
    #expect(try await pipeline.data(for: ImageRequest(urlRequest: urlRequest)).0 == Self.body)
    #expect(origin.log.requests[1].header("Range") == nil)
    #expect(pipeline.partialBodies.count == 1)
  }

  @Test("A range request of the program is not changed, and not stored as the whole")
  func ownRange() async throws {
    let origin = try origin([{ Self.ranged($0).scripted(.head, .bytes(5), .close) }, Self.ranged])
    let cache = FakeDataCache()
    let pipeline = pipeline { $0.dataCache = cache }
    var urlRequest = URLRequest(url: origin.url(Self.path))
    urlRequest.setValue("bytes=10-19", forHTTPHeaderField: "Range")
    let request = ImageRequest(urlRequest: urlRequest)
    try await fail(request, on: pipeline)
    #expect(try await pipeline.data(for: request).0 == Self.body[10..<20])
    #expect(origin.log.requests.allSatisfy { $0.header("Range") == "bytes=10-19" && $0.header("If-Range") == nil })
    #expect(cache.writes.isEmpty && pipeline.partialBodies.count == 0)
  }

  @Test("A completed body is stored as the whole")
  func stored() async throws {
    let origin = try origin([broken(), Self.ranged])
    let cache = FakeDataCache()
    let pipeline = pipeline { $0.dataCache = cache }
    try await fail(request(origin), on: pipeline)
    #expect(cache.writes.isEmpty)
    _ = try await pipeline.data(for: request(origin))
    #expect(Array(cache.contents.values) == [Self.body])
  }

  @Test("Of two concurrent requests, one resumes the download")
  func twoAtOnce() async throws {
    let (origin, pipeline) = try await interrupted([broken(), Self.ranged]) { $0.isTaskCoalescingEnabled = false }
    let tasks = (0..<2).map { _ in pipeline.startTask(with: request(origin), kind: .data) }
    for task in tasks { #expect(try await task.response.container.data == Self.body) }
    #expect(origin.log.requests.compactMap { $0.header("Range") } == ["bytes=40000-"])
  }

  // MARK: Loaders

  func response(_ url: URL, _ status: Int, _ fields: [String: String]) -> URLResponse {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)!
  }

  @Test("A custom loader can resume", arguments: [true, false])
  func plainLoader(_ isSynchronous: Bool) async throws {
    let loader = FakeDataLoader(delivery: isSynchronous ? .synchronous : .asynchronous)
    let url = imageURL("a")
    loader.answer(
      url,
      with: .init(
        [.chunk(Self.body.prefix(30_000)), .chunk(Self.body[30_000..<Self.cut]), .complete(URLError(.timedOut))],
        response: response(url, 200, ["ETag": "\"a\"", "Content-Length": "100000"])),
      .data(
        Data(Self.body.dropFirst(Self.cut)), chunkSize: 25_000,
        response: response(
          url, 206, ["ETag": "\"a\"", "Content-Range": "bytes 40000-99999/100000", "Content-Length": "60000"])))
    let pipeline = ImagePipeline.fake(loader: loader)
    try await fail(ImageRequest(url: url), on: pipeline)
    #expect(try await pipeline.data(for: ImageRequest(url: url)).0 == Self.body)
    #expect(loader.requests.map { $0.value(forHTTPHeaderField: "Range") } == [nil, "bytes=40000-"])
    #expect(loader.cancelledRequests.isEmpty)
  }

  @Test("If a loader does not support ranges, the download starts again", arguments: [true, false])
  func refusingLoader(_ isSynchronous: Bool) async throws {
    struct Refusal: Error {}
    let loader = FakeDataLoader(delivery: isSynchronous ? .synchronous : .asynchronous)
    let url = imageURL("a")
    let whole = response(url, 200, ["ETag": "\"a\"", "Content-Length": "100000"])
    loader.answer(
      url, with: .init([.chunk(Self.body.prefix(Self.cut)), .complete(URLError(.timedOut))], response: whole),
      .failure(Refusal()), .failure(Refusal()), .failure(Refusal()), .data(Self.body, response: whole))
    let pipeline = ImagePipeline.fake(loader: loader)
    try await fail(ImageRequest(url: url), on: pipeline)
    // Nothing comes without a range either, so the part is as good as before.
    try await fail(ImageRequest(url: url), on: pipeline)
    #expect(try await pipeline.data(for: ImageRequest(url: url)).0 == Self.body)
    let range = "bytes=40000-"
    #expect(loader.requests.map { $0.value(forHTTPHeaderField: "Range") } == [nil, range, nil, range, nil])
  }

  @Test("If the program accepts only status 200, the download starts again")
  func strictValidation() async throws {
    struct Refusal: Error {}
    let origin = try origin([broken(), Self.ranged])
    let loader = DataLoader(configuration: .init()) { ($0 as? HTTPURLResponse)?.statusCode == 200 ? nil : Refusal() }
    let pipeline = ImagePipeline.fake(loader: loader)
    try await fail(request(origin), on: pipeline)
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=40000-", nil])
  }

  @Test("The request that the delegate returns is resumed")
  func delegate() async throws {
    let origin = try origin([broken(), Self.ranged])
    let delegate = HookedDelegate(setting: "token", for: "Authorization")
    let pipeline = ImagePipeline(configuration: .fake(loader: DataLoader(configuration: .init())), delegate: delegate)
    try await fail(request(origin), on: pipeline)
    #expect(try await pipeline.data(for: request(origin)).0 == Self.body)
    #expect(origin.log.requests.map { $0.header("Range") } == [nil, "bytes=40000-"])
    #expect(origin.log.requests.allSatisfy { $0.header("Authorization") == "token" })
  }

  // MARK: Images

  @Test("The partial body is shown as a preview before more data arrives")
  func previews() async throws {
    let data = try SampleImage.progressiveJPEG()
    let gate = ScriptGate()
    let answer: Answer = { .ranged(data, etag: "\"a\"", for: $0) }
    let origin = try origin([
      { answer($0).scripted(.head, .bytes(data.count * 2 / 3), .close) },
      { answer($0).scripted(.head, .wait(gate), .rest) },
    ])
    let pipeline = pipeline {
      $0.decodeEveryPart()
      $0.isStoringPreviewsInMemoryCache = false
    }
    try await fail(request(origin), on: pipeline)
    let queue = pipeline.configuration.dataLoadingQueue
    queue.isSuspended = true
    let task = pipeline.imageTask(with: request(origin))
    var previews = task.previews.makeAsyncIterator()
    queue.isSuspended = false
    let preview = try #require(await previews.next())
    #expect(preview.isPreview && preview.image.pixelWidth == 160)
    gate.open()
    let whole = try ImageReaders.reader(for: data).decode(.init())
    #expect(try await task.response.image.pngData() == whole.pngData())
  }
}
