import ArgumentParser
import DatastoreFar
import Foundation
import SwiftDatastore

/// `datastore serve`: the far end of a line.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer a datastore at the other end of a pipe.",
    discussion: """
      Nobody types this: “datastore browse ssh://host/path” runs it on the host, and so do --via and the \
      library. It opens the one file that it is told, for the one program at the other end of its standard \
      input and output, and ends with them. There is no port and no daemon; who runs it can do what its \
      user can do with the file.

        ssh host datastore serve --stdio app.sqlite
      """)

  @Flag(help: "Speak on standard input and output, which is the only way.")
  var stdio = false

  @Flag(help: "Open the file read-only, whatever the other end asks for.")
  var readOnly = false

  @Argument(help: "The SQLite file.", completion: .file())
  var file: String

  func validate() throws {
    guard stdio else {
      throw ValidationError(
        "datastore serve speaks to a program, on its standard streams: give --stdio. To look at a file on "
          + "another machine, run “datastore browse ssh://host/path” here.")
    }
  }

  func run() throws {
    // Writing reports that the other end is gone; the store is closed then.
    signal(SIGPIPE, SIG_IGN)
    let url = URL(fileURLWithPath: file)
    let isReadOnly = readOnly
    let server = FarServer(
      reading: STDIN_FILENO, writing: STDOUT_FILENO, newFile: readOnly ? nil : url.path
    ) { wanted in
      var options = SwiftDatastore.Options(synchronous: .extra)
      options.showsJoinTables = wanted.showsJoinTables
      options.annotations = wanted.annotations
      let isReadOnly = isReadOnly || wanted.isReadOnly
      guard let model = try wanted.model?.schema else {
        return try SwiftDatastore.store(opening: url, readOnly: isReadOnly, options: options)
      }
      return try SwiftDatastore.store(of: model, at: url, readOnly: isReadOnly, options: options)
    }
    do {
      try server.run()
    } catch {
      throw Failure(.badData, "The line to the other end was left: \(error).")
    }
  }
}
