package import Foundation

/// Renders a ``ProgressState`` as lines of a terminal: one for each running download and one for the run.
package struct ProgressRenderer: Sendable {
  /// The maximum number of cells of a line. A wrapped line could not be erased.
  package var width: Int
  /// The maximum number of downloads that are displayed on separate lines.
  private static let maximumDownloadCount = 8

  package init(width: Int) { self.width = width }

  package func lines(_ state: ProgressState, at now: TimeInterval) -> [String] {
    var lines = state.downloads.prefix(Self.maximumDownloadCount).map { line(for: $0, at: now) }
    let hidden = state.downloads.count - lines.count
    if hidden > 0 { lines.append("and \(hidden) more".shortened(to: width)) }
    lines.append(summary(of: state, at: now))
    return lines
  }

  private func line(for download: ProgressState.Download, at now: TimeInterval) -> String {
    let figures =
      download.total > 0
      ? Format.bytes(download.completed) + " of " + Format.bytes(download.total) : bytes(download.completed)
    return line(
      name: download.name, fraction: download.fraction, figures: figures, rate: download.meter.rate(at: now),
      secondsLeft: download.secondsLeft(at: now))
  }

  private func summary(of state: ProgressState, at now: TimeInterval) -> String {
    var name = "\(state.finishedCount) of \(state.count)"
    if state.failedCount > 0 { name += ", \(state.failedCount) failed" }
    return line(
      name: name, fraction: state.fraction, figures: bytes(state.bytes), rate: state.rate(at: now),
      secondsLeft: state.secondsLeft(at: now))
  }

  /// The number of bytes; empty if there are none yet, as for local files, whose bytes are counted at their end.
  private func bytes(_ count: Int64) -> String { count > 0 ? Format.bytes(count) : "" }

  private func line(
    name: String, fraction: Double?, figures: String, rate: Double?, secondsLeft: TimeInterval?
  ) -> String {
    let columns = [
      figures.leftPadded(to: 18),
      (rate.map { Format.bytes(Int64($0)) + "/s" } ?? "").leftPadded(to: 10),
      (secondsLeft.map { Format.countdown($0) + " left" } ?? "").leftPadded(to: 11),
    ]
    // On a narrow terminal, columns are omitted from the right.
    for count in stride(from: columns.count, through: 0, by: -1) {
      let figures = columns.prefix(count).map { " " + $0 }.joined()
      let room = width - figures.cellWidth
      guard room >= 26 else { continue }
      let barWidth = min(30, room / 2 - 3)
      let nameWidth = min(40, room - barWidth - 3)
      return name.fitted(to: nameWidth) + " " + bar(fraction, width: barWidth) + figures
    }
    return name.shortened(to: width)
  }

  /// Such as `[=====>    ]`, with `width` cells between the brackets; empty if the fraction is unknown.
  private func bar(_ fraction: Double?, width: Int) -> String {
    guard let fraction else { return "[" + String(repeating: " ", count: width) + "]" }
    let filled = Int((Double(width) * min(max(fraction, 0), 1)).rounded(.down))
    guard filled < width else { return "[" + String(repeating: "=", count: width) + "]" }
    let head = filled == 0 ? "" : String(repeating: "=", count: filled - 1) + ">"
    return "[" + head + String(repeating: " ", count: width - filled) + "]"
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - cellWidth)) + self
  }
}
