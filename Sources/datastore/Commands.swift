import ArgumentParser
import DatastoreBrowser

/// `datastore commands`: the commands of the browser with their names and keys.
struct Commands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the commands of the browser with their names and keys.",
    discussion: """
      The configuration binds keys by these names. The keys are those that are bound now, including those \
      of the configuration.
      """)

  @Option(
    help:
      "The configuration; without it, config.yaml in XDG_CONFIG_HOME/datastore, if it is there.",
    completion: .file())
  var config: String?

  func run() async throws {
    do {
      let configuration = try UserConfiguration.read(config)
      var place = ""
      for entry in CommandOverview.all(configuration) {
        if entry.place != place {
          if !place.isEmpty { Message.answer("") }
          place = entry.place
          Message.answer(place + ":")
        }
        let name = entry.name.padding(to: 24)
        let keys = entry.keys.joined(separator: " ").padding(to: 24)
        Message.answer("  \(name)\(keys)\(entry.help)")
      }
    } catch {
      throw Failure(error)
    }
  }
}

extension String {
  /// The text padded with spaces to a width, with at least one.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
