internal import Foundation

/// The bytes that ask a terminal to put a text on the clipboard of its machine, also over ssh: OSC 52.
///
/// The text is Base64, so the terminal obeys nothing in it. Inside tmux the request is sent twice: plainly
/// for tmux itself, which accepts it if `set-clipboard` is on, and wrapped for the terminal around it, which
/// gets it if `allow-passthrough` is on.
package struct ClipboardSequence: Hashable, Sendable {
  /// The most bytes of text in one request: many terminals stop reading a request after 100 000 bytes.
  package static let mostBytes = 74_000

  package let bytes: [UInt8]

  /// - Parameter isInsideTmux: whether tmux is between the program and the terminal.
  package init(_ text: String, isInsideTmux: Bool) {
    let request = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}"
    var all = request
    if isInsideTmux {
      // Doubles each escape inside the wrapped request.
      all += "\u{1B}Ptmux;\u{1B}\(request)\u{1B}\\"
    }
    bytes = Array(all.utf8)
  }

  /// The hint for users of tmux.
  package static let tmuxHint = "Inside tmux this needs “set -g set-clipboard on”."
}
