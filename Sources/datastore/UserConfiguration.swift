import DatastoreBrowser
import Foundation

/// Finds the user's configuration of the browser.
enum UserConfiguration {
  static var standardFile: URL { UserDirectory.configuration.appendingPathComponent("config.yaml") }

  /// Reads the file that an argument names, or else the standard one if it exists.
  ///
  /// - Throws: `ConfigurationError`.
  static func read(_ argument: String?) throws -> Configuration {
    if let argument { return try Configuration(contentsOfFile: argument) }
    let path = standardFile.path
    guard FileManager.default.fileExists(atPath: path) else { return .standard }
    return try Configuration(contentsOfFile: path)
  }
}
