import Basics
import TerminalUI

/// An effect that `BrowserState.request` asks for: anything that is slow or external.
///
/// A feature declares its effects in its own folder, as static functions beside their work. The result of the
/// work comes back as a `BrowserEvent`.
enum Effect: Sendable {
  /// An effect that the owner of the terminal carries out.
  case terminal(TerminalEffect)
  /// Work that an `EffectRunner` starts, and the function of `Effect` that made it.
  case work(maker: String, start: @MainActor @Sendable (EffectRunner) -> Void)

  /// Creates an effect from its work, named after the calling function.
  static func work(
    of maker: String = #function, _ start: @escaping @MainActor @Sendable (EffectRunner) -> Void
  ) -> Effect {
    .work(maker: maker, start: start)
  }

  /// The name of the function that requests it: `loadRows`, `quit`.
  var name: String {
    let whole =
      switch self {
      case .terminal(let effect): String(describing: effect)
      case .work(let maker, _): maker
      }
    return String(whole.parts(at: "(")[0])
  }
}

/// An effect that the owner of the terminal carries out.
enum TerminalEffect: Sendable {
  /// Draw everything in this theme.
  case useTheme(Theme)
  /// Give recorded keys and pasted texts, each after everything before it is done.
  case replay([InputEvent])
  /// Replay the steps of a session, each after everything before it is done.
  case replaySession([SessionStep])
  /// Put a text on the clipboard of the terminal.
  case putOnClipboard(String)
  /// Give the screen to the user's own editor.
  case editExternally(ExternalEdit)
  /// Write the whole screen again.
  case redraw
  case suspend
  /// Show another store above the present one, or in place of the one that is shown above another.
  case showAbove(any NestedStore, replaces: Bool)
  /// Leave a store that is shown above another one, and change the state of that one.
  case leaveStore(@Sendable (inout BrowserState) -> Void)
  /// Read the store that is shown above another one again.
  case askAgain
  /// Open the file again after its tables have changed, and continue with it.
  case reopen
  case quit
}

/// A text for the user's own editor, with the function that makes an event of the outcome.
struct ExternalEdit: Sendable {
  let text: String
  /// The extension of the temporary file's name, from which editors know the language.
  let suffix: String
  let ended: @Sendable (ExternalEditor.Outcome) -> any BrowserEvent
}

extension Effect {
  static func useTheme(_ theme: Theme) -> Effect { .terminal(.useTheme(theme)) }
  static func replay(_ input: [InputEvent]) -> Effect { .terminal(.replay(input)) }
  static func putOnClipboard(_ text: String) -> Effect { .terminal(.putOnClipboard(text)) }
  static func editExternally(_ edit: ExternalEdit) -> Effect { .terminal(.editExternally(edit)) }
  static var redraw: Effect { .terminal(.redraw) }
  static var suspend: Effect { .terminal(.suspend) }
  static var reopen: Effect { .terminal(.reopen) }
  static var quit: Effect { .terminal(.quit) }
  static var leaveStore: Effect { .terminal(.leaveStore { _ in }) }
}
