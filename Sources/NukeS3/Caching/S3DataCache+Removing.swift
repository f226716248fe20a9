import Dispatch
import Foundation
import FoundationNetworking
import Nuke

extension S3DataCache {
  /// Removes all objects under the cache's ``prefix`` that have names as it gives them, and no others.
  ///
  /// It takes a request for each thousand of them and one for each, and returns when all are done; it gives up where the
  /// store fails. To empty a large cache, let it have another prefix and a rule of the bucket's remove the old one.
  public func removeAll() {
    dropWaiting()
    flush()
    var continuation: String?
    repeat {
      guard let page = list(after: continuation), remove(page.keys.filter(isOwn)) else { return }
      continuation = page.continuation
    } while continuation != nil
  }

  private func list(after continuation: String?) -> S3Listing? {
    var query = ["list-type": "2", "max-keys": "1000", "prefix": prefix]
    query["continuation-token"] = continuation
    guard let request = try? requests.request("GET", bucket: bucket, key: nil, query: query), mayAsk() else {
      return nil
    }
    switch S3Exchange.perform(request, by: loader, limit: 16 << 20) {
    case .success(let answer):
      noteSuccess()
      return S3Listing(answer.body)
    case .failure(let error):
      noteFailure(error)
      return nil
    }
  }

  /// False where one could not be removed.
  private func remove(_ names: [String]) -> Bool {
    let places = DispatchSemaphore(value: 8)
    let group = DispatchGroup()
    let failures = state.withLock { $0.statistics.failures }
    for name in names {
      places.wait()
      guard let request = try? requests.request("DELETE", bucket: bucket, key: name), mayAsk() else {
        places.signal()
        break
      }
      group.enter()
      S3Exchange.start(request, by: loader, limit: 1 << 20) { [self] result in
        switch result {
        case .success:
          noteSuccess()
          state.withLock { $0.statistics.removals += 1 }
        case .failure(let error): noteFailure(error)
        }
        places.signal()
        group.leave()
      }
    }
    group.wait()
    return state.withLock { $0.statistics.failures } == failures
  }

  /// Returns `true` if the name is one that the cache gives: two digits, a slash, and forty that begin with the two.
  private func isOwn(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let rest = name.utf8.dropFirst(prefix.utf8.count)
    let digits = rest.dropFirst(3)
    return rest.count == 43 && rest.dropFirst(2).first == UInt8(ascii: "/") && digits.starts(with: rest.prefix(2))
      && digits.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
  }
}

/// A list of objects: the parts of an answer to `ListObjectsV2` that are needed.
struct S3Listing: Equatable {
  /// The names of the objects.
  let keys: [String]
  /// The token for the rest of the list; `nil` if this is all.
  let continuation: String?

  /// `nil` for what is no such answer.
  init?(_ xml: Data) {
    let text = String(decoding: xml, as: UTF8.self)
    guard text.contains("<ListBucketResult") else { return nil }
    keys = Self.texts(of: "Key", in: text)
    continuation = Self.texts(of: "NextContinuationToken", in: text).first
  }

  private static func texts(of element: String, in text: String) -> [String] {
    text.components(separatedBy: "<\(element)>").dropFirst().compactMap { rest in
      rest.range(of: "</\(element)>").map { unescaped(rest[..<$0.lowerBound]) }
    }
  }

  /// Undoes the five named references of XML; the last is that of the ampersand, which begins them all.
  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    guard text.contains("&") else { return text }
    for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.replacingOccurrences(of: name, with: character)
    }
    return text
  }
}
