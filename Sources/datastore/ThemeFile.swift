import Foundation
import TerminalUI

/// Finds the theme that an argument names.
enum ThemeFile {
  /// The theme of a scheme file, or of that name among the themes that come with the program, where
  /// `dark` stands for `datastore-dark` too.
  ///
  /// - Throws: `ThemeError` for a file at fault; `Failure` for an unknown name.
  static func theme(_ argument: String) throws -> Theme {
    if argument.contains("/") || argument.hasSuffix(".yaml") || argument.hasSuffix(".yml") {
      return try Theme(contentsOfFile: argument)
    }
    guard let folder = SharedFiles.folder("themes") else {
      throw Failure(
        .configuration, "The themes that come with the program were not found; give a scheme file.")
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    guard let name = [argument, "datastore-\(argument)"].first(where: names.contains) else {
      throw ViewArguments.unknown("theme", argument, among: names, of: folder.path)
    }
    return try Theme(contentsOfFile: folder.appendingPathComponent("\(name).yaml").path)
  }
}
