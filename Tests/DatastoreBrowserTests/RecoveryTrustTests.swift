import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: a paste brings control characters → left out and counted.
// Promise: a recovery file was planted, or belongs to another store → said, and not restored.
/// Recovery files that someone else has put there, and what is pasted unseen.
@MainActor
@Suite struct RecoveryTrustTests {
  /// Sentences with paths are shown whole.
  private static let wide = Size(columns: 300, rows: 24)

  private func place(_ file: TemporaryFile) -> String {
    file.url.deletingLastPathComponent()
      .appending(path: ".\(file.url.lastPathComponent).datastore-recovery").path
  }

  /// Stages a change in a store and leaves its recovery file, as a crash does.
  private func leaveRecovery(_ file: TemporaryFile) async throws -> Data {
    let browser = try await BrowserDriver(file, size: Self.wide) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("right", "e")
    await browser.type("e")
    await browser.press("enter")
    return try #require(FileManager.default.contents(atPath: place(file)))
  }

  @Test func changesOfAnotherStoreAreToldAndNotOffered() async throws {
    let data = try await leaveRecovery(.company())
    let file = try TemporaryFile.company()
    try data.write(to: URL(fileURLWithPath: place(file)))
    let browser = try await BrowserDriver(file, size: Self.wide) { _ in
      BrowserOptions(entity: "Employee")
    }
    let isOffered = browser.hasOverlay
    #expect(!isOffered)
    #expect(browser.status.contains("cannot be read: they were made in another store"))
    #expect(FileManager.default.contents(atPath: place(file)) == data)
  }

  @Test func aLinkOrAPipeInItsPlaceIsToldAndNeitherReadNorWritten() async throws {
    for makes in ["link", "pipe"] {
      let file = try TemporaryFile.company()
      let victim = file.url.deletingLastPathComponent().appending(path: "victim").path
      try "victim".write(toFile: victim, atomically: false, encoding: .utf8)
      if makes == "link" { symlink(victim, place(file)) } else { mkfifo(place(file), 0o666) }
      let browser = try await BrowserDriver(file, size: Self.wide) { _ in
        BrowserOptions(entity: "Employee")
      }
      #expect(browser.status.contains("earlier session"), "\(browser.status)")
      await browser.press("right", "e")
      await browser.type("e")
      await browser.press("enter")
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "victim")
      // The next free name is used.
      let second = place(file) + "-2"
      var status = stat()
      #expect(lstat(second, &status) == 0 && status.st_mode == S_IFREG | 0o600)
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func aFileOfAnotherUserIsToldAndNotOffered() async throws {
    let file = try TemporaryFile.company()
    _ = try await leaveRecovery(file)
    let recovery = place(file)
    chown(recovery, 65_534, 65_534)
    let left = RecoveryFile(store: file.url, stateDirectory: nil)
    #expect(await left.leftovers() == [])
    #expect(await left.notPrivateFiles().count == 1)
    #expect(await left.notPrivateFiles()[0].contains("belongs to"))
    #expect(await !left.takeOver(URL(fileURLWithPath: recovery)))
  }

  @Test func whatWasNotCompleteIsRemovedByTheNext() async throws {
    let file = try TemporaryFile.company()
    let folder = file.url.deletingLastPathComponent()
    let half = folder.appending(path: ".\(URL(fileURLWithPath: place(file)).lastPathComponent).abc")
    try Data("half".utf8).write(to: half)
    _ = await RecoveryFile(store: file.url, stateDirectory: nil).leftovers()
    #expect(!FileManager.default.fileExists(atPath: half.path))
  }

  /// An empty file reserves a name before its content is on the disk.
  @Test func aNameThatWasTakenIsGivenBackByTheNextUnlessItsBrowserLives() async throws {
    let file = try TemporaryFile.company()
    let claim = try #require(PrivateFile.claim(place(file)))
    let next = RecoveryFile(store: file.url, stateDirectory: nil)
    #expect(await next.leftovers() == [])
    #expect(FileManager.default.fileExists(atPath: place(file)))
    close(claim)
    #expect(await next.leftovers() == [])
    #expect(!FileManager.default.fileExists(atPath: place(file)))
  }

  @Test func controlsThatArePastedAreLeftOutAndCounted() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file, size: Self.wide) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("right", "e", "ctrl-u")
    browser.terminal.send(.paste("a\u{1B}[31mb\u{0}\u{9B}\tc\nd\u{7F}"))
    await browser.browser.idle()
    #expect(browser.status.contains("4 control characters removed from the pasted text"))
    #expect(browser.picture.joined().contains("a[31mb␉c␊d"))
    await browser.press("enter", "ctrl-s")
    #expect(
      try file.value("hex(name)", from: "Employee", id: 1)
        == "'\(Array("a[31mb\tc\nd".utf8).map { String(format: "%02X", $0) }.joined())'")
    await browser.press("e")
    browser.terminal.send(.paste("plain"))
    await browser.browser.idle()
    #expect(!browser.status.contains("control character"))
  }
}
