/// The requests that validate or complete stored responses (RFC 9111 §4.3.1).
extension CachePolicy {
  /// Returns the conditional request that validates a stored response. It has no conditions if the response has no
  /// validator, or if the program made the request conditional itself.
  func forward(
    _ reason: Forward.Reason, validating index: Int, _ response: StoredResponse, _ request: CacheRequest
  ) -> Forward {
    var forward = Forward(reason: reason)
    guard request.isGet, !request.isConditional, !request.fields.contains(.ifRange) else { return forward }
    if request.mode == .revalidate, !request.fields.contains(.cacheControl) {
      // Makes caches between the client and the origin validate too (RFC 9111 §5.2.1.1).
      forward.fields.append("Cache-Control", "max-age=0")
    }
    guard (200..<300).contains(response.status) else { return forward }
    let tag = response.fields.only(.eTag).flatMap { $0.isEmpty ? nil : $0 }
    if let tag { forward.fields.append(.ifNoneMatch, tag) }
    let modified = request.fields.contains(.range) ? nil : response.fields.only(.lastModified)
    if let modified, response.facts.lastModified != nil { forward.fields.append(.ifModifiedSince, modified) }
    if forward.fields.contains(.ifNoneMatch) || forward.fields.contains(.ifModifiedSince) {
      forward.validating = [index]
    }
    return forward
  }

  /// Returns the decision for a request that selects no stored response. After a mismatch of `Vary`, `If-None-Match`
  /// lists the entity tags of all variants: the origin can select one of them with a 304 (RFC 9111 §4.3.1).
  func miss(_ reason: Forward.Reason, _ request: CacheRequest, _ stored: [StoredResponse]) -> Decision {
    var forward = Forward(reason: reason)
    guard reason == .varyMiss, request.isGet, !request.isConditional, !request.fields.contains(.range) else {
      return .fetch(forward)
    }
    var tags: [UInt8] = []
    for (index, response) in stored.enumerated() where response.status == 200 {
      guard case .whole = response.content, let tag = response.facts.entityTag,
        forward.validating.count < Self.variantLimit
      else { continue }
      tags += (tags.isEmpty ? [] : Array(", ".utf8)) + tag.bytes
      forward.validating.append(index)
    }
    if tags.isEmpty { return .fetch(forward) }
    forward.fields.append(.ifNoneMatch, tags[...])
    return .validate(forward)
  }

  private static var variantLimit: Int { 16 }

  /// Returns the request for the missing bytes of an incomplete response (RFC 9111 §3.3, §3.4). Without a strong
  /// validator, or if the stored bytes are encoded or not the first ones, requests the whole body.
  func completion(of index: Int, _ request: CacheRequest, _ stored: [StoredResponse]) -> Decision {
    var forward = Forward(reason: .partial)
    let response = stored[index]
    guard request.isGet, !request.isConditional, !request.fields.contains(.range), !request.directives.noCache,
      case .part(first: 0, let count, let total) = response.content, total.map({ count < $0 }) ?? true,
      let validator = response.strongValidator, response.fields.contentCodings.isEmpty
    else { return .fetch(forward) }
    forward.fields.append("Range", "bytes=\(count)-")
    forward.fields.append(.ifRange, validator)
    forward.completing = index
    return .validate(forward)
  }
}
