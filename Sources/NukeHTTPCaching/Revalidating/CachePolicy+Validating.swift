/// Requests that ask the origin about what is stored (RFC 9111 §4.3.1).
extension CachePolicy {
  /// The request with conditions, or as it is where there is nothing to ask by, or where it has conditions of its own.
  func forward(
    _ reason: Forward.Reason, validating index: Int, _ response: StoredResponse, _ request: CacheRequest
  ) -> Forward {
    var forward = Forward(reason: reason)
    guard request.isGet, !request.isConditional, !request.fields.contains(.ifRange) else { return forward }
    if request.mode == .revalidate, !request.fields.contains(.cacheControl) {
      // Caches on the way are asked too.
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

  /// The request where nothing that is stored matches it. The origin is told the tags of all variants: one of them may
  /// be what it would send.
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

  /// The request for what is missing of a body (RFC 9111 §3.3, §3.4); for all of it where it is not certain that the rest
  /// would be of the same one.
  func completion(of index: Int, _ request: CacheRequest, _ stored: [StoredResponse]) -> Decision {
    var forward = Forward(reason: .partial)
    let response = stored[index]
    guard request.isGet, !request.isConditional, !request.fields.contains(.range), !request.directives.noCache,
      case .part(first: 0, let count, let total) = response.content, total.map({ count < $0 }) ?? true,
      let validator = response.strongValidator
    else { return .fetch(forward) }
    forward.fields.append("Range", "bytes=\(count)-")
    forward.fields.append(.ifRange, validator)
    forward.completing = index
    return .validate(forward)
  }
}
