import Basics
import DatastoreCore
import DatastoreExport
import DatastoreImport
import SwiftDatastore
import TerminalUI

extension Effect {
  /// Writes the current rows of the copy into files.
  static func write(_ files: [SourceFile]) -> Effect {
    .answer(in: Lane("source files", .inOrder, atEnd: .completed)) { runner -> SourceFileEvent in
      let store = runner.view.store
      let event = await BlockingWork.run { () -> SourceFileEvent in
        var written: [SourceFile] = []
        var sentences: [String] = []
        for var file in files {
          do {
            sentences.append(SourceFileEvent.sentence(try file.write(store), file.name))
            written.append(file)
          } catch {
            return .failed(written: written, SourceFileEvent.sentence(error, file))
          }
        }
        return .written(written, sentences.joined(separator: " "))
      }
      if case .written = event {
        runner.service(StagingFeed.self).savingHasAdvanced(.writtenIntoFiles)
      }
      return event
    } as: {
      SourceFileEvent($0)
    }
  }
}

/// The events of writing source files.
enum SourceFileEvent: BrowserEvent {
  case written([SourceFile], String)
  /// A file could not be written, for this reason; some were written before it.
  case failed(written: [SourceFile], String)

  init(_ result: Result<SourceFileEvent, EffectFailure>) {
    switch result {
    case .success(let event): self = event
    case .failure(let error): self = .failed(written: [], String(describing: error))
    }
  }

  func apply(to state: inout BrowserState) {
    state.editing.isSaving = false
    switch self {
    case .written(let files, let sentence):
      state.sourceFiles.record(written: files)
      state.tell(sentence, .success)
      if state.editing.leavesAfterSaving { state.finish() }
    case .failed(let files, let reason):
      state.sourceFiles.record(written: files)
      state.editing.leavesAfterSaving = false
      state.ask(
        title: "Not everything was written",
        message: reason + "\nThe changes are in the copy that is shown; saving tries again.",
        answers: [Question.Answer("esc", "close") { _ in }], role: .error)
    }
  }

  static func sentence(_ changes: RewriteChanges, _ name: String) -> String {
    var parts: [String] = []
    if changes.changed > 0 {
      parts.append("\(CountText.counted(changes.changed, "record")) changed")
    }
    if changes.inserted > 0 { parts.append("\(CountText.grouped(changes.inserted)) added") }
    if changes.deleted > 0 { parts.append("\(CountText.grouped(changes.deleted)) removed") }
    return
      "Wrote \(name): \(parts.isEmpty ? "it was like that already" : parts.joined(separator: ", "))."
  }

  static func sentence(_ error: any Error, _ file: SourceFile) -> String {
    switch error {
    case let refused as SourceFile.Refused: "\(file.name) was not written: \(refused.description)"
    case let refusal as RewriteRefusal: "\(file.name) was not written: \(refusal.description)."
    case ExportError.cannotCreate(_, let reason), ExportError.cannotWrite(_, let reason):
      "\(file.name) was not written: \(reason)."
    default: "\(file.name) was not written. \(error)"
    }
  }
}

extension BrowserState {
  /// Writes the saved changes into the source files, too.
  mutating func writeSourceFiles(of entities: Set<EntityIndex>) {
    sourceFiles.behind.formUnion(
      entities.compactMap { index in
        let name = schema.entities[index].name
        return sourceFiles.files[name] == nil ? nil : name
      })
    let files = sourceFiles.behind.sorted().compactMap { sourceFiles.files[$0] }
    guard !files.isEmpty else { return }
    editing.isSaving = true
    request(.write(files))
  }

  /// Starts to save the staged changes; if that writes a file, shows the changes first.
  mutating func saveOrReview() {
    if sourceFiles.files.isEmpty { return save() }
    if editing.marks.isEmpty { return writeSourceFiles(of: []) }
    open(ReviewScreen())
    let names = sourceFiles.files.values.map(\.name).sorted().joined(separator: ", ")
    tell(
      "These changes go into \(names); press \(key(of: "save")) again to write them.", .information)
  }
}
