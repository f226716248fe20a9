#if GTK
  import NukeGTK
  import Testing

  @testable import NukeGallery

  @Suite @MainActor struct SlideShowTests {
    /// Timers that the test fires.
    @MainActor private final class Clock {
      final class Entry {
        let seconds: Double
        let body: @MainActor () -> Void
        init(_ seconds: Double, _ body: @escaping @MainActor () -> Void) { (self.seconds, self.body) = (seconds, body) }
      }
      weak var entry: Entry?

      func fire() { entry?.body() }
    }

    private let clock = Clock()

    private func slideShow(_ interval: Double = 4) -> SlideShow {
      SlideShow(interval: interval) { [clock] seconds, body in
        let entry = Clock.Entry(seconds, body)
        clock.entry = entry
        return entry
      }
    }

    @Test("The time of a photo begins when it is loaded")
    func loading() {
      let show = slideShow(2.5)
      var advances = 0
      show.onAdvance = {
        advances += 1
        show.photoWillLoad()
      }
      show.photoWillLoad()
      show.start()
      #expect(clock.entry == nil)
      show.photoDidLoad()
      #expect(clock.entry?.seconds == 2.5)
      clock.fire()
      #expect(advances == 1 && clock.entry == nil)
      show.photoDidLoad()
      clock.fire()
      #expect(advances == 2)
    }

    @Test("A slide show that starts at a loaded photo shows it for the whole time")
    func loaded() {
      let show = slideShow()
      show.photoDidLoad()
      #expect(clock.entry == nil)
      show.start()
      #expect(clock.entry?.seconds == 4)
    }

    @Test("A pause lasts until it ends, also if another photo is shown")
    func pause() {
      let show = slideShow()
      show.photoDidLoad()
      show.start()
      show.togglePause()
      #expect(show.isPaused && show.isRunning && clock.entry == nil)
      show.photoWillLoad()
      show.photoDidLoad()
      #expect(clock.entry == nil)
      show.togglePause()
      #expect(clock.entry != nil)
      // Another slide show does not begin with the pause of this one.
      show.togglePause()
      show.stop()
      show.start()
      #expect(!show.isPaused && clock.entry != nil)
    }

    @Test("Nothing advances after the end, and after the object is released")
    func end() {
      var show: SlideShow? = slideShow()
      show?.photoDidLoad()
      show?.start()
      show?.stop()
      #expect(show?.isRunning == false && clock.entry == nil)
      show?.photoDidLoad()
      #expect(clock.entry == nil)
      show?.start()
      show = nil
      #expect(clock.entry == nil)
    }

    @Test("Arrows and modifiers keep their effect, space pauses, and other keys end the slide show")
    func keys() {
      for key in [GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_KP_Right, GDK_KEY_Shift_L, GDK_KEY_Alt_L] {
        #expect(SlideShow.Key(UInt32(key)) == .step)
      }
      for key in [GDK_KEY_space, GDK_KEY_KP_Space] { #expect(SlideShow.Key(UInt32(key)) == .pause) }
      for key in [GDK_KEY_Escape, GDK_KEY_F5, GDK_KEY_a, GDK_KEY_Return, GDK_KEY_F11] {
        #expect(SlideShow.Key(UInt32(key)) == .other)
      }
    }
  }
#endif
