import Basics
import TerminalUI

/// What a ``TerminalApplication`` shows, and what its keys do.
@MainActor
public protocol TerminalView: AnyObject {
  /// What is on the screen, from top to bottom. Asked for every picture: after every key, and when something
  /// changes that the picture before was made of: a ``ListState``, an ``ObjectState``, or what a reader or a
  /// table shows.
  @WidgetBuilder var body: [any Widget] { get }

  /// What the keys do, the most important first: the footer shows as many as there is room for.
  var commands: [Command] { get }
}

extension TerminalView {
  /// None.
  public var commands: [Command] { [] }
}

/// A key and its action.
public struct Command {
  let keys: [String]
  let label: String
  let isEnabled: Bool
  let action: @MainActor (TerminalApplication) async throws -> Void

  /// Binds keys. Traps without keys, and when a text names no key.
  ///
  /// While the action runs, keys that are pressed wait until it ends or asks for something. What it throws is
  /// shown in the last line of the screen.
  ///
  /// - Parameters:
  ///   - keys: a character, or a name such as `enter`, `pgdn`, `ctrl-s` or `shift-tab`; the footer shows the
  ///     first.
  ///   - label: the action in a word or two; without one it is not in the footer.
  ///   - isEnabled: whether the key does it now; when not, it does what it does otherwise.
  ///   - action: the action; gets the application, to ask, to show messages and to quit.
  public init(
    _ keys: String..., label: String = "", isEnabled: Bool = true,
    action: @escaping @MainActor (TerminalApplication) async throws -> Void
  ) {
    require(!keys.isEmpty, "a command without a key can never be given")
    self.keys = keys.map { Key(stringLiteral: $0).description }
    self.label = label
    self.isEnabled = isEnabled
    self.action = action
  }
}
