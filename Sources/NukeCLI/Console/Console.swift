import Foundation
import Nuke
import NukeTerminal

/// Standard output and standard error, written one line at a time from any thread, with progress bars below the lines.
///
/// If both are the same terminal, the bars are erased before a line is written, and drawn again below it.
final class Console: Sendable {
  private struct State {
    var bars: [String] = []
    /// `true` if images were drawn on standard output.
    var hasImages = false
    /// `true` after the terminal has been restored: another frame of an animation must not change it again.
    var isClosed = false
  }

  private let state = Lock(State())
  /// The descriptor for results.
  private let results: Int32

  /// - Parameter isOutputTaken: `true` if standard output is for the bytes of an image.
  init(isOutputTaken: Bool = false) {
    results = isOutputTaken ? STDERR_FILENO : STDOUT_FILENO
  }

  /// Writes a line to standard output, or to standard error if standard output is for an image.
  func print(_ line: String) {
    write(Data((line + "\n").utf8), to: results)
  }

  /// Writes the bytes of a drawn image to standard output.
  func draw(image: Data) {
    state.withLock { $0.hasImages = true }
    write(image, to: STDOUT_FILENO)
  }

  /// Writes a failure as one line to standard error.
  func printError(_ line: String) {
    write(Data("nuke: \(line.onOneLine)\n".utf8), to: STDERR_FILENO)
  }

  /// Asks on standard error, and returns `true` if the answer on standard input is yes.
  func ask(_ question: String) -> Bool {
    write(Data(question.utf8), to: STDERR_FILENO)
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Replaces the bars.
  func draw(bars: [String]) {
    state.withLock { state in
      guard !state.isClosed else { return }
      Self.emit(Self.erasing(state.bars) + Self.drawing(bars), to: STDERR_FILENO)
      state.bars = bars
    }
  }

  /// Restores the terminal before an interrupt ends the process: erases bars, and resets modes that images set. Nothing
  /// is written afterward.
  func restore() {
    TerminalQuery.restore()
    draw(bars: [])
    state.withLock { state in
      state.isClosed = true
      guard state.hasImages, isatty(STDOUT_FILENO) == 1 else { return }
      Self.emit(TerminalCanvas.restoration, to: STDOUT_FILENO)
    }
  }

  private func write(_ data: Data, to descriptor: Int32) {
    state.withLock { state in
      guard !state.isClosed else { return }
      guard !state.bars.isEmpty else { return Self.emit(data, to: descriptor) }
      Self.emit(Self.erasing(state.bars), to: STDERR_FILENO)
      Self.emit(data, to: descriptor)
      Self.emit(Self.drawing(state.bars), to: STDERR_FILENO)
    }
  }

  /// Moves to the first cell of the first bar and clears everything from there.
  private static func erasing(_ bars: [String]) -> String {
    switch bars.count {
    case 0: ""
    case 1: "\r\u{1B}[J"
    default: "\r\u{1B}[\(bars.count - 1)A\u{1B}[J"
    }
  }

  private static func drawing(_ bars: [String]) -> String { bars.joined(separator: "\n") }

  private static func emit(_ text: String, to descriptor: Int32) { emit(Data(text.utf8), to: descriptor) }

  /// Writes all data. Ends the program with the status 1 if that fails.
  static func emit(_ data: Data, to descriptor: Int32) {
    do throws(FileError) {
      try Descriptor.write(data, to: descriptor, named: "standard output")
    } catch {
      // The reader is gone, as in `nuke load … | head -1`, or the disk is full. Errors of standard error are not reported.
      TemporaryFiles.removeAll()
      if descriptor == STDOUT_FILENO, error.code != EPIPE {
        try? FileHandle.standardError.write(contentsOf: Data("nuke: \(error.description)\n".utf8))
      }
      // `exit` would tear down state that other threads still use.
      _exit(1)
    }
  }
}
