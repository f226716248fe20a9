#if Server
  public import Logging
  public import Foundation

  /// A log handler that writes one line for each entry, as text or JSON.
  ///
  /// Line terminators in values are escaped, so that a URL cannot forge a log entry.
  public struct ServerLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let format: ImageServer.Configuration.LogFormat
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: the name of the logger.
    ///   - format: the form of a line.
    ///   - level: the lowest level that is written.
    ///   - now: returns the current time.
    ///   - write: receives a line with its terminator, on the thread that logs.
    public init(
      label: String, format: ImageServer.Configuration.LogFormat, level: Logger.Level = .info,
      now: @escaping @Sendable () -> Date = { Date() }, write: @escaping @Sendable (String) -> Void = Self.standardError
    ) {
      self.label = label
      self.format = format
      logLevel = level
      self.now = now
      self.write = write
    }

    /// Writes a line to standard error in one call. A line that cannot be written, as on a full disk, is lost.
    public static let standardError: @Sendable (String) -> Void = { line in
      var line = line
      line.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while let start = rest.baseAddress, !rest.isEmpty {
          let count = Foundation.write(STDERR_FILENO, start, rest.count)
          if count > 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          } else if count == 0 || errno != EINTR {
            return
          }
        }
      }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
      // Begins with those of the event, which has the most, so that few are copied.
      var fields = event.metadata ?? [:]
      if let provided = metadataProvider?.get() { fields.merge(provided) { own, _ in own } }
      fields.merge(metadata) { own, _ in own }
      let line = LogLine(
        date: now(), level: event.level, label: label, message: event.message.description,
        fields: fields.map { ($0.key, LogLine.Field($0.value)) }.sorted { $0.0 < $1.0 })
      write(format == .json ? line.json : line.text)
    }
  }
#endif
