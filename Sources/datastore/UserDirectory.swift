import Basics
import Foundation
import Gates

/// The directories of the program's own files: <https://specifications.freedesktop.org/basedir-spec/latest/>.
enum UserDirectory {
  /// Stores that the program makes.
  static var data: URL { directory("XDG_DATA_HOME", ".local/share") }
  /// Files that the user writes: the configuration and themes.
  static var configuration: URL { directory("XDG_CONFIG_HOME", ".config") }
  /// The log, and the user's arrangement of table columns.
  static var state: URL { directory("XDG_STATE_HOME", ".local/state") }

  /// A new directory for temporary files, which no other user can read.
  ///
  /// - Parameter prefix: the beginning of the names of all directories of the kind.
  /// - Throws: `Failure`.
  static func temporary(_ prefix: String) throws -> ProcessDirectory {
    do {
      return try ProcessDirectory(prefix: prefix)
    } catch {
      throw Failure(
        .cannotCreate,
        "No temporary directory could be created in \(FileManager.default.temporaryDirectory.path): "
          + error.localizedDescription)
    }
  }

  private static func directory(_ variable: String, _ standard: String) -> URL {
    let base: URL
    // The specification requires relative paths to be ignored.
    if let path = ProcessInfo.processInfo.environment[variable], path.begins(with: "/") {
      base = URL(fileURLWithPath: path, isDirectory: true)
    } else {
      base = home.appendingPathComponent(standard, isDirectory: true)
    }
    return base.appendingPathComponent("datastore", isDirectory: true)
  }

  /// The directory in `HOME`, which Foundation does not read.
  private static var home: URL {
    if let path = ProcessInfo.processInfo.environment["HOME"], path.begins(with: "/") {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return FileManager.default.homeDirectoryForCurrentUser
  }
}

/// The files that come with the program: sample data, themes and notices.
enum SharedFiles {
  /// One of their folders: beside an installed program in `../share/datastore`, or, for a program built in
  /// the source tree, at its root. nil if it is in neither place.
  static func folder(_ name: String) -> URL? { find(name, installedIn: "share/datastore") }

  /// The licences of the components of the program.
  static var notices: URL? { find("NOTICES", installedIn: "share/doc/datastore") }

  private static func find(_ name: String, installedIn share: String) -> URL? {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let binaries = program.deletingLastPathComponent()
    let installed = binaries.deletingLastPathComponent()
      .appendingPathComponent(share, isDirectory: true)
    if let found = existing(name, in: installed) { return found }
    var directory = binaries
    while directory.path != "/" {
      let manifest = directory.appendingPathComponent("Package.swift").path
      if FileManager.default.fileExists(atPath: manifest) { return existing(name, in: directory) }
      directory.deleteLastPathComponent()
    }
    return nil
  }

  private static func existing(_ name: String, in directory: URL) -> URL? {
    let found = directory.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: found.path) ? found : nil
  }
}
