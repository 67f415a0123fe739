import Foundation
import Testing

@testable import QuiescenceTesting

@Suite struct TimeoutMeterTests {
  private let machine = Machine()

  @Test(arguments: [(20, 4), (60, 12), (5, 1), (2, 1), (0.5, 0.5)])
  func `after a wait in vain a fifth is left, and no less than a second`(
    bound: Double, left: Double
  ) {
    #expect(TestTimeout.left(of: bound) == left)
  }

  @Test func `what sleeps is waited for as long as the clock says`() {
    let meter = machine.meter(seconds: 2)
    #expect(machine.pass(1.9, until: meter) == nil)
    #expect(machine.pass(0.2, until: meter) != nil)
  }

  @Test func `what runs is waited for as long as it runs`() {
    machine.cores = 1
    let meter = machine.meter(seconds: 2)
    #expect(machine.pass(1.9, until: meter) == nil)
    #expect(machine.pass(0.2, until: meter) != nil)
  }

  @Test func `what gets a tenth of a core is waited for ten times as long`() throws {
    machine.cores = 0.1
    let meter = machine.meter(seconds: 3)
    let end = try #require(machine.pass(60, until: meter))
    #expect((29...31).contains(end))
  }

  @Test func `several threads at once don't make the clock go faster`() {
    machine.cores = 8
    let meter = machine.meter(seconds: 2)
    #expect(machine.pass(1.9, until: meter) == nil)
    #expect(machine.pass(0.2, until: meter) != nil)
  }

  @Test(arguments: [(1, 60), (20, 200)]) func `what gets no core at all is given up in the end`(
    seconds: Double, end: Double
  ) throws {
    machine.cores = 0
    let meter = machine.meter(seconds: seconds)
    #expect(abs(try #require(machine.pass(300, until: meter)) - end) < 0.1)
  }

  @Test func `a look that comes late says little`() {
    let meter = machine.meter(seconds: 2)
    #expect(machine.pass(0.1, until: meter) == nil)
    // All threads sleep before and after; what was in between isn't known.
    machine.now += 10
    #expect(machine.pass(0.1, until: meter) == nil)
  }

  @Test func `what works and sleeps by turns is waited for while it sleeps`() throws {
    machine.sleepsBetween = true
    let meter = machine.meter(seconds: 2)
    let end = try #require(machine.pass(60, until: meter))
    #expect((2...6).contains(end))
  }

  @Test func `where threads can't be seen the clock decides`() {
    machine.isObservable = false
    let meter = machine.meter(seconds: 2)
    #expect(machine.pass(1.9, until: meter) == nil)
    #expect(machine.pass(0.2, until: meter) != nil)
  }

  @Test func `this process is seen as it is`() throws {
    let before = TimeoutMeter.Sample.now
    try mustReturn("work") {
      let end = clockSeconds(CLOCK_THREAD_CPUTIME_ID) + 0.05
      while clockSeconds(CLOCK_THREAD_CPUTIME_ID) < end {}
    }
    let after = TimeoutMeter.Sample.now
    #expect(after.used - before.used >= 0.05)
    #expect(after.clock - before.clock >= 0.05)
  }
}

// MARK: - Fixtures

/// A machine on which time passes when a test says so.
private final class Machine {
  var now = 1_000.0
  /// How many cores the process gets and would use; nil where all its threads sleep.
  var cores: Double?
  /// Whether a thread works at every fourth look, for a moment.
  var sleepsBetween = false
  var isObservable = true
  private var used = 50.0
  private var looks = 0

  func meter(seconds: Double) -> TimeoutMeter {
    TimeoutMeter(seconds: seconds, clock: { self.now }, sample: sample)
  }

  /// Lets time pass; returns after how many seconds the timeout was used up, if it was.
  func pass(_ seconds: Double, until meter: TimeoutMeter) -> Double? {
    let start = now
    while now < start + seconds {
      if meter.isUsedUp { return now - start }
      now += 0.01
      used += 0.01 * (cores ?? 0)
    }
    return nil
  }

  private func sample() -> TimeoutMeter.Sample {
    looks += 1
    let isAwake = cores != nil || (sleepsBetween && looks % 4 == 0)
    return TimeoutMeter.Sample(clock: now, used: used, allAsleep: isObservable ? !isAwake : nil)
  }
}
