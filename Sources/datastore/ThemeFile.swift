import Basics
import Foundation
import TerminalUI

/// Finds the theme that an argument names.
enum ThemeFile {
  /// The folders of themes: the user's own first, then that of the program.
  static var folders: [URL] {
    [UserDirectory.configuration.appendingPathComponent("themes", isDirectory: true)]
      + [SharedFiles.folder("themes")].compactMap { $0 }
  }

  static var names: [String] {
    folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        .map { String($0[..<($0.lastPlace(of: ".") ?? $0.endIndex)]) }.sorted()
    }
  }

  /// The theme of a scheme file, or the theme of that name in one of the folders; `dark` also finds
  /// `datastore-dark`.
  ///
  /// - Throws: `ThemeError` for an invalid file; `Failure` for an unknown name.
  static func theme(_ argument: String) throws -> Theme {
    if argument.has("/") || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml") {
      return try Theme(contentsOfFile: argument)
    }
    var names: [String] = []
    for folder in folders {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for file in files where file.hasSuffix(".yaml") || file.hasSuffix(".yml") {
        let name = String(file[..<(file.lastPlace(of: ".") ?? file.endIndex)])
        if name == argument || name == "datastore-\(argument)" {
          return try Theme(contentsOfFile: folder.appendingPathComponent(file).path)
        }
        names.append(name)
      }
    }
    guard !names.isEmpty else {
      throw Failure(
        .configuration, "The themes that come with the program were not found; give a scheme file.")
    }
    let places = folders.map(\.path).joined(separator: " or ")
    throw ViewArguments.unknown("theme", argument, among: names, of: places)
  }
}
