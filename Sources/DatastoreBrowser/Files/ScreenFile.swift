import DatastoreCore
import Foundation
import Gates
import TerminalUI

/// The file in which the division of the screen and the theme outlive the program. Both are of the user, not
/// of a store.
struct ScreenFile: Sendable {
  /// What is kept.
  struct Contents: Codable, Hashable, Sendable {
    var panes = Panes()
    /// The colours of the theme that was chosen: a scheme, as its file has it. Nil for the terminal's own.
    var theme: KeptTheme?
  }

  let url: URL

  /// - Parameter directory: where the program keeps its state; nil keeps nothing.
  init?(in directory: URL?) {
    guard let directory else { return nil }
    url = directory.appendingPathComponent("screen.json")
  }

  /// What the file holds; nil where there is none, or it cannot be read: a comfort and no more. Waits for the
  /// disk.
  func read() -> Contents? {
    guard let bytes = try? ReadableFile.contents(of: url.path, atMost: 1 << 16),
      let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes))
    else { return nil }
    return contents
  }

  /// Replaces the file. Waits for the disk.
  ///
  /// - Throws: `CocoaError` or `FileFault` when the file cannot be written.
  func write(_ contents: Contents) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try NewFile.write(encoder.encode(contents), to: url.path)
  }
}

/// A theme as it is kept: the file that it came from may be gone by the next time.
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

  /// The theme; nil when the file was changed so that it is not a theme.
  var theme: Theme? {
    let colors = palette.compactMap { RGB(hex: $0) }
    guard colors.count == palette.count, [16, 24].contains(colors.count) else { return nil }
    return try? Theme(name: name, author: author, palette: colors, file: "screen.json")
  }
}

extension Lane {
  /// Writes of the file of the screen.
  static let screen = Lane("screen", .inOrder, atEnd: .completed)
}
