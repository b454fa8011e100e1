import Testing

/// Tests that wait for a program which has ended fail soon: they do not wait for minutes, and hold up no
/// other test.
@Suite("Waiting for a program on a terminal")
struct WaitingTests {
  @Test(
    "Nobody waits for a program that has crashed under a shell",
    .enabled(if: TmuxSession.isPresent, TmuxSession.absence), .timeLimit(.minutes(20)))
  func crashUnderAShell() async throws {
    let session = try TmuxSession(try Program())
    try session.enter("sh -c 'kill -SEGV $$'")
    try await withKnownIssue {
      try await session.wait(for: "what a program says that lives")
    } matching: { issue in
      issue.error is TmuxFailure || "\(issue)".contains("the shell waits for a command")
    }
    // The shell is ready, and the test waits for its next command.
    try session.enter("echo said-$((40 + 2))")
    try await session.wait(for: "said-42")
  }

  @Test("Nobody waits for a program that has ended", .timeLimit(.minutes(20)))
  func end() async throws {
    let program = try Program()
    let terminal = try PseudoTerminal(
      program, ["-c", "echo said; exit 3"], command: ["/bin/sh"])
    try await terminal.wait(for: "said")
    await withKnownIssue {
      try await terminal.wait(for: "what a program says that lives")
    }
    #expect(try await terminal.end() == .status(3))
  }
}
