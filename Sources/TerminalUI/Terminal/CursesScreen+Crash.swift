internal import CNCurses
internal import Foundation
internal import Glibc
internal import Synchronization

/// A trap (a broken precondition, an index out of range) ends the process by a signal, without any exit
/// handler, and would leave the shell with a raw terminal that reports the mouse. The signal handler here
/// sends prepared bytes, restores the modes of the terminal and writes the kept standard error, such as the
/// broken rule; it allocates nothing.
extension CursesScreen {
  /// A buffer for the bytes that restore the screen.
  ///
  /// Unchecked, since the handler must read it in whatever thread crashes: the bytes change only while
  /// `resetLength` is 0, and the memory is never freed.
  nonisolated(unsafe) private static let resetBytes =
    UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
  private static let resetLength = Atomic(0)

  /// Sets the text to send in a crash; an empty text, or one that is too long, sends nothing.
  static func setCrashReset(_ text: String) {
    resetLength.store(0, ordering: .releasing)
    let bytes = Array(text.utf8)
    guard bytes.count <= 512 else { return }
    for (index, byte) in bytes.enumerated() { resetBytes[index] = byte }
    resetLength.store(bytes.count, ordering: .releasing)
  }

  /// The previous action of each crash signal, by its number.
  ///
  /// Unchecked, since the handler must read it in whatever thread crashes: an entry is written
  /// once, before the handler that reads it is installed, and the memory is never freed.
  nonisolated(unsafe) private static let previousActions = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
    return actions
  }()

  /// Catches the crash signals. The handler restores the terminal, then passes the signal to the previous
  /// handler, such as Swift's backtrace reporter.
  static func restoreInCrashes() {
    // After an endless recursion, there is no room for the handler on the stack of the main thread.
    var stack = stack_t()
    stack.ss_size = 64 << 10
    stack.ss_sp = .allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      guard sigaction(number, nil, previousActions + Int(number)) == 0 else { continue }
      var action = sigaction()
      action.sa_flags = SA_ONSTACK
      action.__sigaction_handler.sa_handler = { number in
        let length = CursesScreen.resetLength.exchange(0, ordering: .acquiring)
        if length > 0 {
          write(STDOUT_FILENO, CursesScreen.resetBytes, length)
          reset_shell_mode()
        }
        CursesScreen.releaseErrors()
        sigaction(number, CursesScreen.previousActions + Int(number), nil)
        raise(number)
      }
      sigaction(number, &action, nil)
    }
  }

  /// The sequence that restores the terminal in a crash, when curses cannot be called: mouse, paste and
  /// keypad off, plain text, cursor, the shell's screen. It needs no padding.
  static var resetSequence: String {
    let texts = ["BD", "rmkx", "sgr0", "cnorm", "rmcup"].compactMap { name in
      capability(name).map { String(cString: $0) }
    }
    let mouse = cncurses_mouse_off().map { String(cString: $0) } ?? ""
    return ([mouse] + texts).map(withoutDelays).joined()
  }
}
