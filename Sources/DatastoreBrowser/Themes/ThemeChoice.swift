import Basics
package import Foundation
import TerminalUI

/// A scheme file in a theme folder, and the result of reading it.
package struct ThemeChoice: Hashable, Sendable {
  /// The file's name without its extension, as `--theme` expects it.
  let name: String
  /// The theme, or why the file cannot be used.
  let theme: Result<Theme, ThemeError>

  /// The scheme files in some folders, by name. If several have a file of the same name, the first folder
  /// counts. Reads every file: not for the main thread.
  static func all(in folders: [URL]) -> [ThemeChoice] {
    var choices: [String: ThemeChoice] = [:]
    for (name, path) in files(in: folders) where choices[name] == nil {
      choices[name] = ThemeChoice(
        name: name,
        theme: Result { () throws(ThemeError) in
          try Theme(contentsOfFile: path)
        })
    }
    return choices.values.sorted { $0.name < $1.name }
  }

  /// The paths of the scheme files in some folders with their names, folder by folder. A missing folder has
  /// none.
  package static func files(in folders: [URL]) -> [(name: String, path: String)] {
    folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        .map { file in
          let name = String(file[..<(file.lastPlace(of: ".") ?? file.endIndex)])
          return (name: name, path: folder.appendingPathComponent(file).path)
        }
        .sorted { $0.name < $1.name }
    }
  }
}
