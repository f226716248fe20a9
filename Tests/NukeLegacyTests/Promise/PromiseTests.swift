import Dispatch
import NukeLegacy
import NukeTesting
import Testing

@Suite("A promise", .timeLimit(.minutes(1)))
struct PromiseTests {
  private let queue = DispatchQueue(label: "promise")
  private let log = CallLog()

  @Test("The first outcome counts")
  func first() async throws {
    let kept = Promise<Int> { fulfill, reject in
      fulfill(1)
      fulfill(2)
      reject(Failure())
    }
    #expect(try await kept.value == 1)
    let broken = Promise<Int> { fulfill, reject in
      reject(Failure(number: 1))
      fulfill(2)
    }
    #expect(await failure(of: broken) as? Failure == Failure(number: 1))
  }

  @Test("Closures are called in the order in which they were added, before and after the outcome")
  func order() async {
    let gate = Gate()
    let promise = Promise<Int> { fulfill, _ in
      Task {
        await gate.wait()
        fulfill(7)
      }
    }
    promise.then(on: queue) { log.append("first \($0)") }.then(on: queue) { log.append("second \($0)") }
    gate.open()
    await log.entries(count: 2)
    promise.then(on: queue) { log.append("third \($0)") }.finally(on: queue) { log.append("over") }
    #expect(await log.entries(count: 4) == ["first 7", "second 7", "third 7", "over"])
  }

  @Test("Closures are called on the main actor by default")
  @MainActor
  func mainActor() async {
    var shown: [Int] = []
    await withCheckedContinuation { continuation in
      Promise(value: 3).then { shown.append($0) }.finally { continuation.resume() }
    }
    #expect(shown == [3])
  }

  @Test("Only the closures for its outcome are called")
  func fitting() async {
    Promise(value: 1)
      .catch(on: queue) { _ in log.append("unexpected error") }
      .then(on: queue) { log.append("value \($0)") }
    await log.entries(count: 1)
    Promise<Int>(error: Failure(number: 2))
      .then(on: queue) { _ in log.append("unexpected value") }
      .catch(on: queue) { log.append("\($0)") }
      .completion(on: queue) { if case .failure = $0 { log.append("failed") } }
    #expect(await log.entries(count: 3) == ["value 1", "Failure(number: 2)", "failed"])
  }

  @Test("A transformation returns a value or another promise")
  func chain() async throws {
    let text = Promise(value: 20).then(on: queue) { $0 + 1 }.then(on: queue) { number in Promise(value: "\(number)") }
    #expect(try await text.value == "21")
    let onMain = Promise(value: 20).then { $0 * 2 }.then { number in Promise(value: "\(number)") }
    #expect(try await onMain.value == "40")
  }

  @Test("Errors are passed on, and so are those thrown by a transformation")
  func errors() async {
    let skipped = Promise<Int>(error: Failure(number: 1)).then(on: queue) { value -> Int in
      log.append("unexpected")
      return value
    }
    #expect(await failure(of: skipped) as? Failure == Failure(number: 1))
    let thrown = Promise(value: 1).then(on: queue) { value -> Int in throw Failure(number: value + 1) }
    #expect(await failure(of: thrown) as? Failure == Failure(number: 2))
    let inner = Promise(value: 1).then { _ -> Promise<Int> in throw Failure(number: 3) }
    #expect(await failure(of: inner) as? Failure == Failure(number: 3))
    #expect(log.entries == [])
  }

  @Test("It recovers from an error with another promise")
  func recovery() async throws {
    let recovered = Promise<Int>(error: Failure(number: 4)).recover(on: queue) { error in
      Promise(value: (error as? Failure)?.number ?? 0)
    }
    #expect(try await recovered.value == 4)
    #expect(try await Promise(value: 1).recover { _ in Promise(value: 2) }.value == 1)
    let again = Promise<Int>(error: Failure()).recover(on: queue) { _ in throw Failure(number: 5) }
    #expect(await failure(of: again) as? Failure == Failure(number: 5))
  }

  @Test("All waiters receive the same outcome if several threads set one")
  func threads() async throws {
    for _ in 0..<50 {
      let promise = Promise<Int> { fulfill, reject in
        for number in 0..<4 {
          Task { fulfill(number) }
          Task { reject(Failure(number: number)) }
        }
      }
      let outcomes = await withTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask {
            do { return "\(try await promise.value)" } catch { return "\(error)" }
          }
        }
        return await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(outcomes.count == 1)
    }
  }

  @Test("Closures are released after they have been called")
  func release() async throws {
    final class Kept: Sendable {}
    weak var released: Kept?
    let promise = Promise(value: 1)
    do {
      let kept = Kept()
      released = kept
      promise.then(on: queue) { _ in withExtendedLifetime(kept) {} }
    }
    queue.sync {}
    // The queue lets go of a closure after it has run it.
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(released == nil)
    #expect(try await promise.value == 1)
  }
}
