extension CachePolicy {
  /// Decides what a response from the origin means for stored responses and for the program (RFC 9111 §3, §4.3.3 to
  /// §4.4).
  ///
  /// - Parameters:
  ///   - request: as the program made it.
  ///   - forward: how it was sent: what ``decide(_:stored:now:)`` gave.
  ///   - stored: what was handed to that decision.
  package func receive(
    _ response: ReceivedResponse, to request: CacheRequest, sending forward: Forward, stored: [StoredResponse]
  ) -> Reception {
    switch request.method {
    case "GET": break
    case "HEAD": return Reception(renewals: renewals(byHead: response, to: request, stored))
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

  /// Replaces the response with which the request would have been answered before.
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

  /// Returns `true` if a response that is not kept still says that what is stored is no longer right.
  private static func replaces(_ status: Int) -> Bool {
    (200..<400).contains(status) && status != 206 || status == 404 || status == 410
  }
}

/// RFC 9111 §4.3.4.
extension CachePolicy {
  private func notModified(
    _ response: ReceivedResponse, to request: CacheRequest, sending forward: Forward, _ stored: [StoredResponse]
  ) -> Reception {
    // Conditions of the program's own: the 304 is for the program.
    let isOurs = !forward.validating.isEmpty
    let asked = isOurs ? forward.validating : stored.indices.filter { stored[$0].matches(request) }
    var selected = selected(by: response, among: asked, isOnlyOne: isOurs && asked.count == 1, stored)
    guard let index = selected.first else { return Reception(delivery: isOurs ? .again : .response) }
    // A strong tag is right for every stored response that has it.
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
    guard let answer = renewed.answer(to: request) else { return Reception(delivery: .again) }
    reception.delivery = .stored(Reuse(index, answer, freshness(of: renewed, now: response.responseTime)))
    return reception
  }

  /// The stored responses that a 304 is about, the one to be used first; none where its validators contradict.
  private func selected(
    by response: ReceivedResponse, among asked: [Int], isOnlyOne: Bool, _ stored: [StoredResponse]
  ) -> [Int] {
    let modified = response.fields.only(.lastModified)
    let matching: [Int]
    if let tag = EntityTag(response) {
      matching = asked.filter { index in
        guard let known = stored[index].facts.entityTag else { return false }
        return tag.isWeak ? known.isWeaklyEqual(to: tag) : known.isStronglyEqual(to: tag)
      }
    } else if let modified {
      // A date says nothing against the one response that was asked about and has none.
      matching = asked.filter { index in
        stored[index].fields.only(.lastModified).map { $0 == modified } ?? isOnlyOne
      }
    } else {
      // Servers often leave out what they are asked by. With one response in question nothing else can be meant.
      return isOnlyOne ? asked : []
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

/// RFC 9111 §3.4.
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
        beginning: .init(index: index, count: joined.offset))
    }
    var reception = keep(response, to: request, stored)
    guard let entry = reception.entry, let validator = entry.strongValidator else { return reception }
    // What is stored of the same body says more than the part.
    let same = stored.indices.filter { index in
      guard case .whole = stored[index].content, stored[index].status == 200 else { return false }
      return stored[index].matches(request) && stored[index].strongValidator == validator
    }
    guard let index = same.first else {
      // A program that goes on with what it has itself leaves both parts here.
      for index in stored.indices where stored[index].matches(request) {
        guard let joined = stored[index].joined(with: response, range) else { continue }
        reception.entry = joined.entry
        reception.beginning = .init(index: index, count: joined.offset)
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

/// RFC 9111 §4.3.5.
extension CachePolicy {
  private func renewals(
    byHead response: ReceivedResponse, to request: CacheRequest, _ stored: [StoredResponse]
  ) -> [Reception.Renewal] {
    guard response.status == 200 else { return [] }
    return stored.indices.filter { stored[$0].matches(request) && stored[$0].status == 200 }.map { index in
      var updated = stored[index]
      if updated.agrees(with: response) {
        updated = updated.renewed(by: response, request: request)
      } else {
        updated.isDoubtful = true
      }
      return .init(index: index, response: updated)
    }
  }
}

extension CachePolicy {
  /// The keys of what a request may have changed (RFC 9111 §4.4): its URL, and what `Location` and `Content-Location`
  /// name of the same origin, where the method is not known to change nothing and did not fail.
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

  /// RFC 9110 §9.2.1.
  private static func isSafe(_ method: String) -> Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE": true
    default: false
    }
  }
}
