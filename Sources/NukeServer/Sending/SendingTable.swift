#if Server
  /// The responses being sent, with the bytes they hold. It is a value; times are passed in, in seconds.
  ///
  /// A file that goes to several clients is held once. Where there is no room for one more, clients that have not taken
  /// anything for a while make room, the longest ones first; those that go on taking are left alone.
  struct SendingTable {
    typealias Number = Int

    enum Answer: Equatable {
      /// The answer may be sent; its number, and those that are to be given up for it.
      case admitted(Number, givingUp: [Number])
      case full
    }

    private struct File {
      let bytes: Int
      /// The times at which clients last received something, by response.
      var progress: [Number: Double] = [:]
    }

    /// Bytes at a time. One file may be larger.
    let limit: Int
    /// Bytes of these that files leave for what nobody else is sent: few clients may take their time with long answers, and
    /// all the others are to have their short ones.
    let keptForCopies: Int
    /// Seconds without anything taken, after which an answer may be given up for another.
    static let patience = 2.0

    private(set) var bytes = 0
    private var files: [String: File] = [:]
    private var names: [Number: String] = [:]
    private var lastNumber = 0

    init(limit: Int, keptForCopies: Int = 0) {
      self.limit = limit
      self.keptForCopies = keptForCopies
    }

    var count: Int { names.count }

    /// Asks for room for a file.
    ///
    /// - Parameter name: the same for the same bytes; `nil` for bytes that nobody else is sent.
    mutating func admit(_ name: String?, bytes count: Int, now: Double) -> Answer {
      let limit = name == nil ? limit : limit - keptForCopies
      let name = name ?? nameOfNext
      let ofOthers = bytes - (files[name]?.bytes ?? 0)
      // One that is there already costs nothing more.
      let excess = ofOthers - limit + (files[name] == nil ? count : 0)
      guard let stalled = answersToGiveUp(for: name, excess, now: now) else { return .full }
      for number in stalled { end(number) }
      return add(name, bytes: count, now: now, givingUp: stalled)
    }

    /// Counts bytes that are held in any case.
    mutating func add(bytes count: Int, now: Double) -> Number {
      _ = add(nameOfNext, bytes: count, now: now, givingUp: [])
      return lastNumber
    }

    /// One that nobody else has: entity tags have quotation marks.
    private var nameOfNext: String { "\(lastNumber + 1)" }

    mutating func progressed(_ number: Number, now: Double) {
      guard let name = names[number] else { return }
      files[name]?.progress[number] = now
    }

    /// Without effect for one that has ended, or was given up.
    mutating func end(_ number: Number) {
      guard let name = names.removeValue(forKey: number) else { return }
      files[name]?.progress[number] = nil
      guard let file = files[name], file.progress.isEmpty else { return }
      files[name] = nil
      bytes -= file.bytes
    }

    private mutating func add(
      _ name: String, bytes count: Int, now: Double, givingUp stalled: [Number]
    ) -> Answer {
      lastNumber += 1
      names[lastNumber] = name
      if files[name] == nil {
        files[name] = File(bytes: count)
        bytes += count
      }
      files[name]?.progress[lastNumber] = now
      return .admitted(lastNumber, givingUp: stalled)
    }

    /// `nil` if there would be no room even without them.
    private func answersToGiveUp(for name: String, _ excess: Int, now: Double) -> [Number]? {
      var excess = excess
      let others = files.filter { $0.key != name }.values
      if excess <= 0 || others.isEmpty { return [] }
      // A file makes room only when none of its clients goes on.
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
