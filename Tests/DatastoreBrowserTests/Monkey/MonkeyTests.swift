import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Random keys, mouse, pastes and sizes: nothing crashes, hangs, or breaks the screen.
///
/// `make monkey` presses 100,000 keys. A failed session can be run again alone with the two settings that its
/// message names; with `DATASTORE_MONKEY_TRACE=1` it prints each act.
@MainActor
@Suite(.serialized) struct MonkeyTests {
  /// The number of acts in one session, after which a new file is used.
  private static let length = 125

  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment["DATASTORE_MONKEY_\(name)"].flatMap { Int($0) }
  }

  @Test func anyKeysLeaveABrowserInOrder() async throws {
    let keys = Self.setting("KEYS") ?? 500
    let only = Self.setting("SESSION")
    var pressed = 0
    var session = only ?? 0
    var leavings = 0
    while pressed < keys {
      let run = try await run(session)
      pressed += run.acts
      leavings += run.leavings
      if !run.broken.isEmpty {
        Issue.record(
          """
          session \(session), act \(run.acts): \(run.broken.joined(separator: "; "))
          last acts: \(run.last.suffix(12).map(\.description).joined(separator: " | "))
          again: DATASTORE_MONKEY_SESSION=\(session), with the same DATASTORE_TEST_SEED
          \(run.picture.joined(separator: "\n"))
          """)
        if session > 40 { break }
      }
      if only != nil { break }
      session += 1
    }
    print("monkey: \(pressed) acts in \(session) sessions; the browser was left \(leavings) times")
  }

  private struct Run {
    var acts = 0
    var leavings = 0
    var broken: [String] = []
    var last: [Monkey.Act] = []
    var picture: [String] = []
  }

  private func run(_ session: Int) async throws -> Run {
    let isTracing = Self.setting("TRACE") != nil
    let file = try MonkeyFiles.make(session)
    var monkey = Monkey(seed: RandomCases.seed(session))
    var driver = try await BrowserDriver(file, glyphs: session % 4 == 3 ? .ascii : .unicode)
    var run = Run()
    while run.acts < Self.length {
      let act = monkey.next(in: driver.browser.state)
      if isTracing { FileHandle.standardError.write(Data("\(session).\(run.acts) \(act)\n".utf8)) }
      run.acts += 1
      run.last = run.last.suffix(20) + [act]
      let former = driver.terminal.lastBuffer
      await driver.carryOut(act)
      if driver.browser.state.isFinished {
        run.leavings += 1
        driver = try await BrowserDriver(file)
      }
      run.broken = MonkeyRules.broken(driver, after: former)
      if run.acts % 20 == 0 { run.broken += MonkeyRules.deeplyBroken(driver) }
      if !run.broken.isEmpty {
        run.picture = driver.picture
        return run
      }
    }
    let integrity = try file.values("PRAGMA integrity_check")
    if integrity != ["ok"] { run.broken.append("the file is damaged: \(integrity)") }
    return run
  }
}

extension BrowserDriver {
  fileprivate func carryOut(_ act: Monkey.Act) async {
    switch act {
    case .keys(let keys): for key in keys { terminal.send(.key(key)) }
    case .paste(let text): terminal.send(.paste(text))
    case .mouse(let event): terminal.send(.mouse(event))
    case .resize(let size): terminal.resize(to: size)
    }
    await browser.idle()
    while let replay = browser.replaying {
      await replay.value
      await browser.idle()
    }
  }
}

/// Files that a monkey is let loose on.
enum MonkeyFiles {
  static func make(_ number: Int) throws -> TemporaryFile {
    switch number % 4 {
    case 0: try TemporaryFile.company()
    case 1: try TemporaryFile(wild)
    case 2: try TemporaryFile.large(3_000)
    default: try TemporaryFile(linked)
    }
  }

  /// Values of all kinds, invalid and harmful ones among them; a view, a trigger, an empty table.
  private static let wild = """
    CREATE TABLE Wild (id INTEGER PRIMARY KEY, "odd name" TEXT, any, blob BLOB, day DATE);
    INSERT INTO Wild VALUES
      (1, '日本語テキスト', 1, x'00ff', '2024-01-02'), (2, char(27) || '[31mred' || char(27), 2.5, NULL, 1),
      (3, '👩‍👩‍👧 family', x'', x'', NULL), (4, CAST(x'ff fe 41' AS TEXT), 'x', x'41', 'never'),
      (5, replace(hex(zeroblob(3000)), '00', 'long '), 9223372036854775807, zeroblob(5000), -1),
      (6, char(8238) || 'abc', 1e308, NULL, 7e9), (7, 'a' || char(10) || 'b', '', x'0a', ''),
      (8, NULL, NULL, NULL, NULL), (9, 'nul' || char(0) || 'nul', -0.0, x'00', 0);
    CREATE TABLE Empty (id INTEGER PRIMARY KEY, what TEXT NOT NULL);
    CREATE TABLE Word (word TEXT PRIMARY KEY, length INT) WITHOUT ROWID;
    INSERT INTO Word VALUES ('', 0), ('eins', 4), ('zwei', 4), ('ü', 1);
    CREATE VIEW Long AS SELECT * FROM Wild WHERE length("odd name") > 4;
    CREATE TABLE Log (id INTEGER PRIMARY KEY, what TEXT);
    CREATE TRIGGER noted AFTER UPDATE ON Wild BEGIN
      INSERT INTO Log (what) VALUES ('changed ' || new.id); END;
    """.replacingOccurrences(of: "x'ff fe 41'", with: "x'fffe41'")

  /// Relationships of all kinds, delete rules, checks and unique columns.
  private static let linked = """
    CREATE TABLE Country (code TEXT PRIMARY KEY, name TEXT UNIQUE) WITHOUT ROWID;
    CREATE TABLE Person (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT CHECK (age >= 0),
      country TEXT REFERENCES Country (code) ON DELETE SET NULL,
      friend_id INTEGER REFERENCES Person (id) ON DELETE SET NULL);
    CREATE TABLE Tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE person_tag (
      person_id INTEGER REFERENCES Person (id) ON DELETE CASCADE,
      tag_id INTEGER REFERENCES Tag (id) ON DELETE CASCADE, PRIMARY KEY (person_id, tag_id));
    CREATE TABLE Pair (a INT, b INT, what TEXT, PRIMARY KEY (a, b));
    INSERT INTO Country VALUES ('de', 'Germany'), ('fr', 'France'), ('it', 'Italy');
    INSERT INTO Person VALUES
      (1, 'Ann', 1, 'de', NULL), (2, 'Bob', 25, 'fr', 1), (3, 'Cid', NULL, NULL, 2),
      (4, 'Dora', 7, 'de', 4);
    INSERT INTO Tag VALUES (1, 'red'), (2, 'blue'), (3, 'green');
    INSERT INTO person_tag VALUES (1, 1), (1, 2), (2, 2);
    INSERT INTO Pair VALUES (1, 1, 'x'), (1, 2, 'y');
    """
}
