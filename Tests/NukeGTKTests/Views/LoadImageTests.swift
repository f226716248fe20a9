#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// Loads into an existing `GtkPicture`, in a window.
  final class LoadImageTests: XCTestCase {
    func testShowsThePlaceholderAndThenTheImage() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        let gate = Gate()
        let url = loads.answer("a", with: .green, heldBy: gate)
        var options = loads.options
        options.placeholder = plain(.gray, width: 4, height: 4)
        options.contentModes = .init(success: .fill, failure: .center, placeholder: .center)
        XCTAssertNotNil(loadImage(with: url, options: options, into: picture, completion: stage.ending.record))
        var drawn = try drawing(of: picture)
        XCTAssertTrue(drawn.middle.isNear(Pixel(128, 128, 128)), "\(drawn.middle)")
        XCTAssertEqual(drawn.bounds?.size, CGSize(width: 4, height: 4))
        gate.open()
        runLoop { !stage.ending.results.isEmpty }
        drawn = try drawing(of: picture)
        XCTAssertEqual(drawn.bounds?.size, CGSize(width: drawn.width, height: drawn.height))
        XCTAssertEqual(drawn.middle, Pixel(0, 255, 0))
      }
    }

    func testAnImageInMemoryIsShownBeforeTheCallReturns() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        let url = Loads.url("a")
        loads.pipeline.cache[url] = ImageContainer(image: plain(.blue, width: 5, height: 5))
        XCTAssertNil(loadImage(with: url, options: loads.options, into: picture, completion: stage.ending.record))
        XCTAssertEqual(stage.ending.results.count, 1)
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 0, 255))
        XCTAssertTrue(loads.loader.requests.isEmpty)
      }
    }

    func testShowsTheFailureImage() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        var options = loads.options
        options.failureImage = plain(.red, width: 6, height: 6)
        options.contentModes = .init(success: .fill, failure: .center, placeholder: .fill)
        loadImage(with: Loads.url("missing"), options: options, into: picture, completion: stage.ending.record)
        runLoop { stage.ending.hasFailed }
        let drawn = try drawing(of: picture)
        XCTAssertEqual(drawn.middle, Pixel(255, 0, 0))
        XCTAssertEqual(drawn.bounds?.size, CGSize(width: 6, height: 6))
      }
    }

    func testARequestForNothingClearsTheWidget() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        var options = loads.options
        options.placeholder = plain(.gray, width: 4, height: 4)
        let url = Loads.url("a")
        loads.pipeline.cache[url] = ImageContainer(image: plain(.blue, width: 5, height: 5))
        loadImage(with: url, options: options, into: picture)
        loadImage(with: nil as URL?, options: options, into: picture, completion: stage.ending.record)
        XCTAssertTrue(stage.ending.hasFailed)
        XCTAssertNil(try drawing(of: picture).bounds)

        loadImage(with: url, options: options, into: picture)
        options.isPrepareForReuseEnabled = false
        loadImage(with: nil as URL?, options: options, into: picture)
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 0, 255))
      }
    }

    func testFadesFromWhatWasShown() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        var options = loads.options
        options.transition = .fadeIn(duration: 0.05)
        loadImage(
          with: loads.answer("a", with: .green), options: options, into: picture, completion: stage.ending.record)
        runLoop { stage.ending.image != nil }
        let binding = PictureBinding.of(picture)
        XCTAssertTrue(binding.paintable.isFading)
        runLoop { !binding.paintable.isFading }
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 255, 0))
      }
    }

    func testANewLoadSilencesTheOneBefore() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        let gate = Gate()
        let (first, second) = (Ending(), Ending())
        let slow = loads.answer("slow", with: .red, heldBy: gate)
        let fast = loads.answer("fast", with: .green)
        loadImage(with: slow, options: loads.options, into: picture, completion: first.record)
        runLoop { loads.loader.requests.count == 1 }
        loadImage(with: fast, options: loads.options, into: picture, completion: second.record)
        runLoop { second.image != nil && loads.loader.cancelledRequests.count == 1 }
        gate.open()
        runLoopUntilIdle()
        XCTAssertTrue(first.results.isEmpty)
        XCTAssertEqual(loads.loader.cancelledRequests.first?.url, slow)
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 255, 0))
      }
    }

    func testCancellingLeavesTheWidgetAsItIs() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        let gate = Gate()
        var options = loads.options
        options.placeholder = plain(.blue, width: 4, height: 4)
        loadImage(with: loads.answer("a", with: .red, heldBy: gate), options: options, into: picture)
        runLoop { loads.loader.requests.count == 1 }
        cancelRequest(for: picture)
        runLoop { loads.loader.cancelledRequests.count == 1 }
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 0, 255))
        gate.open()
      }
    }

    func testADestroyedWidgetCancelsItsLoad() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        let before = PictureBinding.count
        let gate = Gate()
        loadImage(
          with: loads.answer("a", with: .red, heldBy: gate), options: loads.options, into: picture,
          completion: stage.ending.record)
        XCTAssertEqual(PictureBinding.count, before + 1)
        runLoop { loads.loader.requests.count == 1 }
        stage.window.close()
        runLoop { loads.loader.cancelledRequests.count == 1 }
        XCTAssertEqual(PictureBinding.count, before)
        gate.open()
        runLoopUntilIdle()
        XCTAssertTrue(stage.ending.results.isEmpty)
      }
    }

    func testAWidgetThatIsTakenAwayLoadsAgainWhenItIsBack() throws {
      try MainActor.assumeIsolated {
        let stage = try Stage()
        let (picture, loads) = (stage.picture, stage.loads)
        g_object_ref(picture)
        defer { g_object_unref(picture) }
        let gate = Gate()
        loadImage(
          with: loads.answer("a", with: .green, heldBy: gate), options: loads.options, into: picture,
          completion: stage.ending.record)
        runLoop { loads.loader.requests.count == 1 }
        stage.window.show(nil)
        runLoop { loads.loader.cancelledRequests.count == 1 }
        gate.open()
        runLoopUntilIdle()
        XCTAssertTrue(stage.ending.results.isEmpty)
        stage.window.show(picture)
        runLoop { stage.ending.image != nil }
        XCTAssertEqual(loads.loader.requests.count, 2)
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 255, 0))
      }
    }

    func testALoadMayBeginBeforeTheWindowIsShown() throws {
      try MainActor.assumeIsolated {
        let window = try TestWindow()
        let picture = try XCTUnwrap(gtk_picture_new())
        let loads = Loads()
        let ending = Ending()
        loadImage(
          with: loads.answer("a", with: .green), options: loads.options, into: picture, completion: ending.record)
        runLoop { ending.image != nil }
        window.show(picture)
        XCTAssertEqual(loads.loader.requests.count, 1)
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 255, 0))
      }
    }

    func testPreviewsAreShownBeforeTheImage() throws {
      try MainActor.assumeIsolated {
        let loads = Loads.withPreviews()
        let stage = try Stage(loads)
        let picture = stage.picture
        let gate = Gate()
        let url = loads.answerInHalves("a", heldBy: gate)
        var previews = 0
        loadImage(
          with: url, options: loads.options, into: picture,
          progress: { response, _, _ in if response != nil { previews += 1 } }, completion: stage.ending.record)
        runLoop { previews > 0 }
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(255, 0, 0))
        gate.open()
        runLoop { stage.ending.image != nil }
        XCTAssertEqual(try drawing(of: picture).middle, Pixel(0, 255, 0))
      }
    }
  }
#endif
