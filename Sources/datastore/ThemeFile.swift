import Basics
import DatastoreBrowser
import Foundation
import TerminalUI

/// Finds the theme that an argument names.
enum ThemeFile {
  /// The folders of themes: the user's own first, then that of the program.
  static var folders: [URL] {
    [UserDirectory.configuration.appendingPathComponent("themes", isDirectory: true)]
      + [SharedFiles.folder("themes")].compactMap { $0 }
  }

  static var names: [String] { ThemeChoice.files(in: folders).map { $0.name } }

  /// The theme of a scheme file, or the theme of that name in one of the folders; `dark` also finds
  /// `datastore-dark`.
  ///
  /// - Throws: `ThemeError` for an invalid file; `Failure` for an unknown name.
  static func theme(_ argument: String) throws -> Theme {
    if argument.has("/") || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml") {
      return try Theme(contentsOfFile: argument)
    }
    let files = ThemeChoice.files(in: folders)
    if let found = files.first(where: { [argument, "datastore-\(argument)"].contains($0.name) }) {
      return try Theme(contentsOfFile: found.path)
    }
    guard !files.isEmpty else {
      throw Failure(
        .configuration, "The themes that come with the program were not found; give a scheme file.")
    }
    let places = folders.map(\.path).joined(separator: " or ")
    throw ViewArguments.unknown("theme", argument, among: files.map { $0.name }, of: places)
  }
}
