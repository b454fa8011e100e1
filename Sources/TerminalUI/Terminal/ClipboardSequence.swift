internal import Foundation

/// The bytes by which a terminal is asked to put a text on the clipboard of the machine that it runs on,
/// also over ssh: OSC 52.
///
/// The text is Base64, so nothing in it can speak to the terminal. Inside tmux the request is sent twice:
/// plainly for tmux itself, which takes it when `set-clipboard` is on, and wrapped for the terminal
/// around it, which gets it when `allow-passthrough` is on.
package struct ClipboardSequence: Hashable, Sendable {
  /// Bytes of text that terminals take at a time: many stop reading a request after 100 000.
  package static let mostBytes = 74_000

  package let bytes: [UInt8]

  /// - Parameter isInsideTmux: whether tmux is between the program and the terminal.
  package init(_ text: String, isInsideTmux: Bool) {
    let request = "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}"
    var all = request
    if isInsideTmux {
      // Each escape inside is doubled.
      all += "\u{1B}Ptmux;\u{1B}\(request)\u{1B}\\"
    }
    bytes = Array(all.utf8)
  }

  /// What the user has to know, inside tmux.
  package static let tmuxHint = "Inside tmux this needs “set -g set-clipboard on”."
}
