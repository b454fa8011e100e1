import ArgumentParser
import Foundation

/// `datastore notices`: the licences of the components of the program.
struct Notices: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the licences of the packages that the program contains.")

  func run() throws {
    guard let file = SharedFiles.notices, let text = try? String(contentsOf: file, encoding: .utf8)
    else {
      throw Failure(
        .noInput,
        "The file NOTICES was not found: it belongs in share/doc/datastore beside the program's "
          + "folder, where “make install” puts it.")
    }
    print(text, terminator: "")
  }
}
