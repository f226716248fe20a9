import NukeHTTPCaching

/// A cache in memory in front of a scripted origin: it does what the decisions say, and nothing else. Time passes only
/// where a test says so.
final class SimulatedCache {
  typealias Origin = (_ request: Sent) -> OriginResponse

  /// A request as the origin saw it.
  struct Sent {
    let method: String
    let url: String
    let fields: HTTPFields
  }

  enum OriginResponse {
    case response(Int, HTTPFields, String)
    /// The head promises more than what comes.
    case broken(Int, HTTPFields, String)
    case unreachable
  }

  struct Response {
    /// Zero where there is none.
    let status: Int
    let fields: HTTPFields
    let body: String
    let cacheStatus: CacheStatus?
  }

  struct Entry {
    var response: StoredResponse
    var body: [UInt8]
  }

  var policy = CachePolicy()
  var now = Timestamp(seconds: 1_790_000_000)
  var origin: Origin
  private(set) var sent: [Sent] = []
  private(set) var store: [String: [Entry]] = [:]

  init(_ origin: @escaping Origin) { self.origin = origin }

  func pass(seconds: Int) { now = Timestamp(milliseconds: now.milliseconds + seconds * 1000) }

  @discardableResult
  func load(_ request: CacheRequest) -> Response {
    let entries = store[CacheURL.key(request.url)] ?? []
    switch policy.decide(request, stored: entries.map(\.response), now: now) {
    case .use(let reuse): return serve(reuse, from: entries)
    case .useStale(let reuse, let forward):
      let response = serve(reuse, from: entries)
      _ = exchange(request, forward)
      return response
    case .validate(let forward), .fetch(let forward): return exchange(request, forward)
    case .unavailable: return Response(status: 504, fields: HTTPFields(), body: "", cacheStatus: nil)
    }
  }

  private func exchange(_ request: CacheRequest, _ forward: Forward) -> Response {
    let key = CacheURL.key(request.url)
    let entries = store[key] ?? []
    let stored = entries.map(\.response)
    var fields = request.fields
    fields.remove { field in forward.fields.contains(field.name) }
    for field in forward.fields { fields.append(name: field.name, value: field.value) }
    let message = Sent(method: request.method, url: request.url, fields: fields)
    sent.append(message)
    let requestTime = now
    let status: Int
    let head: HTTPFields
    var body: [UInt8]
    switch origin(message) {
    case .unreachable:
      guard let reuse = policy.fallback(for: request, stored: stored, after: .disconnected, now: now) else {
        return Response(status: 0, fields: HTTPFields(), body: "", cacheStatus: nil)
      }
      return serve(reuse, from: entries)
    case .response(let code, let lines, let text), .broken(let code, let lines, let text):
      (status, head) = (code, lines)
      body = request.method == "HEAD" || code == 304 ? [] : Array(text.utf8)
    }
    let response = ReceivedResponse(status: status, fields: head, requestTime: requestTime, responseTime: now)
    let reception = policy.receive(response, to: request, sending: forward, stored: stored)
    let storedPrefix = reception.storedPrefix.map { entries[$0.index].body.prefix($0.count) } ?? []
    apply(reception, key: key, body: storedPrefix + body)
    if case .joined = reception.delivery { body = storedPrefix + body }
    let cacheStatus = CacheStatus(forward, status: status, reception: reception)
    switch reception.delivery {
    case .again: return exchange(request, forward.unconditional)
    case .stored(let reuse):
      var entry = entries[reuse.index]
      for renewal in reception.renewals where renewal.index == reuse.index { entry.response = renewal.response }
      return serve(reuse, from: entry, cacheStatus)
    case .joined:
      return Response(
        status: 200, fields: reception.entry?.fields ?? head, body: String(decoding: body, as: UTF8.self),
        cacheStatus: cacheStatus)
    case .response:
      return Response(
        status: status, fields: head, body: String(decoding: body, as: UTF8.self), cacheStatus: cacheStatus)
    }
  }

  private func apply(_ reception: Reception, key: String, body: [UInt8]) {
    var entries = store[key] ?? []
    for renewal in reception.renewals { entries[renewal.index].response = renewal.response }
    var kept = entries.indices.filter { !reception.removals.contains($0) }.map { entries[$0] }
    if let entry = reception.entry?.finished(bodyLength: body.count) {
      // What is kept survives being written and read.
      let written = entry.encoded.flatMap { StoredResponse(encoded: $0) }
      precondition(written == entry, "\(entry) does not come back")
      kept.append(Entry(response: entry, body: body))
    }
    for invalid in reception.invalidations {
      if invalid == key {
        kept = kept.filter { $0.response.responseTime == now && reception.entry != nil }
      } else {
        store[invalid] = store[invalid]?.map { entry in
          var doubtful = entry
          doubtful.response.isDoubtful = true
          return doubtful
        }
      }
    }
    store[key] = kept
  }

  private func serve(_ reuse: Reuse, from entries: [Entry]) -> Response {
    serve(reuse, from: entries[reuse.index], CacheStatus(reuse))
  }

  private func serve(_ reuse: Reuse, from entry: Entry, _ status: CacheStatus) -> Response {
    let head = entry.response.head(for: reuse)
    let range = entry.response.bodyRange(for: reuse.kind, storedLength: entry.body.count)
    return Response(
      status: head.status, fields: head.fields, body: String(decoding: entry.body[range], as: UTF8.self),
      cacheStatus: status)
  }
}
