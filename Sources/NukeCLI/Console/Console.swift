import Foundation
import Nuke
import NukeTerminal

/// Standard output and standard error, written a whole line at a time from any thread, and the bars drawn below them.
///
/// Where both are the same terminal, the bars are taken back before a line is written and drawn again under it.
final class Console: Sendable {
  private struct State {
    /// The bars on the screen now.
    var bars: [String] = []
    /// `true` if images were drawn on standard output.
    var hasImages = false
  }

  private let state = Lock(State())

  /// A result: one line on standard output.
  func print(_ line: String) {
    write(Data((line + "\n").utf8), to: STDOUT_FILENO)
  }

  /// An image: bytes for standard output.
  func draw(image: Data) {
    state.withLock { $0.hasImages = true }
    write(image, to: STDOUT_FILENO)
  }

  /// A failure: one line on standard error.
  func printError(_ line: String) {
    write(Data("nuke: \(line.onOneLine)\n".utf8), to: STDERR_FILENO)
  }

  /// Asks on standard error, and waits for the answer on standard input.
  ///
  /// - Returns: `true` if it was yes.
  func ask(_ question: String) -> Bool {
    write(Data(question.utf8), to: STDERR_FILENO)
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Puts these lines in place of the bars that are there.
  func draw(bars: [String]) {
    state.withLock { state in
      Self.emit(Self.erasing(state.bars) + Self.drawing(bars), to: STDERR_FILENO)
      state.bars = bars
    }
  }

  /// Gives the terminal back as it was, before the process ends in the middle of something: bars are taken away, and
  /// what an image or a question has changed is changed back.
  func restore() {
    TerminalQuery.restore()
    draw(bars: [])
    state.withLock { state in
      guard state.hasImages, isatty(STDOUT_FILENO) == 1 else { return }
      Self.emit(TerminalCanvas.restoration, to: STDOUT_FILENO)
    }
  }

  private func write(_ data: Data, to descriptor: Int32) {
    state.withLock { state in
      guard !state.bars.isEmpty else { return Self.emit(data, to: descriptor) }
      Self.emit(Self.erasing(state.bars), to: STDERR_FILENO)
      Self.emit(data, to: descriptor)
      Self.emit(Self.drawing(state.bars), to: STDERR_FILENO)
    }
  }

  /// Back to the first cell of the first bar, and everything from there cleared.
  private static func erasing(_ bars: [String]) -> String {
    switch bars.count {
    case 0: ""
    case 1: "\r\u{1B}[J"
    default: "\r\u{1B}[\(bars.count - 1)A\u{1B}[J"
    }
  }

  private static func drawing(_ bars: [String]) -> String { bars.joined(separator: "\n") }

  private static func emit(_ text: String, to descriptor: Int32) { emit(Data(text.utf8), to: descriptor) }

  private static func emit(_ data: Data, to descriptor: Int32) {
    do throws(FileError) {
      try FileDescriptorWriter.write(data, to: descriptor, named: "standard output")
    } catch {
      // Nobody reads any more, as in `nuke load … | head -1`. Standard error has no other place to complain to.
      TemporaryFiles.removeAll()
      if descriptor == STDOUT_FILENO, error.code != EPIPE {
        FileHandle.standardError.write(Data("nuke: \(error.description)\n".utf8))
      }
      // Other threads are at work: what `exit` would tear down is theirs.
      _exit(1)
    }
  }
}
