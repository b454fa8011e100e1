import Basics
import Foundation
import TerminalUI

/// A scheme file in a theme folder, and the result of reading it.
struct ThemeChoice: Hashable, Sendable {
  /// The file's name without its extension, as `--theme` expects it.
  let name: String
  /// The theme, or why the file cannot be used.
  let theme: Result<Theme, ThemeError>

  /// The scheme files in some folders, by name. If several have a file of the same name, the first folder
  /// counts. Reads every file: not for the main thread.
  static func all(in folders: [URL]) -> [ThemeChoice] {
    var choices: [String: ThemeChoice] = [:]
    for folder in folders {
      // A missing folder has no themes.
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for file in files where file.hasSuffix(".yaml") || file.hasSuffix(".yml") {
        let name = String(file[..<(file.lastPlace(of: ".") ?? file.endIndex)])
        guard choices[name] == nil else { continue }
        let path = folder.appendingPathComponent(file).path
        choices[name] = ThemeChoice(
          name: name,
          theme: Result { () throws(ThemeError) in
            try Theme(contentsOfFile: path)
          })
      }
    }
    return choices.values.sorted { $0.name < $1.name }
  }
}
