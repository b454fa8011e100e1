import Basics
import TerminalUI

/// What `BrowserState.request` asks for: everything that is slow or reaches outside.
///
/// A feature declares its effects in its own folder, as static functions beside the work that they
/// stand for. What the work finds comes back as a `BrowserEvent`.
enum Effect: Sendable {
  /// Something that the owner of the terminal does.
  case terminal(TerminalEffect)
  /// Work that an `EffectRunner` starts, and the function of `Effect` that made it.
  case work(maker: String, start: @MainActor @Sendable (EffectRunner) -> Void)

  /// The work of the effect that the calling function makes, and by which it is known.
  static func work(
    of maker: String = #function, _ start: @escaping @MainActor @Sendable (EffectRunner) -> Void
  ) -> Effect {
    .work(maker: maker, start: start)
  }

  /// What it is called where it is requested: `loadRows`, `quit`.
  var name: String {
    let whole =
      switch self {
      case .terminal(let effect): String(describing: effect)
      case .work(let maker, _): maker
      }
    return String(whole.parts(at: "(")[0])
  }
}

/// What is done by the one who has the terminal.
enum TerminalEffect: Sendable {
  /// Show everything in this look.
  case useTheme(Theme)
  /// Press keys, each when everything before it is done.
  case replay([Key])
  /// Do the steps of a session, each when everything before it is done.
  case replaySession([SessionStep])
  /// Put a text on the clipboard of the terminal.
  case putOnClipboard(String)
  /// Give the screen to the user's own editor.
  case editExternally(ExternalEdit)
  /// Write the whole screen again.
  case redraw
  case suspend
  /// Show another store above the present one, or in the place of the one that is shown so.
  case showAbove(any NestedStore, replaces: Bool)
  /// Leave a store that is shown above another one, and do something there.
  case leaveStore(@Sendable (inout BrowserState) -> Void)
  /// Ask for what is shown above another store once more.
  case askAgain
  /// Open the file again, since its tables were changed, and continue with it.
  case reopen
  case quit
}

/// A text for the user's own editor, and what is called when the editor has ended.
struct ExternalEdit: Sendable {
  let text: String
  /// What the name of the temporary file ends in, from which editors know the language.
  let suffix: String
  let ended: @Sendable (ExternalEditor.Outcome) -> any BrowserEvent
}

extension Effect {
  static func useTheme(_ theme: Theme) -> Effect { .terminal(.useTheme(theme)) }
  static func replay(_ keys: [Key]) -> Effect { .terminal(.replay(keys)) }
  static func putOnClipboard(_ text: String) -> Effect { .terminal(.putOnClipboard(text)) }
  static func editExternally(_ edit: ExternalEdit) -> Effect { .terminal(.editExternally(edit)) }
  static var redraw: Effect { .terminal(.redraw) }
  static var suspend: Effect { .terminal(.suspend) }
  static var reopen: Effect { .terminal(.reopen) }
  static var quit: Effect { .terminal(.quit) }
  static var leaveStore: Effect { .terminal(.leaveStore { _ in }) }
}
