#if Server
  /// Decides which responses may be sent, from the bytes they hold. A value type; times are parameters, in seconds.
  ///
  /// A file that is sent to several clients is counted once. If there is no room for another file, responses whose
  /// clients have received nothing for a while are aborted, those with the longest pause first. Responses that make
  /// progress are never aborted.
  struct SendingTable {
    typealias Number = Int

    /// The decision about a file for which room was requested.
    enum Decision: Equatable {
      /// The response may be sent. Contains its number, and the responses that must be aborted for it.
      case admitted(Number, aborting: [Number])
      /// There is no room for the file.
      case full
    }

    private struct File {
      let bytes: Int
      /// The times at which clients last received something, by response.
      var progress: [Number: Double] = [:]
    }

    /// The maximum number of bytes. A single file may be larger.
    let limit: Int
    /// The bytes that are reserved for short responses. A few clients that receive long responses slowly must not block
    /// short responses to others.
    let reservedForCopies: Int
    /// Seconds without progress after which a response may be aborted for another.
    static let patience = 2.0

    private(set) var bytes = 0
    private var files: [String: File] = [:]
    private var names: [Number: String] = [:]
    private var lastNumber = 0

    init(limit: Int, reservedForCopies: Int = 0) {
      self.limit = limit
      self.reservedForCopies = reservedForCopies
    }

    var count: Int { names.count }

    /// Requests room for a file.
    ///
    /// - Parameter name: equal for equal bytes; `nil` for bytes that are sent to one client only.
    mutating func admit(_ name: String?, bytes count: Int, now: Double) -> Decision {
      let limit = name == nil ? limit : limit - reservedForCopies
      let name = name ?? nameOfNext
      let ofOthers = bytes - (files[name]?.bytes ?? 0)
      // A file that is already being sent needs no more room.
      let excess = ofOthers - limit + (files[name] == nil ? count : 0)
      guard let stalled = responsesToAbort(for: name, excess, now: now) else { return .full }
      for number in stalled { end(number) }
      return add(name, bytes: count, now: now, aborting: stalled)
    }

    /// Counts bytes that are held even if they exceed the limit.
    mutating func add(bytes count: Int, now: Double) -> Number {
      _ = add(nameOfNext, bytes: count, now: now, aborting: [])
      return lastNumber
    }

    /// A unique name. It cannot equal an entity tag, which has quotation marks.
    private var nameOfNext: String { "\(lastNumber + 1)" }

    mutating func progressed(_ number: Number, now: Double) {
      guard let name = names[number] else { return }
      files[name]?.progress[number] = now
    }

    /// Does nothing for a response that has already ended or was aborted.
    mutating func end(_ number: Number) {
      guard let name = names.removeValue(forKey: number) else { return }
      files[name]?.progress[number] = nil
      guard let file = files[name], file.progress.isEmpty else { return }
      files[name] = nil
      bytes -= file.bytes
    }

    private mutating func add(
      _ name: String, bytes count: Int, now: Double, aborting stalled: [Number]
    ) -> Decision {
      lastNumber += 1
      names[lastNumber] = name
      if files[name] == nil {
        files[name] = File(bytes: count)
        bytes += count
      }
      files[name]?.progress[lastNumber] = now
      return .admitted(lastNumber, aborting: stalled)
    }

    /// Returns the responses to abort; `nil` if that would not make enough room.
    private func responsesToAbort(for name: String, _ excess: Int, now: Double) -> [Number]? {
      var excess = excess
      let others = files.filter { $0.key != name }.values
      if excess <= 0 || others.isEmpty { return [] }
      // A file is released only if none of its clients makes progress.
      let stalled =
        others
        .compactMap { file in file.progress.values.max().map { (file: file, since: $0) } }
        .filter { now - $0.since >= Self.patience }
        .sorted { $0.since < $1.since }
      var numbers: [Number] = []
      var count = 0
      for (file, _) in stalled where excess > 0 {
        numbers += file.progress.keys.sorted()
        excess -= file.bytes
        count += 1
      }
      return excess <= 0 || count == others.count ? numbers : nil
    }
  }
#endif
