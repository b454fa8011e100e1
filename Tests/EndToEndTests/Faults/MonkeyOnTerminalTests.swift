import DatastoreTestSupport
import Foundation
import Testing

/// Random bytes of keys for the real program on the sample data: it does not end by itself, writes
/// nothing that a terminal would not understand, and its picture is the one that drawing everything again
/// gives. More keys: `make monkey`.
@Suite("A monkey on a terminal", .serialized)
struct MonkeyOnTerminalTests {
  private static let keys =
    ProcessInfo.processInfo.environment["DATASTORE_MONKEY_TERMINAL_KEYS"].flatMap { Int($0) } ?? 125

  /// `DATASTORE_MONKEY_SESSION` begins with a later session, to see one again.
  private static let firstSession =
    ProcessInfo.processInfo.environment["DATASTORE_MONKEY_SESSION"].flatMap { Int($0) } ?? 0

  /// Keys of one session, after which a new program is started.
  private static let length = 125

  private let sample: Program

  init() throws {
    sample = try Program()
  }

  private struct Figures {
    var endings = 0
    var checks = 0
    var differences: [String] = []
  }

  @Test func anyKeysLeaveTheScreenInOrder() async throws {
    var (pressed, session) = (0, Self.firstSession)
    var figures = Figures()
    try await prepare()
    while pressed < Self.keys {
      do {
        try await run(session, &figures)
      } catch {
        Issue.record("session \(session), DATASTORE_TEST_SEED as printed: \(error)")
        break
      }
      pressed += Self.length
      session += 1
    }
    // On a busy machine, a change that arrives between two pictures may make one differ.
    if figures.differences.count > 1 + figures.checks / 20 {
      Issue.record("\(figures.differences.joined(separator: "\n\n"))")
    }
    FaultRounds.report(
      """
      monkey on a terminal: \(pressed) keys in \(session) sessions, \(figures.checks) pictures compared, \
      \(figures.differences.count) differed; the program was left \(figures.endings) times
      """)
  }

  private func start(_ program: Program) async throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      program, [], environment: ["EDITOR": "true", "VISUAL": "true"])
    try await terminal.wait(for: "the browser") { lines in
      lines.contains { $0.contains("unsaved changes") || $0.contains("Unsaved changes") }
        && terminal.screen.isAlternate
    }
    return terminal
  }

  /// Puts a copy of the sample data into the program's folder. They are loaded once, because that takes
  /// longer than many keys.
  private func takeSample(into program: Program) throws {
    let data = program.directory.url.appending(path: "data")
    try FileManager.default.copyItem(
      at: sample.directory.url.appending(path: "data"), to: data)
  }

  /// Loads the sample data, as the first start does.
  private func prepare() async throws {
    let terminal = try await start(sample)
    terminal.press("q")
    #expect(try await terminal.end() == .status(0))
  }

  private func run(_ session: Int, _ figures: inout Figures) async throws {
    var random = SeededRandom(seed: RandomCases.seed(session))
    let program = try Program()
    try takeSample(into: program)
    var terminal = try await start(program)
    var pressed: [String] = []
    for number in 1...Self.length {
      let key = draw(&random)
      pressed.append(key)
      terminal.type(key)
      if random.below(40) == 0 {
        terminal.resize(columns: 60 + random.below(100), rows: 20 + random.below(30))
      }
      if random.below(25) == 0 || number == Self.length {
        let what = "session \(session), key \(number), \(pressed.suffix(8))"
        guard try await check(terminal, &figures, what) else {
          // A Ctrl-C after the key that has left it meets the program when it is nearly gone.
          let end = try await terminal.end()
          #expect([.status(0), .status(130), .signal(SIGINT)].contains(end), "\(what)")
          figures.endings += 1
          terminal = try await start(program)
          continue
        }
      }
    }
    terminal.send(signal: SIGTERM)
    #expect(try await terminal.end() == .status(128 + SIGTERM), "session \(session)")
  }

  /// Keys of the key map mostly, arrows, controls, the mouse, pastes.
  private func draw(_ random: inout SeededRandom) -> String {
    switch random.below(20) {
    case 0..<10:
      let keys = Array(
        "abcdefghijklmnoprstuvwxyzABCDEFGHIJLMNOPRSTUVWXYZ0123456789 ?:/#-+{}_!=()[],;.<>")
      return String(keys[random.below(keys.count)])
    case 10..<14:
      let names = PseudoTerminal.bytes.values.sorted()
      return names[random.below(names.count)]
    case 14: return String(UnicodeScalar(UInt8(1 + random.below(25))))
    case 15: return "\u{1B}"
    case 16:
      let button = [0, 0, 0, 2, 64, 65][random.below(6)]
      let place = "\(1 + random.below(80));\(1 + random.below(24))"
      return "\u{1B}[<\(button);\(place)M\u{1B}[<\(button);\(place)m"
    case 17: return "\u{1B}[200~pasted 日本\u{1B}[31m\n\u{1B}[201~"
    case 18: return ["ä", "日", "👍", "\u{1B}x", "\u{1B}[99~", "q\u{1B}"][random.below(6)]
    default: return "\r"
    }
  }

  /// Has the screen drawn again and compares it with the one before; false if the program has ended.
  private func check(
    _ terminal: PseudoTerminal, _ figures: inout Figures, _ what: String
  ) async throws -> Bool {
    guard try await terminal.settle() else { return false }
    let before = terminal.screen.clearCount
    terminal.press("ctrl-l")
    var looks = 0
    try await terminal.wait(for: "a drawing, \(what)") { _ in
      looks += 1
      // An editor that still had the terminal has read the key.
      if looks.isMultiple(of: 200) { terminal.press("ctrl-l") }
      return terminal.screen.clearCount > before || terminal.isClosed
    }
    guard try await terminal.settle() else { return false }
    #expect(terminal.screen.unknown.isEmpty, "\(what): \(terminal.screen.unknown)")
    // The foot may differ rightly: any key removes the message of the one before.
    let shown = (terminal.screen.cleared.last ?? []).dropLast(3)
    let drawn = terminal.lines.dropLast(3)
    figures.checks += 1
    if shown != drawn {
      figures.differences.append(
        "\(what): shown\n\(shown.joined(separator: "\n"))\nis\n\(drawn.joined(separator: "\n"))")
    }
    return true
  }
}
