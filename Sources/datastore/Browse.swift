import ArgumentParser
import DatastoreBrowser
import Foundation
import Logging
import SwiftDatastore
import TerminalUI

/// `datastore browse`: the data browser on the terminal.
struct Browse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look at a file in the terminal.",
    discussion: """
      Opens any SQLite file: stores of SwiftDatastore and those of other programs. Without a file, \
      the sample data is loaded once into a store in the user's data directory, and opened.

      Press ? in the browser for its keys.

      \(ExitStatus.documentation)
      """)

  @Argument(help: "The file; without it, the sample data.")
  var file: String?

  @Option(help: "Without a file: which sample data, \(SampleStore.Kind.names).")
  var sample: SampleStore.Kind?

  @Option(help: "The entity (table or view) to begin with.")
  var entity: String?

  @Option(help: "The attribute that makes the sections; a path such as company.name may be given.")
  var groupBy: String?

  @Option(
    name: .customLong("where"),
    help: "Which objects, as a predicate: 'age >= 30 AND name BEGINSWITH[cd] \"T\"'.")
  var predicate: String?

  @Option(help: "The order of the objects: 'surname, age desc'.")
  var orderBy: String?

  @Option(help: "The colours: a name from the themes, or a base16 or base24 scheme file (YAML).")
  var theme: String?

  @Option(
    help: "The configuration; without it, config.yaml in XDG_CONFIG_HOME/datastore, if it is there."
  )
  var config: String?

  @Flag(help: "Say plain lines for a screen reader instead of painting the screen.")
  var screenReader = false

  @Flag(help: "Open the file so that nothing can be written, not even by mistake.")
  var readOnly = false

  func validate() throws {
    if file != nil, sample != nil {
      throw ValidationError("Give a file or --sample, not both.")
    }
  }

  @MainActor
  func run() async throws {
    // The shell tells a program that a signal has ended by 128 and the signal's number.
    if let signal = try await browse() { throw ExitCode(128 + signal) }
  }

  /// Shows the browser until the user leaves; returns the signal that ended it, if one has.
  @MainActor
  private func browse() async throws -> Int32? {
    do {
      // All that can go wrong goes wrong before the screen is taken.
      var configuration = try UserConfiguration.read(config)
      if screenReader { configuration.isForScreenReader = true }
      let theme = try (theme ?? configuration.theme).map(ThemeFile.theme)
      let url = try await storeURL()
      var options = SwiftDatastore.Options()
      let logger = Logger(label: "datastore")
      options.faultFailed = { logger.error("a value could not be read: \($0)") }
      let datastore = try SwiftDatastore(opening: url, readOnly: readOnly, options: options)
      var view = try ViewArguments(
        entity: entity, groupBy: groupBy, predicate: predicate, order: orderBy
      ).options(for: datastore.schema)
      if file == nil, entity == nil, groupBy == nil, predicate == nil, orderBy == nil {
        (view.entity, view.groupBy) = (sample ?? .company).firstView
      }
      view.theme = theme
      view.stateDirectory = UserDirectory.state
      view.filterFiles = FilterFiles(
        saved: UserDirectory.configuration.appendingPathComponent("filters.yaml"),
        history: UserDirectory.state.appendingPathComponent("filter-history.yaml"))
      view.themeFolders = ThemeFile.folders
      view.configuration = configuration
      view.watchesFile = true
      logger.info("browsing \(url.path)")
      let signal = try await Browser(
        datastore, terminal: Self.terminal(configuration), options: view
      ).run()
      try datastore.close()
      return signal
    } catch {
      throw Failure(error)
    }
  }

  @MainActor
  private static func terminal(_ configuration: Configuration) -> any Terminal {
    configuration.isForScreenReader
      ? LineTerminal()
      : CursesTerminal(glyphs: configuration.glyphs, usesMouse: configuration.usesMouse)
  }

  private func storeURL() async throws -> URL {
    if let file { return URL(fileURLWithPath: file) }
    // Nobody wants the sample data loaded when it cannot be shown.
    if isatty(STDIN_FILENO) == 0 { throw TerminalError.notATerminal(stream: "standard input") }
    if isatty(STDOUT_FILENO) == 0 { throw TerminalError.notATerminal(stream: "standard output") }
    return try await SampleStore(sample ?? .company).prepared()
  }
}
