import DatastoreCore
import Foundation
import Gates
import TerminalUI

/// The file that keeps the panels and the theme between runs. Both belong to the user, not to a store.
struct ScreenFile: Sendable {
  struct Contents: Codable, Hashable, Sendable {
    var panes = Panes()
    /// The colours of the chosen theme, as in its scheme file. Nil for the terminal's own.
    var theme: KeptTheme?
  }

  let url: URL

  /// - Parameter directory: the program's state directory; nil to keep nothing.
  init?(in directory: URL?) {
    guard let directory else { return nil }
    url = directory.appendingPathComponent("screen.json")
  }

  /// Reads the file; nil if it is missing or unreadable, since it is only a convenience. Waits for the disk.
  func read() -> Contents? {
    guard let bytes = try? ReadableFile.contents(of: url.path, atMost: 1 << 16),
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes))
    else { return nil }
    return contents
  }

  /// Replaces the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` if the file cannot be written.
  func write(_ contents: Contents) throws {
    try NewFile.write(json: contents, to: url)
  }
}

/// A theme with its colours, since its scheme file may be gone by the next run.
struct KeptTheme: Codable, Hashable, Sendable {
  private let name: String
  private let author: String
  /// The colours by slot, as `#rrggbb`.
  private let palette: [String]

  init(_ theme: Theme) {
    name = theme.name
    author = theme.author
    palette = theme.palette.map(\.description)
  }

  /// The theme; nil if an edit of the file has made it invalid.
  var theme: Theme? {
    let colors = palette.compactMap { RGB(hex: $0) }
    guard colors.count == palette.count, [16, 24].contains(colors.count) else { return nil }
    return try? Theme(name: name, author: author, palette: colors, file: "screen.json")
  }
}
