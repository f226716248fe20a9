import Foundation
import Fuzzing

// The module has no public symbols. Scripts/fuzz builds it with testing enabled.
@testable import NukeHTTPCaching

/// The input is a stored response as encoded on disk, followed by two exchanges: a number for status, method and mode
/// each, and the heads of a request and a response. The parts are separated by 0x1E.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    let bytes = [UInt8](data)
    read(bytes)
    read(StoredResponse.sealed(bytes))
    exchange(bytes)
  }
}

private func read(_ bytes: [UInt8]) {
  guard let response = StoredResponse(encoded: bytes) else { return }
  expect(response.encoded == bytes, "\(response) has other bytes than it was read from")
  check(.init(), CacheRequest(url: "https://a.test/"), [response], now: response.responseTime)
}

private func exchange(_ bytes: [UInt8]) {
  let policy = CachePolicy()
  var now = Timestamp(seconds: 1_790_000_000)
  var stored: [StoredResponse] = []
  var parts = bytes.split(separator: 0x1E, omittingEmptySubsequences: false)[...]
  while let numbers = parts.popFirst(), let question = parts.popFirst(), let answer = parts.popFirst(), stored.count < 8
  {
    let numbers = Array(numbers) + [0, 0, 0]
    let request = CacheRequest(
      method: ["GET", "HEAD", "POST", "PUT"][Int(numbers[1] >> 6)], url: "https://a.test/b/c",
      fields: HTTPFields(head: Array(question)),
      mode: [.respect, .revalidate, .ignore, .onlyStored, .reload][Int(numbers[1] & 31) % 5])
    now = Timestamp(milliseconds: now.milliseconds + Int(numbers[2]) * 500)
    check(policy, request, stored, now: now)
    guard let forward = policy.decide(request, stored: stored, now: now).forward else { continue }
    let statuses = [200, 206, 304, 404, 416, 500, 503, 599, 100, 301]
    let response = ReceivedResponse(
      status: statuses[Int(numbers[0]) % statuses.count], fields: HTTPFields(head: Array(answer)), requestTime: now,
      responseTime: Timestamp(milliseconds: now.milliseconds + Int(numbers[2])))
    let reception = policy.receive(response, to: request, sending: forward, stored: stored)
    let control = ResponseCacheControl(response.fields)
    if control.noStore && !control.mustUnderstand || request.directives.noStore {
      expect(reception.entry == nil, "no-store is stored")
    }
    _ = CacheStatus(forward, status: response.status, reception: reception).text
    for renewal in reception.renewals { stored[renewal.index] = renewal.response }
    stored = stored.indices.filter { !reception.removals.contains($0) }.map { stored[$0] }
    guard let entry = reception.entry?.finished(bodyLength: Int(numbers[2])), let encoded = entry.encoded else {
      continue
    }
    expect(StoredResponse(encoded: encoded) == entry, "\(entry) does not come back")
    stored.append(entry)
  }
}

/// Uses all methods of the stored response.
private func check(_ policy: CachePolicy, _ request: CacheRequest, _ stored: [StoredResponse], now: Timestamp) {
  let decided = policy.decide(request, stored: stored, now: now).reuse
  let fallback = policy.fallback(for: request, stored: stored, after: .disconnected, now: now)
  for reuse in [decided, fallback].compactMap(\.self) {
    let response = stored[reuse.index]
    let head = response.head(for: reuse)
    expect((200..<600).contains(head.status), "status \(head.status)")
    let range = response.bodyRange(for: reuse.kind, storedLength: 100)
    expect(range.lowerBound >= 0 && range.upperBound <= 100, "bytes \(range) of 100")
    guard request.mode == .respect else { continue }
    let control = response.facts.cacheControl
    expect(!control.noCache && !response.isDoubtful, "used without validation: \(response)")
    expect(reuse.freshness.isFresh || !control.mustRevalidate, "used though it must be validated: \(response)")
  }
  for response in stored { _ = response.representation }
}
