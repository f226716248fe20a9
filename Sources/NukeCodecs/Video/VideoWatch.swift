#if Video
  import Foundation

  /// Stops the work on a video: when it is canceled, takes too long, or reads too many packets.
  final class VideoWatch {
    enum Reason {
      case cancelled, time, packets
    }

    /// The limits of opening a video, and of decoding one image of it.
    static let timeLimit: TimeInterval = 10
    static let packetLimit = 1000

    private let isCancelled: () -> Bool
    private let clock: () -> TimeInterval
    private var deadline: TimeInterval
    private var packetCount = 0
    private(set) var reason: Reason?

    /// - Parameter clock: returns a time in seconds that only increases.
    init(clock: @escaping () -> TimeInterval, isCancelled: @escaping () -> Bool = { false }) {
      self.clock = clock
      self.isCancelled = isCancelled
      deadline = clock() + Self.timeLimit
    }

    /// Starts the work on another image.
    func restart() {
      deadline = clock() + Self.timeLimit
      packetCount = 0
    }

    /// Starts another search for a frame, within the same time.
    func restartPackets() { packetCount = 0 }

    /// Counts a packet that is decoded.
    func countPacket() {
      packetCount += 1
      if packetCount > Self.packetLimit, reason == nil { reason = .packets }
    }

    /// `true` if the work must stop. Stays `true`.
    var isStopped: Bool {
      if reason == nil, isCancelled() { reason = .cancelled }
      if reason == nil, clock() > deadline { reason = .time }
      return reason != nil
    }

    /// The seconds since the machine was started.
    static let monotonic: @Sendable () -> TimeInterval = {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }
  }
#endif
