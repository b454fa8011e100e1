import DatastoreTestSupport
import Foundation
import Testing

@Suite("What the program says of itself") struct CommandListTests {
  @Test("The commands of the browser are listed with the keys that are bound")
  func commands() async throws {
    let program = try Program()
    let plain = try await program.run("commands")
    #expect(plain.status == 0)
    #expect(plain.output.contains("In the table:\n"))
    #expect(plain.output.contains("  sort                    s "))

    let file = program.directory.url.appendingPathComponent("mine.yaml")
    try Data("keys: {sort: f6}\n".utf8).write(to: file)
    let bound = try await program.run("commands", "--config", "mine.yaml")
    #expect(bound.output.contains("  sort                    f6 "))

    try Data("keys: {sotr: f6}\n".utf8).write(to: file)
    let fault = try await program.run("commands", "--config", "mine.yaml")
    #expect(fault.status == 78)
    #expect(fault.errors.contains("mine.yaml, line 1 cannot be used: there is no command “sotr”"))
  }

  @Test("The manual page has every section and every command")
  func manual() async throws {
    let page = try await Program().run("manual")
    #expect(page.status == 0)
    for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "KEYS OF THE BROWSER", "FILES"] {
      #expect(page.output.contains(".SH \"\(section)\"\n"))
    }
    #expect(page.output.contains("datastore load"))
    #expect(page.output.contains("Sort by this column"))
  }

  @Test("Each command has a manual page of its own beside that of the program")
  func manualPages() async throws {
    let program = try Program()
    try FileManager.default.createDirectory(
      at: program.directory.url.appending(path: "man"), withIntermediateDirectories: false)
    let outcome = try await program.run("manual", "--into", "man")
    #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
    let folder = program.directory.url.appending(path: "man")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names).isSuperset(of: ["datastore.1", "datastore-query.1", "datastore-copy.1"]))
    let query = try String(contentsOf: folder.appending(path: "datastore-query.1"), encoding: .utf8)
    #expect(query.contains(#"datastore\-query"#) && query.contains(#"\-\-group\-by"#))

    let missing = try await program.run("manual", "--into", "nowhere")
    #expect(missing.status == 73)
    #expect(missing.errors.contains("datastore.1 could not be written"))
  }
}
