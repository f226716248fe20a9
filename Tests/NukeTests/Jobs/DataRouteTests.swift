import Foundation
import FoundationNetworking
import NukeHTTPCaching
import Testing

@testable import Nuke

/// Every order of events, with every evaluation and record, against what must hold of a route.
@Suite("The route of data")
struct DataRouteTests {
  private static let evaluations: [FreshnessEvaluator.Evaluation] = [
    .fresh(nil), .fresh(.validated), .stale(mayServe: true), .stale(mayServe: false), .outdated(mayServe: true),
    .outdated(mayServe: false),
  ]

  private let row = FreshnessTable().row(for: "a")
  private let evaluator: FreshnessEvaluator
  private let stored = Data([1])

  init() throws {
    let url = try #require(URL(string: "http://images.test/a"))
    let requirement = try #require(FreshnessRequirement(ImageRequest(url: url), default: .respect))
    evaluator = FreshnessEvaluator(requirement, URLRequest(url: url), of: nil)
  }

  private func facts(_ version: UInt64) -> FreshnessFacts {
    FreshnessFacts(stamp: FreshnessStamp(row: row, representation: version))
  }

  /// A response of the second 1,000 that is fresh for a minute.
  private var record: FreshnessRecord {
    let time = Timestamp(seconds: 1000)
    return FreshnessRecord(
      StoredResponse(
        key: "http://images.test/a", status: 200, fields: ["ETag": "\"a\"", "Cache-Control": "max-age=60"],
        requestTime: time, responseTime: time, content: .whole(length: 3)))
  }

  private enum End: Equatable {
    case stored(ImageResponse.Freshness?)
    case unchanged
    case load(isConditional: Bool)
  }

  /// Follows each way on from `action`. Returns the actions and the end of each.
  private func explore(_ action: DataRoute.Action, _ route: DataRoute, _ way: [String] = []) -> [([String], End)] {
    func goOn(_ name: String, _ change: (inout DataRoute) -> DataRoute.Action) -> [([String], End)] {
      var route = route
      return explore(change(&route), route, way + [name])
    }
    switch action {
    case .lookOnDisk:
      return goOn("miss") { $0.lookedOnDisk(nil, nil, .fresh(nil)) }
        + Self.evaluations.flatMap { evaluation in
          goOn("\(evaluation)") { $0.lookedOnDisk(stored, facts(1), evaluation) }
        }
    case .joinValidation:
      return goOn("304") { $0.notModified(facts(1)) } + goOn("304 for another version") { $0.notModified(facts(2)) }
    case .joinDownload:
      let joined: [([String], End)] = [(way, .load(isConditional: false))]
      // A job that loads may have to wait for a lease, here once.
      if way.last?.hasSuffix("after the lease") == true { return joined }
      return joined
        + Self.evaluations.flatMap { evaluation in
          goOn("\(evaluation) after the lease") { route in
            guard case .lookOnDisk = route.lookAgain() else {
              Issue.record("it does not look on disk again")
              return .load
            }
            return route.lookedAgain(stored, facts(1), evaluation)
          }
        }
    case .lookAtRecord:
      return goOn("no record") { $0.lookedAtRecord(nil, in: row, evaluator, now: Timestamp(seconds: 1000)) }
        + goOn("fresh record") { $0.lookedAtRecord(record, in: row, evaluator, now: Timestamp(seconds: 1030)) }
        + goOn("stale record") { $0.lookedAtRecord(record, in: row, evaluator, now: Timestamp(seconds: 1090)) }
    case .load: return [(way, .load(isConditional: route.validation != nil))]
    case .finish(let loaded):
      return [(way, loaded.isUnchanged ? .unchanged : .stored(loaded.freshness?.freshness))]
    }
  }

  @Test("Stored data is the result only if it is fresh or a 304 was for its version, in any order of events")
  func everyOrder() {
    let route = DataRoute(.data)
    let ends = explore(route.started(), route)
    #expect(ends.count == 15)
    for (way, end) in ends {
      switch end {
      case .stored: #expect(way.last == "304" || way.last?.hasPrefix("fresh") == true, "\(way)")
      case .load(let isConditional):
        #expect(!isConditional, "\(way)")
        #expect(way.last != "304", "\(way)")
      case .unchanged: Issue.record("there is no stored data: \(way)")
      }
    }
  }

  @Test("A download loads at once, since the disk cache was read before")
  func download() throws {
    guard case .load = DataRoute(.download).started() else { throw Unexpected("it does not load") }
  }

  @Test("A validation sends a conditional request, unless there is no record or another client has renewed it")
  func validation() throws {
    let route = DataRoute(.validation)
    let ends = explore(route.started(), route)
    #expect(
      ends.map { "\($0.0)" } == ["[\"no record\"]", "[\"fresh record\"]", "[\"stale record\"]"])
    #expect(ends.map(\.1) == [.load(isConditional: false), .unchanged, .load(isConditional: true)])
    guard case .lookAtRecord = route.lookAgain() else { throw Unexpected("it does not look at the record again") }
  }

  @Test("Stale data is downloaded again, not validated, after the release of a lease")
  func staleAfterLease() throws {
    let route = DataRoute(.data)
    guard case .joinDownload = route.lookedAgain(stored, facts(1), .stale(mayServe: true)) else {
      throw Unexpected("it does not download")
    }
  }
}
