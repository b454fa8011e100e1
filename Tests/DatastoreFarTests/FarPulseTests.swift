import DatastoreCore
import Testing

@testable import DatastoreFar

/// What counts as a sign of life, half second by half second.
@Suite("The pulse of a line") struct FarPulseTests {
  private let written = Lock(0)
  private let told = Lock<[Bool]>([])
  private let pulse: FarPulse

  init() {
    pulse = FarPulse(written: written)
    pulse.onChange { [told] isAnswering in told.withLock { $0.append(isAnswering) } }
  }

  @Test(
    "A line is asked after the first half second, stalls with the second and ends with the 60th")
  func silence() throws {
    #expect(try pulse.waited(isAwaited: true, isWriting: false))
    #expect(told.withLock { $0 } == [])
    for _ in 2..<60 { #expect(try !pulse.waited(isAwaited: true, isWriting: false)) }
    #expect(told.withLock { $0 } == [false])
    #expect(pulse.endsWaitingOnMain)
    #expect(throws: FarLineFault.self) { try pulse.waited(isAwaited: true, isWriting: false) }
    pulse.heard()
    #expect(told.withLock { $0 } == [false, true])
    #expect(!pulse.endsWaitingOnMain)
  }

  // Promise: a message takes long on a slow line → the line is not given up while the message moves
  @Test("A long message that moves is a sign of life, and one that does not move is none")
  func longMessage() throws {
    for _ in 0..<100 {
      written.withLock { $0 += 1 << 14 }
      #expect(try !pulse.waited(isAwaited: true, isWriting: true))
    }
    #expect(told.withLock { $0 } == [])
    for _ in 0..<2 { _ = try pulse.waited(isAwaited: true, isWriting: true) }
    #expect(told.withLock { $0 } == [false])
  }

  @Test("A short message only fills the buffer of a line that is silent")
  func shortMessages() throws {
    for _ in 0..<3 {
      written.withLock { $0 += 200 }
      _ = try pulse.waited(isAwaited: true, isWriting: false)
    }
    #expect(told.withLock { $0 } == [false])
  }

  @Test("Nobody waits, and nothing is silent")
  func idle() throws {
    for _ in 0..<100 { #expect(try !pulse.waited(isAwaited: false, isWriting: false)) }
    #expect(told.withLock { $0 } == [])
  }
}
