extension CachePolicy {
  /// Decides how a response from the origin changes the stored responses, and which response the program receives
  /// (RFC 9111 §3, §4.3.3–4.4).
  ///
  /// - Parameters:
  ///   - request: the request as the program made it.
  ///   - forward: how the request was sent, a result of ``decide(_:stored:now:)``.
  ///   - stored: the stored responses that were passed to ``decide(_:stored:now:)``.
  package func receive(
    _ response: ReceivedResponse, to request: CacheRequest, sending forward: Forward, stored: [StoredResponse]
  ) -> Reception {
    switch request.method {
    case "GET": break
    case "HEAD": return head(response, to: request, stored)
    default:
      var reception = keep(response, to: request, stored)
      reception.invalidations = invalidations(by: response, to: request)
      return reception
    }
    if StatusCode.isError(response.status),
      let reuse = fallback(
        for: request, stored: stored, after: .status(response.status), now: response.responseTime)
    {
      return Reception(delivery: .stored(reuse))
    }
    switch response.status {
    case 304 where forward.completing == nil: return notModified(response, to: request, sending: forward, stored)
    case 206: return part(response, to: request, sending: forward, stored)
    case 304, 416:
      guard let index = forward.completing else { return keep(response, to: request, stored) }
      return Reception(delivery: .again, removals: [index])
    default: return keep(response, to: request, stored)
    }
  }

  /// Stores the response, and removes the stored responses that the request would have selected.
  private func keep(_ response: ReceivedResponse, to request: CacheRequest, _ stored: [StoredResponse]) -> Reception {
    var reception = Reception()
    do {
      reception.entry = try entry(for: response, to: request)
    } catch {
      reception.refusal = error
      if error == .noStoreInRequest || !Self.replaces(response.status) || !request.isGet { return reception }
    }
    reception.removals = stored.indices.filter { stored[$0].matches(request) }
    return reception
  }

  /// Returns `true` if a response with this status code makes stored responses outdated even if it is not stored
  /// itself.
  private static func replaces(_ status: Int) -> Bool {
    (200..<400).contains(status) && status != 206 || status == 404 || status == 410
  }
}

/// Updating stored responses after a 304 (RFC 9111 §4.3.4).
extension CachePolicy {
  private func notModified(
    _ response: ReceivedResponse, to request: CacheRequest, sending forward: Forward, _ stored: [StoredResponse]
  ) -> Reception {
    // If the program made the request conditional, the 304 is delivered to the program.
    let isOurs = !forward.validating.isEmpty
    let candidates = isOurs ? forward.validating : stored.indices.filter { stored[$0].matches(request) }
    var selected = selected(by: response, among: candidates, isOnlyOne: isOurs && candidates.count == 1, stored)
    guard let index = selected.first else { return Reception(delivery: isOurs ? .again : .response) }
    // A strong validator updates all stored responses that have it (RFC 9111 §4.3.4).
    if let tag = EntityTag(response), !tag.isWeak {
      selected += stored.indices.filter { other in
        other != index && stored[other].facts.entityTag.map { $0.isStronglyEqual(to: tag) } ?? false
      }
    }
    var reception = Reception()
    for other in selected {
      let renewed = stored[other].renewed(by: response, request: other == index ? request : nil)
      reception.renewals.append(.init(index: other, response: renewed))
      if forbidsStoring(renewed.facts.cacheControl) { reception.removals.append(other) }
    }
    guard isOurs else { return reception }
    let renewed = reception.renewals[0].response
    guard let kind = renewed.responseKind(for: request) else { return Reception(delivery: .again) }
    reception.delivery = .stored(Reuse(index, kind, freshness(of: renewed, now: response.responseTime)))
    return reception
  }

  /// Returns the newest stored response that a 304 validates; empty if its validators match none.
  private func selected(
    by response: ReceivedResponse, among candidates: [Int], isOnlyOne: Bool, _ stored: [StoredResponse]
  ) -> [Int] {
    let modified = response.fields.only(.lastModified)
    let matching: [Int]
    if let tag = EntityTag(response) {
      matching = candidates.filter { index in
        guard let known = stored[index].facts.entityTag else { return false }
        return tag.isWeak ? known.isWeaklyEqual(to: tag) : known.isStronglyEqual(to: tag)
      }
    } else if let modified {
      // If only one response was validated and it has no Last-Modified, the date does not contradict it.
      matching = candidates.filter { index in
        stored[index].fields.only(.lastModified).map { $0 == modified } ?? isOnlyOne
      }
    } else {
      // Servers often omit the validator from a 304. With a single candidate, it is not ambiguous.
      return isOnlyOne ? candidates : []
    }
    return matching.sorted { stored[$0].isNewer(than: stored[$1]) }.prefix(1).map { $0 }
  }
}

extension EntityTag {
  fileprivate init?(_ response: ReceivedResponse) {
    guard let tag = response.fields.only(.eTag).flatMap({ EntityTag($0) }) else { return nil }
    self = tag
  }
}

/// Combining partial responses (RFC 9111 §3.4).
extension CachePolicy {
  private func part(
    _ response: ReceivedResponse, to request: CacheRequest, sending forward: Forward, _ stored: [StoredResponse]
  ) -> Reception {
    guard let range = response.fields.only(.contentRange).flatMap({ ContentRange($0) }) else {
      return forward.completing == nil ? keep(response, to: request, stored) : Reception(delivery: .again)
    }
    if let index = forward.completing {
      guard let joined = stored[index].joined(with: response, range), case .whole = joined.entry.content,
        !forbidsStoring(joined.entry.facts.cacheControl)
      else {
        return Reception(delivery: .again)
      }
      return Reception(
        delivery: .joined(index: index, offset: joined.offset), entry: joined.entry,
        storedPrefix: .init(index: index, count: joined.offset))
    }
    var reception = keep(response, to: request, stored)
    guard let entry = reception.entry, let validator = entry.strongValidator else { return reception }
    // A stored complete response with the same validator contains the partial one: update its fields only.
    let same = stored.indices.filter { index in
      guard case .whole = stored[index].content, stored[index].status == 200 else { return false }
      return stored[index].matches(request) && stored[index].strongValidator == validator
    }
    guard let index = same.first else {
      // A program that resumes a download itself sends its own Range. Its parts are combined here.
      for index in stored.indices where stored[index].matches(request) {
        guard let joined = stored[index].joined(with: response, range) else { continue }
        reception.entry = joined.entry
        reception.storedPrefix = .init(index: index, count: joined.offset)
        break
      }
      return reception
    }
    reception.entry = nil
    reception.removals = []
    reception.renewals = [.init(index: index, response: stored[index].renewed(by: response, request: request))]
    return reception
  }
}

/// Updating stored responses after a HEAD request (RFC 9111 §4.3.5).
extension CachePolicy {
  private func head(_ response: ReceivedResponse, to request: CacheRequest, _ stored: [StoredResponse]) -> Reception {
    var reception = Reception()
    guard response.status == 200 else { return reception }
    for index in stored.indices where stored[index].matches(request) && stored[index].status == 200 {
      var updated = stored[index]
      if updated.agrees(with: response) {
        updated = updated.renewed(by: response, request: request)
      } else {
        updated.isDoubtful = true
      }
      reception.renewals.append(.init(index: index, response: updated))
      if forbidsStoring(updated.facts.cacheControl) { reception.removals.append(index) }
    }
    return reception
  }
}

extension CachePolicy {
  /// Returns the cache keys that a successful unsafe request invalidates (RFC 9111 §4.4): its URL, and the URLs in
  /// `Location` and `Content-Location` if they have the same origin.
  package func invalidations(by response: ReceivedResponse, to request: CacheRequest) -> [String] {
    guard (200..<400).contains(response.status), !Self.isSafe(request.method) else { return [] }
    var keys = [CacheURL.key(request.url)]
    for name in [FieldName.location, .contentLocation] {
      guard let reference = response.fields.only(name),
        let key = CacheURL.key(of: reference.text, from: request.url), !keys.contains(key)
      else { continue }
      keys.append(key)
    }
    return keys
  }

  /// Returns `true` if the method is safe (RFC 9110 §9.2.1).
  private static func isSafe(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }
}
