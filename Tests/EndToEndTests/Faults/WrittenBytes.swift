import DatastoreTestSupport
import Foundation
import Testing

/// The progress of a program, measured by the bytes that it has written on its terminal and into files.
///
/// Tests that kill the program draw a number of bytes, so that the moment is a random one on every machine,
/// however fast it is, without a clock.
struct WrittenBytes {
  private let terminal: PseudoTerminal
  private let directory: URL
  private let shownBefore: Int
  private let storedBefore: Int

  /// Counts from now on.
  init(_ terminal: PseudoTerminal, _ program: Program) {
    self.terminal = terminal
    directory = program.directory.url
    shownBefore = terminal.byteCount
    storedBefore = Self.stored(in: program.directory.url)
  }

  /// Bytes in the files of its directory: stores, their journals, and unfinished ones.
  private static func stored(in directory: URL) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.reduce(0) { sum, name in
      // A file that is removed meanwhile no longer counts.
      let path = directory.appendingPathComponent(name).path
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  /// Whether files have grown or shrunk.
  var hasStored: Bool { Self.stored(in: directory) != storedBefore }

  /// The number of bytes. Journals are removed, so it may decrease.
  var count: Int {
    terminal.byteCount - shownBefore
      + max(0, Self.stored(in: directory) - storedBefore)
  }

  /// Looks at which nothing new is seen before a test gives up: more than a minute of them.
  private static let patience = 60_000

  /// Leaves the program stopped when it has written so many bytes. It runs only while the test observes it,
  /// so that it does not end while other tests keep this one from running.
  ///
  /// - Throws: `WaitedInVain` if it never writes them.
  func stop(after wanted: Int) throws {
    for _ in 0..<Self.patience {
      kill(terminal.process, SIGCONT)
      let isThere = terminal.pump(waiting: 1)
      kill(terminal.process, SIGSTOP)
      if count >= wanted { return }
      guard isThere else { break }
    }
    throw WaitedInVain(what: "\(wanted) bytes")
  }

  /// Reads output until there are so many bytes, or until the wanted output is there.
  ///
  /// - Returns: the greatest number of bytes that was observed.
  @discardableResult
  func wait(
    for wanted: Int, sourceLocation: SourceLocation = #_sourceLocation,
    orUntil isDone: ([String]) -> Bool
  ) async throws -> Int {
    var most = count
    var silence = 0
    while most < wanted, !isDone(terminal.lines), terminal.pump(waiting: 1) {
      let seen = count
      silence = seen > most ? 0 : silence + 1
      most = max(most, seen)
      guard silence < Self.patience else {
        Issue.record(
          "nothing more is written; the screen is:\n\(terminal.lines.joined(separator: "\n"))",
          sourceLocation: sourceLocation)
        throw WaitedInVain(what: "\(wanted) bytes")
      }
      await Task.yield()
    }
    return most
  }
}
