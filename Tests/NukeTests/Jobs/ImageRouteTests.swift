import Foundation
import NukeHTTPCaching
import Testing

@testable import Nuke

/// Every order of events up to a length, with every evaluation, against what must hold of a route.
@Suite("The route of an image")
struct ImageRouteTests {
  enum Values: ImageRouteValues {
    typealias Image = String
    typealias Original = String
  }
  typealias Route = ImageRoute<Values>
  typealias Evaluation = FreshnessEvaluator.Evaluation

  private static let evaluations: [Evaluation] = [
    .fresh(nil), .fresh(.validated), .stale(mayServe: true), .stale(mayServe: false), .outdated(mayServe: true),
    .outdated(mayServe: false),
  ]

  /// What a route has done so far, and how it ended.
  private struct History {
    var actions: [String] = []
    var previews = 0
    var result: (image: String, foundIn: ImageResponse.CacheType?)?
    var hasFailed = false
    /// `true` if a validation has returned other data.
    var isGiven = false
  }

  private let table = FreshnessTable()

  private func facts(_ version: UInt64) -> FreshnessFacts {
    FreshnessFacts(stamp: FreshnessStamp(row: table.row(for: "a"), representation: version))
  }

  private func stored(_ version: UInt64 = 1) -> Route.Stored { .init(data: Data([1]), facts: facts(version)) }

  /// Follows each way on from `action`, and checks each end. Returns the number of ends.
  private func explore(_ action: Route.Action, _ route: Route, _ history: History, depth: Int) -> Int {
    if depth == 0 { return 0 }
    var history = history
    func goOn(_ change: (inout Route) -> Route.Action) -> Int {
      var route = route
      return explore(change(&route), route, history, depth: depth - 1)
    }
    switch action {
    case .lookOnDisk:
      history.actions.append("disk")
      return Self.evaluations.reduce(goOn { $0.lookedOnDisk(nil, .fresh(nil)) }) { count, evaluation in
        count + goOn { $0.lookedOnDisk(stored(), evaluation) }
      }
    case .decodeStored(let stored):
      history.actions.append("decode")
      #expect(route.isDecodingStored && route.foundIn == .disk)
      #expect(stored.facts != nil)
      return goOn { $0.decodedStored("stored") } + goOn { $0.decodedStored(nil) }
    case .acquireLease(let work):
      history.actions.append("lease")
      return goOn { _ in .perform(work) } + goOn { $0.lookAgain() }
    case .lookAtRecord:
      history.actions.append("record")
      return Self.evaluations.reduce(0) { count, evaluation in count + goOn { $0.lookedAtRecord(evaluation) } }
    case .perform(.validate):
      history.actions.append("validate")
      let unchanged = goOn { $0.notModified(facts(1)) } + goOn { $0.notModified(facts(2)) }
      history.isGiven = true
      return unchanged + goOn { $0.modified("data") }
    case .perform(.load):
      // What a validation has returned is not loaded again, and is used once.
      var route = route
      #expect((route.takeGiven() != nil) == history.isGiven, "\(history.actions)")
      #expect(route.takeGiven() == nil)
      history.isGiven = false
      history.actions.append("load")
      var whole = route
      var count = explore(whole.made("made", facts(3)), whole, history, depth: depth - 1)
      for evaluation in Self.evaluations {
        var route = route
        guard !route.previewsAreOver, !route.isShowing, route.foundOriginal(evaluation) else { continue }
        count += explore(route.made("original", facts(1)), route, history, depth: depth - 1)
      }
      var failed = route
      #expect(failed.failed() == route.isShowing)
      history.hasFailed = true
      return count + end(route, history)
    case .preview(_, _, let work):
      history.actions.append("preview")
      history.previews += 1
      #expect(route.previewsAreOver)
      return goOn { _ in .acquireLease(work) }
    case .finish(let image, _):
      history.actions.append("finish")
      history.result = (image, route.foundIn)
      return end(route, history)
    }
  }

  private func end(_ route: Route, _ history: History) -> Int {
    let way = history.actions.joined(separator: ", ")
    #expect(history.previews <= 1, "\(way)")
    if let (image, foundIn) = history.result {
      #expect(!route.isShowing && !route.isDecodingStored, "\(way)")
      if let shown = history.actions.lastIndex(of: "preview") {
        // The server, another client's record, or another client's result has been looked at since.
        #expect(!Set(history.actions[shown...]).isDisjoint(with: ["validate", "load", "record", "disk"]), "\(way)")
      }
      #expect(image != "made" || foundIn == nil, "what was made is stored: \(way)")
      #expect(image != "memory" || foundIn == .memory, "\(way)")
      #expect(image != "stored" || foundIn == .disk, "\(way)")
    } else {
      #expect(history.hasFailed, "\(way)")
    }
    return 1
  }

  @Test(
    "In any order of events, at most one stale image is shown, none is the result unasked, and results are stored",
    arguments: [true, false])
  func everyOrder(isShown: Bool) {
    var ends = explore(.lookOnDisk, Route(), History(), depth: 13)
    for evaluation in Self.evaluations {
      var route = Route()
      let action = route.foundInMemory("memory", facts(1), evaluation, isShown: isShown)
      ends += explore(action, route, History(), depth: 13)
    }
    #expect(ends > 10_000)
  }

  @Test("A fresh image in memory is the result at once")
  func freshInMemory() {
    var route = Route()
    guard case .finish("memory", let facts) = route.foundInMemory("memory", facts(1), .fresh(.fresh), isShown: false)
    else { Issue.record("it is not the result"); return }
    #expect(facts?.freshness == .fresh)
    #expect(route.foundIn == .memory)
  }

  @Test("A stale image on disk is shown and then validated, and a 304 makes it the result")
  func staleOnDisk() throws {
    var route = Route()
    guard case .decodeStored = route.lookedOnDisk(stored(), .stale(mayServe: true)) else {
      throw Unexpected("it is not decoded")
    }
    guard case .preview("stored", _, then: .validate) = route.decodedStored("stored") else {
      throw Unexpected("it is not shown")
    }
    #expect(route.validatedVersion == 1)
    #expect(!route.isStaleEntryNew)
    guard case .finish("stored", _) = route.notModified(facts(1)) else { throw Unexpected("it is not the result") }
    #expect(route.foundIn == .disk)
  }

  @Test("A damaged entry that was to be shown is replaced")
  func damaged() throws {
    var route = Route()
    _ = route.lookedOnDisk(stored(), .outdated(mayServe: true))
    #expect(route.isShowing)
    guard case .perform(.load) = route.decodedStored(nil) else { throw Unexpected("it is not loaded") }
    #expect(!route.isShowing)
    #expect(route.foundIn == nil)
  }

  @Test("After a validation became necessary, a record that another has renewed since makes the entry fresh")
  func validatedByAnother() {
    func record(at seconds: Int) -> FreshnessRecord {
      let time = Timestamp(seconds: seconds)
      return FreshnessRecord(
        StoredResponse(
          key: "http://pictures.test/a", status: 200, fields: ["ETag": "\"a\""], requestTime: time, responseTime: time,
          content: .whole(length: 3)))
    }
    var route = Route()
    let (stale, now) = (Evaluation.stale(mayServe: false), Timestamp(seconds: 2000))
    // What is not stale, or has no record, asks for no validation.
    #expect(route.evaluated(.outdated(mayServe: true), of: record(at: 1500), now: now) == .outdated(mayServe: true))
    #expect(route.evaluated(stale, of: nil, now: now) == stale)
    #expect(route.evaluated(stale, of: record(at: 1000), now: now) == stale)
    let later = Timestamp(seconds: 3000)
    #expect(route.evaluated(stale, of: record(at: 1000), now: later) == stale, "it is the same record")
    #expect(route.evaluated(stale, of: record(at: 1500), now: later) == stale, "it is older than the need")
    #expect(route.evaluated(stale, of: record(at: 2000), now: later) == .fresh(.validated))
    #expect(route.evaluated(.fresh(.fresh), of: record(at: 2000), now: later) == .fresh(.fresh))
  }
}
