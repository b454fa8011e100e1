import ArgumentParser
import Basics
import DatastoreSQLite
import Foundation

/// The program and its commands.
@main
struct Datastore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "datastore",
    abstract: "Browse and query SQLite files and PostgreSQL databases, and load data into them.",
    discussion: """
      Without a command, opens the browser on a file, or on the sample data.

      Environment:
        XDG_DATA_HOME   the parent of the folder “datastore”, which keeps the stores of the sample data; \
      by default ~/.local/share.
        XDG_CONFIG_HOME  the parent of the folder “datastore” with config.yaml and themes; \
      by default ~/.config.
        DATASTORE_LOG   the lowest level of messages (trace, debug, info, notice, warning, error) \
      to write to datastore/datastore.log in XDG_STATE_HOME (by default ~/.local/state); \
      by default nothing is logged.
        NO_COLOR        turns colours off, unless it is empty.
      """,
    version: Versions.text,
    subcommands: [
      Browse.self, Query.self, SchemaCommand.self, Load.self, Migrate.self, Copy.self,
      Doctor.self, Serve.self, Commands.self, Notices.self, Manual.self,
    ],
    defaultSubcommand: Browse.self)

  static var commandNames: [String] {
    configuration.subcommands.map {
      $0.configuration.commandName ?? String(describing: $0).lowercased()
    }
  }

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // Exceeding a limit on file size is reported like a full disk, instead of killing the process.
    signal(SIGXFSZ, SIG_IGN)
    SQLiteMemory.limit()
    if let script = CompletionScript(arguments) {
      print(script.text)
      return
    }
    do {
      Log.start()
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      Message.write(failure.message)
      Foundation.exit(failure.status.rawValue)
    } catch {
      end(with: error)
    }
  }

  /// Exits like `exit(withError:)`, which would print words of the arguments unfiltered. Output without an
  /// error (help, versions, completions) is text of the program itself.
  private static func end(with error: any Error) -> Never {
    let text = fullMessage(for: error)
    let code = exitCode(for: error)
    if code.isSuccess {
      if !text.isEmpty { print(text) }
      // The parser has no place for text after the options: a discussion comes before the usage.
      if text.begins(with: "OVERVIEW: ") { print(ExitStatus.documentation) }
    } else if !text.isEmpty {
      Message.writeLine(text)
    }
    Foundation.exit(code.rawValue)
  }
}
