internal import CNCurses
internal import Glibc
internal import Synchronization

/// Standard error while curses has the terminal. What is written there then (the sentence of a trap, a line
/// of some library) would stand anywhere among the cells, and go with them: it is kept, and written when the
/// terminal is given back, also in a crash.
extension CursesScreen {
  /// Where standard error went before; -1 while it goes there.
  private static let shownErrors = Atomic<Int32>(-1)
  /// What is kept, as a file in memory.
  private static let keptErrors = Atomic<Int32>(-1)

  /// Keeps what is written on standard error from now on, unless that is not a terminal.
  static func keepErrors() {
    guard shownErrors.load(ordering: .relaxed) < 0, isatty(STDERR_FILENO) == 1 else { return }
    let kept = cncurses_memory_file("errors")
    let shown = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0, shown >= 0, dup2(kept, STDERR_FILENO) >= 0 else {
      if kept >= 0 { Glibc.close(kept) }
      if shown >= 0 { Glibc.close(shown) }
      return
    }
    keptErrors.store(kept, ordering: .relaxed)
    shownErrors.store(shown, ordering: .releasing)
  }

  /// Writes what was kept, and leaves standard error to the terminal again. Calls nothing that a handler of
  /// signals may not.
  static func releaseErrors() {
    let shown = shownErrors.exchange(-1, ordering: .acquiringAndReleasing)
    guard shown >= 0 else { return }
    dup2(shown, STDERR_FILENO)
    Glibc.close(shown)
    let kept = keptErrors.exchange(-1, ordering: .relaxed)
    lseek(kept, 0, SEEK_SET)
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
      var count = read(kept, buffer.baseAddress, buffer.count)
      while count > 0 {
        write(STDERR_FILENO, buffer.baseAddress, count)
        count = read(kept, buffer.baseAddress, buffer.count)
      }
    }
    Glibc.close(kept)
  }
}
