internal import CNCurses
internal import Glibc
internal import Synchronization

/// Standard error while curses has the terminal. Text that is written there meanwhile (the sentence of a
/// trap, a line of some library) would appear anywhere among the cells and vanish with them. So it is kept
/// and written when the terminal is restored, also in a crash.
extension CursesScreen {
  /// The original destination of standard error; -1 while standard error is not redirected.
  private static let shownErrors = Atomic<Int32>(-1)
  /// A file in memory with the kept text.
  private static let keptErrors = Atomic<Int32>(-1)

  /// Keeps the text written to standard error from now on, unless standard error is not a terminal.
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

  /// Writes the kept text and ends the redirection. Calls only functions that are safe in a signal handler.
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
