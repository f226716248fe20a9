import Nuke
import NukeTesting
import Testing

@Suite("Memory pressure")
struct MemoryPressureTests {
  private let log = CallLog()
  private let reporter = Reporter()

  private final class Reporter: Sendable {
    let reports = Lock([@Sendable (MemoryPressure.Level) -> Void]())
  }

  private func pressure() -> MemoryPressure {
    MemoryPressure(source: { [log, reporter] report in
      log.append("watch")
      reporter.reports.withLock { $0.append(report) }
    }) { [log] in log.append("give back") }
  }

  private func report(_ level: MemoryPressure.Level) { reporter.reports.withLock { $0[0] }(level) }

  @Test("Watching starts with the first registration, once")
  func watching() {
    let pressure = pressure()
    #expect(log.entries == [])
    let first = pressure.register { _ in }
    let second = pressure.register { _ in }
    #expect(log.entries == ["watch"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("Handlers are called in order, and then freed memory is returned to the system")
  func reporting() {
    let pressure = pressure()
    let first = pressure.register { [log] in log.append("first \($0)") }
    var second: MemoryPressure.Registration? = pressure.register { [log] in log.append("second \($0)") }
    report(.moderate)
    #expect(log.entries == ["watch", "first moderate", "second moderate", "give back"])
    withExtendedLifetime(second) {}
    second = nil
    report(.critical)
    #expect(log.entries.dropFirst(4) == ["first critical", "give back"])
    withExtendedLifetime(first) {}
  }

  private final class Kept: Sendable {
    let registrations = Lock([MemoryPressure.Registration]())
  }

  @Test("Handlers may register and unregister others")
  func reentry() {
    let pressure = pressure()
    let kept = Kept()
    let first = pressure.register { [log] _ in
      let inner = pressure.register { _ in log.append("inner") }
      kept.registrations.withLock { $0 = [inner] }
    }
    report(.moderate)
    report(.moderate)
    #expect(log.entries == ["watch", "give back", "inner", "give back"])
    withExtendedLifetime(first) {}
  }

  @Test("A handler is released with its registration")
  func releasing() {
    final class Held: Sendable {}
    let pressure = pressure()
    weak var held: Held?
    do {
      let strong = Held()
      held = strong
      let registration = pressure.register { _ in withExtendedLifetime(strong) {} }
      withExtendedLifetime(registration) {}
    }
    #expect(held == nil)
  }

  @Test("Half or a tenth of the contents is kept")
  func parts() {
    #expect(MemoryPressure.Level.moderate.keptPart == 0.5)
    #expect(MemoryPressure.Level.critical.keptPart == 0.1)
    #expect(MemoryPressure.Level.moderate < .critical)
  }
}
