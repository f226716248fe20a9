import Dispatch
import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeTerminal

@MainActor @Suite(.timeLimit(.minutes(1))) struct TerminalImageViewTests {
  /// A view and the terminal it draws on.
  @MainActor private final class Stage {
    var terminal: FakeTerminal
    /// What was red in the upper left cell after each write.
    private(set) var reds: [Int?] = []
    var writes: Int { reds.count }
    private let queue = DispatchQueue(label: "nuke.terminal.tests")
    /// Thrown from the write with this number on.
    var failing: Int?
    private(set) var view: TerminalImageView!

    init(_ method: TerminalProtocol, clock: TerminalClock = FakeClock().clock()) {
      terminal = FakeTerminal()
      let canvas = TerminalCanvas(.doing(method, window: terminal.window), method: method, firstImageID: 1)
      view = TerminalImageView(canvas, clock: clock, queue: queue) { [weak self] data in
        // The last image may be rendered when a test is over.
        guard let self else { return }
        reds.append(nil)
        if let failing, writes >= failing { throw POSIXError(.EPIPE) }
        terminal.write(data)
        reds[writes - 1] = terminal.cells[0][0].background?.red
      }
    }

    /// Holds all that is rendered from now on until the gate is opened.
    func holdRendering() -> Gate {
      let gate = Gate()
      queue.async { gate.waitBlocking() }
      return gate
    }

    /// Displays a plain image, of 16 by 12 pixels unless said otherwise.
    func display(red: UInt8, _ phase: ImagePresentation.Phase = .success, width: Int = 16, height: Int = 12) {
      view.display(
        ImagePresentation(container: ImageContainer(image: .plain(width, height, red, 0, 0)), phase: phase))
    }
  }

  private let url = URL(string: "https://example.com/image.png")!

  private func gif(_ colors: [UInt8], delays: [TimeInterval], loopCount: Int = 1) throws -> Data {
    let frames = colors.map { Bitmap.plain(16, 12, $0, 0, 0) }
    return try GIFWriter().encode(#require(Animation(frames: frames, delays: delays, loopCount: loopCount)))
  }

  @Test("An image is loaded into it like into any view")
  func load() async throws {
    let stage = Stage(.kitty)
    let loader = FakeDataLoader()
    let gate = Gate()
    loader.answer(url, with: .data(SampleImage.png(width: 30, height: 20)).held(by: gate))
    var options = ImageLoadingOptions(placeholder: .plain(8, 8, 1, 2, 3))
    options.pipeline = .fake(loader: loader)
    var result: Result<ImageResponse, ImagePipeline.Error>?
    let ended = Gate()
    loadImage(with: url, options: options, into: stage.view) {
      result = $0
      ended.open()
    }
    await stage.view.waitUntilPlayed()
    #expect(stage.terminal.images.map(\.bitmap.pixelWidth) == [8], "the placeholder")
    gate.open()
    await ended.wait()
    #expect((try? result?.get()) != nil)
    await stage.view.waitUntilPlayed()
    let shown = try #require(stage.terminal.images.first)
    #expect(shown.bitmap.bytes == SampleImage.bitmap(width: 30, height: 20).bytes)
    #expect(stage.terminal.images.count == 1)
    #expect(stage.terminal.complaints == [])
    #expect(stage.view.image?.pixelWidth == 30)
  }

  @Test("Previews and the image replace each other, and nothing takes the image away")
  func phases() async {
    let stage = Stage(.blocks)
    for (phase, red) in [(ImagePresentation.Phase.preview, UInt8(50)), (.preview, 100), (.success, 150)] {
      stage.display(red: red, phase)
      await stage.view.waitUntilPlayed()
      #expect(stage.terminal.cells[0][0].background?.red == Int(red))
      #expect(stage.terminal.cursor == (0, 6))
    }
    stage.view.display(ImagePresentation(container: nil, phase: .placeholder))
    #expect(stage.terminal.cells.joined().allSatisfy { $0 == FakeTerminal.Cell() })
    #expect(stage.terminal.cursor == (0, 0))
    #expect(stage.view.image == nil)
    #expect(stage.terminal.complaints == [])
  }

  @Test("If images cannot be drawn, the size is written once, and no previews")
  func text() {
    let stage = Stage(.text)
    let container = ImageContainer(image: .plain(16, 12, 1, 2, 3))
    stage.view.display(ImagePresentation(container: container, phase: .preview))
    #expect(stage.writes == 0)
    stage.view.display(ImagePresentation(container: container, phase: .success))
    #expect(stage.terminal.line(0) == "16x12")
    stage.view.resize(to: TerminalWindow(columns: 10, rows: 5))
    stage.view.display(ImagePresentation(container: nil, phase: .placeholder))
    #expect(stage.writes == 1)
  }

  @Test("An animated image plays if enabled, with its delays, and its last frame stays")
  func moving() async throws {
    let clock = FakeClock()
    let stage = Stage(.kitty, clock: clock.clock())
    let data = try gif([10, 20, 30], delays: [0.1, 0.3, 0.2])
    let container = ImageContainer(image: .plain(16, 12, 10, 0, 0), type: .gif, data: data)
    stage.view.display(ImagePresentation(container: container, phase: .success))
    await stage.view.waitUntilPlayed()
    #expect(stage.writes == 1, "it stands still unless it is told to move")

    stage.view.isAnimating = true
    stage.view.display(ImagePresentation(container: container, phase: .success))
    await stage.view.waitUntilPlayed()
    #expect(stage.writes == 4)
    #expect(clock.waits == [0.1, 0.3])
    #expect(stage.terminal.images.count == 1)
    #expect(stage.terminal.images.first?.bitmap.bytes.first == 30)
    #expect(stage.terminal.complaints == [])
  }

  @Test("Another image ends the previous animation")
  func replaced() async throws {
    let (waiting, gate) = (Gate(), Gate())
    let stage = Stage(
      .blocks,
      clock: FakeClock().clock {
        waiting.open()
        await gate.wait()
      })
    stage.view.isAnimating = true
    let data = try gif([10, 20], delays: [0.1, 0.1], loopCount: 0)
    let container = ImageContainer(image: .plain(16, 12, 10, 0, 0), type: .gif, data: data)
    stage.view.display(ImagePresentation(container: container, phase: .success))
    await waiting.wait()
    stage.display(red: 200)
    await stage.view.waitUntilPlayed()
    let writes = stage.writes
    gate.open()
    await stage.view.waitUntilPlayed()
    // Whatever is still to be run on this actor has been by then.
    await Task { @MainActor in }.value
    #expect(stage.writes == writes)
    #expect(stage.terminal.cells[0][0].background?.red == 200)
  }

  @Test("A failing output ends drawing silently", arguments: [1, 2])
  func closed(failing: Int) async throws {
    let stage = Stage(.kitty)
    stage.failing = failing
    stage.view.isAnimating = true
    let data = try gif([10, 20, 30], delays: [0.1, 0.1, 0.1], loopCount: 0)
    let container = ImageContainer(image: .plain(16, 12, 10, 0, 0), type: .gif, data: data)
    stage.view.display(ImagePresentation(container: container, phase: .success))
    await stage.view.waitUntilPlayed()
    #expect(stage.writes == failing)
    stage.view.resize(to: TerminalWindow(columns: 10, rows: 5))
    stage.view.display(ImagePresentation(container: nil, phase: .placeholder))
    #expect(stage.writes == failing, "nothing is written behind the failure")
    let failure = try #require(stage.view.failure)
    guard case .outputFailed(let error) = failure else { throw failure }
    #expect((error as? POSIXError)?.code == .EPIPE)
  }

  @Test("A closed pipe is such an output")
  func pipe() async throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let view = TerminalImageView(capabilities: .doing(.blocks), fileHandle: pipe.fileHandleForWriting)
    view.display(ImagePresentation(container: ImageContainer(image: .plain(4, 4, 1, 2, 3)), phase: .success))
    await view.waitUntilPlayed()
    let failure = try #require(view.failure)
    guard case .outputFailed = failure else { throw failure }
  }

  @Test("A resized window draws the current image again, once for each size")
  func resize() async {
    let stage = Stage(.blocks)
    stage.view.resize(to: TerminalWindow(columns: 30, rows: 10))
    #expect(stage.writes == 0, "nothing is shown yet")
    stage.view.display(
      ImagePresentation(container: ImageContainer(image: .plain(200, 40, 0, 0, 250)), phase: .success))
    await stage.view.waitUntilPlayed()
    #expect(stage.terminal.cells[0][29].background?.blue == 250)
    #expect(stage.terminal.cells[0][30] == FakeTerminal.Cell())
    let smaller = TerminalWindow(columns: 12, rows: 6)
    stage.view.resize(to: smaller)
    stage.view.resize(to: smaller)
    await stage.view.waitUntilPlayed()
    #expect(stage.writes == 3, "the image, the cleared window, the image")
    #expect(stage.terminal.cells[0][11].background?.blue == 250)
    #expect(stage.terminal.cells[0][12] == FakeTerminal.Cell())
    #expect(stage.terminal.complaints == [])
  }

  @Test("Deinitializing a view ends its animation")
  func gone() async throws {
    let (waiting, gate) = (Gate(), Gate())
    var stage: Stage? = Stage(
      .blocks,
      clock: FakeClock().clock {
        waiting.open()
        await gate.wait()
      })
    weak let view: TerminalImageView? = stage?.view
    stage?.view.isAnimating = true
    let data = try gif([10, 20], delays: [0.1, 0.1], loopCount: 0)
    let container = ImageContainer(image: .plain(16, 12, 10, 0, 0), type: .gif, data: data)
    stage?.view.display(ImagePresentation(container: container, phase: .success))
    await waiting.wait()
    stage = nil
    #expect(view == nil)
    gate.open()
  }

  // MARK: Rendering on another thread

  @Test("The main actor is not blocked during encoding, and writes afterwards")
  func mainActorIsFree() async {
    let stage = Stage(.blocks)
    let gate = stage.holdRendering()
    stage.display(red: 50)
    #expect(stage.writes == 0)
    // Runs although the image is not encoded yet.
    await Task { @MainActor in stage.view.isAnimating = true }.value
    #expect(stage.writes == 0)
    gate.open()
    await stage.view.waitUntilPlayed()
    #expect(stage.reds == [50])
  }

  @Test("Of the previews that arrive during encoding, the latest is drawn next")
  func newestPreview() async {
    let stage = Stage(.blocks)
    let gate = stage.holdRendering()
    for red in [10, 20, 30, 40] as [UInt8] { stage.display(red: red, .preview) }
    gate.open()
    await stage.view.waitUntilPlayed()
    #expect(stage.reds == [10, 40])
    #expect(stage.terminal.complaints == [])
  }

  @Test(
    "An image that is being encoded is dropped when one of another phase replaces it",
    arguments: [
      (ImagePresentation.Phase.preview, ImagePresentation.Phase.success), (.placeholder, .preview),
      (.success, .preview), (.success, .success), (.success, .failure),
    ])
  func replacedWhileEncoded(old: ImagePresentation.Phase, new: ImagePresentation.Phase) async {
    let stage = Stage(.blocks)
    let gate = stage.holdRendering()
    stage.display(red: 10, old)
    stage.display(red: 20, new)
    gate.open()
    await stage.view.waitUntilPlayed()
    #expect(stage.reds == [20])
  }

  @Test("An image that is removed during encoding does not appear")
  func removedWhileEncoded() async {
    let stage = Stage(.blocks)
    stage.display(red: 10)
    await stage.view.waitUntilPlayed()
    let gate = stage.holdRendering()
    stage.display(red: 20)
    stage.view.display(ImagePresentation(container: nil, phase: .placeholder))
    #expect(stage.reds == [10, nil], "the image before it is removed at once")
    gate.open()
    await stage.view.waitUntilPlayed()
    #expect(stage.writes == 2)
    #expect(stage.terminal.cursor == (0, 0))
  }

  @Test("An image that was encoded before a release is not written after it")
  func releasedWhileEncoded() async {
    let stage = Stage(.blocks)
    let gate = stage.holdRendering()
    stage.display(red: 10)
    stage.view.release()
    gate.open()
    await stage.view.waitUntilPlayed()
    #expect(stage.writes == 0)
  }

  @Test("An image that is being encoded when the window is resized is drawn once, in the new size")
  func resizedWhileEncoded() async {
    let stage = Stage(.blocks)
    let gate = stage.holdRendering()
    stage.display(red: 70, width: 200, height: 40)
    stage.view.resize(to: TerminalWindow(columns: 12, rows: 6))
    gate.open()
    await stage.view.waitUntilPlayed()
    #expect(stage.reds == [70])
    #expect(stage.terminal.cells[0][11].background?.red == 70)
    #expect(stage.terminal.cells[0][12] == FakeTerminal.Cell())
  }

  @Test("A view can be deinitialized while its image is encoded")
  func goneWhileEncoded() async {
    var stage: Stage? = Stage(.blocks)
    weak let view: TerminalImageView? = stage?.view
    let gate = stage?.holdRendering()
    stage?.display(red: 10)
    stage = nil
    #expect(view == nil)
    gate?.open()
  }
}
