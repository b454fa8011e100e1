import DatastoreCore
import DatastoreFar
import Foundation
import Testing

/// A shell at the other end that says nothing, or stops in the middle, is left after a while.
@Suite("A shell at the other end that says nothing") struct SilentShellTests {
  @Test(
    "Nobody waits for it for ever",
    arguments: ["", "echo datastore: begins;", "printf 'datastore: begins\\nhalf a line';"])
  func silence(_ said: String) {
    // The words that follow are arguments of the script, which reads what it is sent and ends with that.
    let address = FarAddress(command: "sh -c '\(said) exec cat > /dev/null' far", path: "f.sqlite")
    var brought = address
    brought.bringing = FarBringing(patience: 0.05)
    #expect(throws: StoreError.self) { try brought.words([]) }
    #expect(throws: StoreError.self) { try FarCopying(of: address, patience: 0.05) }
  }
}
