import Basics
import DatastoreExport
import DatastoreImport
import Foundation
import Synchronization

/// Shows the progress of a load on standard error: on a terminal in a line that is overwritten, otherwise a
/// line for each file. Faults have their own lines. May be called from any thread.
final class LoadDisplay: Sendable {
  private struct State {
    var lineLength = 0
    var percent = -1
    var rows = -1
    var file = 0
    var stage: LoadProgress.Stage?
    /// The start of this stage of this file, and the number of rows before it.
    var began = ContinuousClock.now
    var rowsBefore = 0
    var isFinishing = false
    var shownFaults = 0
    var hiddenFaults = 0
    /// Faults that are held back until `showHeld()`; nil if they are shown at once.
    var held: [LoadFault]?
  }

  /// The greatest number of faults to show one by one.
  private static let faultLimit = 1_000

  private let isTerminal: Bool
  private let isQuiet: Bool
  private let state: Mutex<State>

  /// - Parameter holdsFaults: whether faults are shown only by `showHeld()`.
  init(isTerminal: Bool, isQuiet: Bool, holdsFaults: Bool = false) {
    self.isTerminal = isTerminal
    self.isQuiet = isQuiet
    var state = State()
    if holdsFaults { state.held = [] }
    self.state = Mutex(state)
  }

  /// Shows the faults held back, and from now on all others at once.
  func showHeld() {
    for fault in state.withLock({ $0.held.take() ?? [] }) { show(.fault(fault)) }
    finish()
  }

  /// Whether everything has been read, so that the store may be written already.
  var isFinishing: Bool { state.withLock { $0.isFinishing } }

  func show(_ event: LoadEvent) {
    state.withLock { state in
      switch event {
      case .fault(let fault) where state.held != nil: state.held?.append(fault)
      case .fault(let fault):
        guard state.shownFaults < Self.faultLimit else {
          state.hiddenFaults += 1
          return
        }
        state.shownFaults += 1
        clear(&state)
        Message.write(fault.description)
      case .waiting(let name):
        clear(&state)
        Message.write(
          "\(name.shownInMessage) has nothing to read yet; waiting until a program writes to it. Ctrl-C "
            + "ends this.")
      case .progress(let progress):
        state.isFinishing = progress.stage == .finishing
        if isQuiet { return }
        isTerminal ? showBar(progress, &state) : showLine(progress, &state)
      }
    }
  }

  /// Removes the progress line and reports the number of faults not shown.
  func finish() {
    state.withLock { state in
      clear(&state)
      if state.hiddenFaults > 0 {
        Message.write("\(CountText.grouped(state.hiddenFaults)) more faults are not shown.")
      }
    }
  }

  private func clear(_ state: inout State) {
    guard state.lineLength > 0 else { return }
    Message.clearLine(state.lineLength)
    state.lineLength = 0
    state.percent = -1
  }

  private func showBar(_ progress: LoadProgress, _ state: inout State) {
    let total = progress.totalBytes ?? 0
    let percent = total > 0 ? min(100, progress.bytesRead * 100 / total) : -1
    // If the size is unknown, only the number of rows changes.
    guard
      percent != state.percent || percent < 0 || progress.fileNumber != state.file
        || progress.stage != state.stage
    else { return }
    if progress.fileNumber != state.file || progress.stage != state.stage {
      state.began = .now
      state.rowsBefore = max(0, state.rows)
    }
    state.rows = progress.rows
    state.percent = percent
    state.file = progress.fileNumber
    state.stage = progress.stage
    var line = "\(Self.verb(progress.stage)) \(Self.name(progress))"
    if progress.stage == .finishing {
      line = "Writing"
    } else if percent >= 0 {
      let filled = percent / 5
      line +=
        "  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
        + "] \(percent)%"
    }
    line += "  \(CountText.grouped(progress.rows)) rows"
    if progress.stage != .finishing {
      var ofThisFile = progress
      ofThisFile.rows -= state.rowsBefore
      let rate = LoadRate(ofThisFile, after: state.began.duration(to: .now) / .seconds(1))
      if let rate = rate.rowsPerSecond { line += "  \(CountText.grouped(rate))/s" }
      if let left = rate.secondsLeft { line += "  \(LoadRate.duration(left)) left" }
    }
    line = String(line.prefix(79))
    Message.overwriteLine(line, over: state.lineLength)
    state.lineLength = line.count
  }

  private func showLine(_ progress: LoadProgress, _ state: inout State) {
    guard progress.fileNumber != state.file || progress.stage != state.stage else { return }
    state.file = progress.fileNumber
    state.stage = progress.stage
    if progress.stage == .finishing {
      Message.writeLine("Writing")
    } else {
      Message.writeLine("\(Self.verb(progress.stage)) \(Self.name(progress))")
    }
  }

  private static func verb(_ stage: LoadProgress.Stage) -> String {
    switch stage {
    case .inferring: "Looking at"
    case .loading: "Loading"
    case .finishing: "Writing"
    }
  }

  private static func name(_ progress: LoadProgress) -> String {
    let file = progress.file.words(at: "/").last.map(String.init) ?? progress.file
    // The numbers after the name must fit into the line.
    let name = file.count > 24 ? String(file.prefix(23)).shownInMessage + "…" : file.shownInMessage
    return progress.fileCount > 1
      ? "\(name) (\(progress.fileNumber) of \(progress.fileCount))" : name
  }
}
