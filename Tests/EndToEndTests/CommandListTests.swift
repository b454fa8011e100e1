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
}
