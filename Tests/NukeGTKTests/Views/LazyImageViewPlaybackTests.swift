#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// Animated images and videos.
  final class LazyImageViewPlaybackTests: XCTestCase {
    func testAnAnimatedImagePlaysWhileItIsSeen() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        view.url = try loads.answerAnimation(delay: 0.03)
        runLoop { ending.image != nil }
        var seen: [Pixel] = []
        runLoop {
          if let pixel = try? drawing(of: view.picture).middle, pixel != seen.last { seen.append(pixel) }
          return seen.count == 4
        }
        let (red, blue) = (Pixel(255, 0, 0), Pixel(0, 0, 255))
        XCTAssertTrue(seen == [red, blue, red, blue] || seen == [blue, red, blue, red], "\(seen)")
        XCTAssertEqual(view.binding.playback?.isPlaying, true)
        window.show(nil)
        XCTAssertNil(view.binding.playback.flatMap { $0.isPlaying ? $0 : nil })
        window.show(view.widget)
        XCTAssertEqual(view.binding.playback?.isPlaying, true)
        view.isAnimationPlaybackEnabled = false
        XCTAssertEqual(view.binding.playback?.isPlaying, false)
      }
    }

    func testAnAnimationPlaysAsOftenAsItSays() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        view.url = try loads.answerAnimation(delay: 0.02, loopCount: 2)
        runLoop { ending.image != nil }
        runLoop { view.binding.playback?.isPlaying == false }
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(0, 0, 255))
      }
    }

    func testAShortVideoPlays() throws {
      try XCTSkipUnless(ImageFormat.mp4.isReadable)
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        // The upper left quadrant has a gray of 20 times the number of the frame, at 10 frames per second.
        let clip = URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "../../NukeCodecsTests/Fixtures/Video/h264.mp4")
        loads.loader.answer(Loads.url("clip.mp4"), with: .data(try Data(contentsOf: clip)))
        view.url = Loads.url("clip.mp4")
        runLoop { ending.image != nil }
        var shown: Set<Int> = []
        runLoop {
          if let drawing = try? drawing(of: view.picture) {
            shown.insert((Int(drawing[drawing.width * 3 / 8, drawing.height * 3 / 8].red) + 10) / 20)
          }
          return shown.count >= 4
        }
        XCTAssertTrue(shown.isSubset(of: Set(0..<12)), "\(shown)")
        XCTAssertEqual(view.binding.playback?.isPlaying, true)
      }
    }

    func testAnotherImageEndsAnAnimation() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let (loads, view, ending) = makeLazyImageView(in: window)
        view.url = try loads.answerAnimation(delay: 0.02)
        runLoop { ending.results.count == 1 }
        weak let playback = view.binding.playback
        XCTAssertNotNil(playback)
        view.url = loads.answer("still", with: .green)
        XCTAssertNil(playback)
        runLoop { ending.results.count == 2 }
        XCTAssertEqual(try drawing(of: view.picture).middle, Pixel(0, 255, 0))
      }
    }
  }

  extension Loads {
    /// Answers requests for an animated image that alternates between red and blue.
    ///
    /// - Returns: its URL.
    fileprivate func answerAnimation(delay: TimeInterval, loopCount: Int = 0) throws -> URL {
      let frames = [plain(.red, width: 8, height: 8), plain(.blue, width: 8, height: 8)]
      let animation = try XCTUnwrap(Animation(frames: frames, delays: [delay, delay], loopCount: loopCount))
      let url = Self.url("moving.gif")
      loader.answer(url, with: .data(try GIFWriter().encode(animation)))
      return url
    }
  }
#endif
