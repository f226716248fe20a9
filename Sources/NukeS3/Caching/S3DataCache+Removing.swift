import Dispatch
import Foundation
import FoundationNetworking
import Nuke

extension S3DataCache {
  /// Removes all objects that this cache has stored under its ``prefix``. Other objects are not removed.
  ///
  /// Sends one request for each thousand objects and one for each object, and returns when all are done. Stops if the
  /// store fails, and if its list is not valid or has no end: if it repeats a continuation token or a page, or sends
  /// 100 empty pages in a row or 100,000 pages. ``statistics`` counts this as a failure. To empty a large cache, use a
  /// new prefix, and let a lifecycle rule of the bucket delete the old objects.
  public func removeAll() { removeAll(pageLimit: 100_000) }

  /// - Parameter pageLimit: the maximum number of pages of the list, each of which has up to 1,000 objects.
  func removeAll(pageLimit: Int) {
    dropWaiting()
    flush()
    var (pages, token): (S3Pages, String?) = (S3Pages(limit: pageLimit), nil)
    repeat {
      guard let page = list(after: token), remove(page.keys.filter(isOwn)) else { return }
      do throws(S3Listing.Failure) {
        token = try pages.token(after: page)
      } catch {
        return noteFailure(error)
      }
    } while token != nil
  }

  private func list(after continuation: String?) -> S3Listing? {
    var query = ["list-type": "2", "max-keys": "1000", "prefix": prefix]
    query["continuation-token"] = continuation
    guard let request = try? requests.request("GET", bucket: bucket, key: nil, query: query), mayAsk() else {
      return nil
    }
    switch perform(.list, request, limit: 16 << 20) {
    case .success(let response):
      guard let listing = S3Listing(response.body) else {
        noteFailure(S3Listing.Failure.malformed)
        return nil
      }
      noteSuccess()
      return listing
    case .failure(let error):
      noteFailure(error)
      return nil
    }
  }

  /// Returns `false` if an object could not be removed.
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
      start(.delete, request, limit: 1 << 20) { [self] result in
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

  /// Returns `true` if the cache could have created the name: two hexadecimal digits, a slash, and forty digits that
  /// begin with the same two.
  private func isOwn(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let rest = name.utf8.dropFirst(prefix.utf8.count)
    let digits = rest.dropFirst(3)
    return rest.count == 43 && rest.dropFirst(2).first == UInt8(ascii: "/") && digits.starts(with: rest.prefix(2))
      && digits.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
  }
}

/// A list of objects: the needed fields of a `ListObjectsV2` response.
struct S3Listing: Equatable {
  /// The names of the objects.
  let keys: [String]
  /// The token for the rest of the list; `nil` if this is all.
  let continuation: String?

  /// Returns `nil` if the text is not a `ListObjectsV2` response.
  init?(_ xml: Data) {
    let elements = XMLElements(xml)
    guard elements.contains("ListBucketResult") else { return nil }
    keys = elements["Key"]
    continuation = elements["NextContinuationToken"].first
  }
}

extension S3Listing {
  /// The reason why a list is not used.
  enum Failure: Swift.Error, CustomStringConvertible {
    case malformed
    case endless

    var description: String {
      switch self {
      case .malformed: "The response of the store is not a list of objects."
      case .endless: "The store's list of objects has no end."
      }
    }
  }
}

/// The pages of a list that were read. A value type that decides whether to read another one.
struct S3Pages {
  /// The maximum number of empty pages in a row.
  private static let emptyLimit = 100

  private let limit: Int
  private var count = 0
  private var emptyCount = 0
  /// The hashes of all tokens.
  private var tokens: Set<Int> = []
  /// The names on the last page.
  private var keys: [String] = []

  /// - Parameter limit: the maximum number of pages.
  init(limit: Int) { self.limit = limit }

  /// Returns the token for the page after `page`; `nil` if there is none.
  mutating func token(after page: S3Listing) throws(S3Listing.Failure) -> String? {
    guard let token = page.continuation else { return nil }
    let isRepeated = !page.keys.isEmpty && page.keys == keys
    keys = page.keys
    count += 1
    emptyCount = keys.isEmpty ? emptyCount + 1 : 0
    guard tokens.insert(token.hashValue).inserted, !isRepeated, count < limit, emptyCount < Self.emptyLimit else {
      throw .endless
    }
    return token
  }
}
