#if Server
  import NIOCore
  import Testing

  @testable import NukeServer

  @Suite("Connection deadlines") struct ConnectionWatchTests {
    private static let limits = ConnectionLimits.strict

    private func moment(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test(
      "The deadline for a head starts with the connection, that for a body with the head, and none applies while the server works"
    )
    func reading() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      #expect(watch.deadline == moment(30))
      watch.receivedHead(now: moment(5))
      #expect(watch.deadline == moment(15))
      watch.receivedEnd()
      #expect(watch.deadline == nil)
      watch.answered(now: moment(100))
      #expect(watch.deadline == moment(130))
    }

    @Test("The deadline for the next head does not apply while another request is being answered")
    func pipelined() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      for second in 1...2 {
        watch.receivedHead(now: moment(Int64(second)))
        watch.receivedEnd()
      }
      watch.answered(now: moment(3))
      #expect(watch.openRequests == 1)
      #expect(watch.deadline == nil)
      watch.answered(now: moment(4))
      #expect(watch.deadline == moment(34))
    }

    @Test("The deadline for a body also applies after the response")
    func lateBody() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      watch.answered(now: moment(5))
      #expect(watch.deadline == moment(10))
    }

    @Test("The deadline for a client that receives chunks starts with the last chunk")
    func writing() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      watch.receivedEnd()
      watch.beganWriting(now: moment(1))
      watch.beganWriting(now: moment(2))
      #expect(watch.deadline == moment(21))
      watch.endedWriting(1 << 20, now: moment(15))
      #expect(watch.deadline == moment(35))
      watch.endedWriting(1, now: moment(16))
      #expect(watch.deadline == nil)
    }

    @Test("A client that receives all chunks in time must also reach the minimum rate")
    func rate() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      watch.receivedEnd()
      watch.beganWriting(now: moment(10))
      watch.endedWriting(500, now: moment(25))
      watch.beganWriting(now: moment(25))
      // The first 20 seconds, and 5 for 500 bytes at 100 a second.
      #expect(watch.deadline == moment(35))
      watch.endedWriting(2000, now: moment(34))
      watch.beganWriting(now: moment(34))
      #expect(watch.deadline == moment(54))
      // What it takes of an answer counts for all of it.
      watch.endedWriting(0, now: moment(53))
      watch.beganWriting(now: moment(53))
      #expect(watch.deadline == moment(55))
      watch.answered(now: moment(53))
      watch.endedWriting(0, now: moment(54))
      // The next answer is one by itself.
      watch.receivedHead(now: moment(100))
      watch.receivedEnd()
      watch.beganWriting(now: moment(100))
      #expect(watch.deadline == moment(120))
    }

    @Test("The minimum rate applies to consecutive responses together")
    func rateOfSeveral() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      for _ in 1...2 {
        watch.receivedHead(now: moment(0))
        watch.receivedEnd()
      }
      watch.beganWriting(now: moment(0))
      watch.answered(now: moment(0))
      watch.beganWriting(now: moment(0))
      watch.answered(now: moment(0))
      watch.endedWriting(100, now: moment(19))
      #expect(watch.deadline == moment(21))
    }

    @Test("The size of a body is limited")
    func bodies() {
      var watch = ConnectionWatch(Self.limits, now: moment(0))
      watch.receivedHead(now: moment(0))
      let (within, beyond) = (watch.receivedBody(100), watch.receivedBody(1))
      #expect(within && !beyond)
      watch.receivedEnd()
      watch.receivedHead(now: moment(1))
      let next = watch.receivedBody(100)
      #expect(next)
    }
  }
#endif
