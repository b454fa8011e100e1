import Basics
import TerminalUI

/// The content of a ``TerminalApplication`` and its commands.
@MainActor
public protocol TerminalView: AnyObject {
  /// The widgets on the screen, from top to bottom. The application evaluates this property for every
  /// picture: after every key, and after a change to something that the previous picture was made of: a
  /// ``ListState``, an ``ObjectState``, or the data of a reader or a table.
  @WidgetBuilder var body: [any Widget] { get }

  /// The commands and their keys, the most important first: the footer shows as many as fit.
  var commands: [Command] { get }
}

extension TerminalView {
  /// No commands.
  public var commands: [Command] { [] }
}

/// A command: its keys and its action.
public struct Command {
  let keys: [String]
  let label: String
  let isEnabled: Bool
  let action: @MainActor (TerminalApplication) async throws -> Void

  /// Creates a command. Traps without keys, and when a text names no key.
  ///
  /// Keys pressed while the action runs wait until it ends or asks for something. An error that the action
  /// throws is shown in the last line of the screen.
  ///
  /// - Parameters:
  ///   - keys: a character, or a name such as `enter`, `pgdn`, `ctrl-s` or `shift-tab`; the footer shows the
  ///     first one.
  ///   - label: the action in a word or two; the footer leaves out a command without a label.
  ///   - isEnabled: whether the keys run the action now; if not, they keep their usual meaning.
  ///   - action: the action; it gets the application, to ask, to show messages and to quit.
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
