import DatastoreCore
import SwiftDatastore

extension Lane {
  /// Answers that are opened as tables.
  static let openingAnswer = Lane("opening an answer", .latest)
  /// Rows that are copied into the file of the answer that is shown.
  static let fillingAnswer = Lane("filling an answer", .latest, atEnd: .cancelled)
}

extension Effect {
  /// Asks for an answer, and shows it above everything as soon as its first rows are there.
  static func openAnswer(_ request: AnswerRequest) -> Effect {
    .work { $0.openAnswer(request, of: $0.view.store, replaces: false) }
  }

  /// Asks the same as the answer that is shown once more, and shows that in its place.
  static var readAnswerAgain: Effect {
    .work { runner in
      guard let copy = runner.service(PresentAnswer.self).copy else { return }
      runner.openAnswer(AnswerRequest(copy.request.sql), of: copy.source, replaces: true)
    }
  }

  static var stopOpeningAnswer: Effect { .work { $0.cancel(.openingAnswer) } }

  /// Copies the rest of the rows of the answer that is shown.
  static func fillAnswer(_ copy: AnswerCopy) -> Effect {
    .work { runner in
      runner.service(PresentAnswer.self).copy = copy
      runner.perform(in: .fillingAnswer) { await $0.fill(copy) }
    }
  }

  static var stopFillingAnswer: Effect { .work { $0.cancel(.fillingAnswer) } }
}

/// The answer that is shown.
private final class PresentAnswer: EffectService {
  var copy: AnswerCopy?

  init(_ runner: EffectRunner) {}
}

extension EffectRunner {
  fileprivate func openAnswer(
    _ request: AnswerRequest, of source: any StoreEngine, replaces: Bool
  ) {
    perform(in: .openingAnswer) { runner in
      let stream = AnswerStream()
      do {
        let copy = try await withTaskCancellationHandler {
          try await BlockingWork.run { try AnswerCopy(request, of: source, stream) }
        } onCancel: {
          stream.close()
        }
        guard !Task.isCancelled else {
          await BlockingWork.run { copy.close() }
          return
        }
        runner.send(AnswerEvent.opened(copy, replaces: replaces))
      } catch is CancellationError {
        runner.send(AnswerEvent.notOpened(nil))
      } catch {
        let error = error as? SQLTextError
        runner.send(
          AnswerEvent.notOpened(error?.message ?? String(describing: error)))
      }
    }
  }

  fileprivate func fill(_ copy: AnswerCopy) async {
    let (reports, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let latest = Lock<Int?>(nil)
    let filling = Task {
      defer { continuation.finish() }
      try await copy.fill { rows in
        latest.withLock { $0 = rows }
        continuation.yield(rows)
      }
    }
    await withTaskCancellationHandler {
      for await rows in reports { send(AnswerEvent.read(rows)) }
      let isStopped = Task.isCancelled
      do {
        try await filling.value
        // Who is stopped hears no more reports.
        if let rows = latest.withLock({ $0 }) { send(AnswerEvent.read(rows)) }
        // The last rows are merged and shown before the end is reported.
        await drainMainQueue()
        await settleList()
        send(AnswerEvent.ended(isStopped ? .stopped : .whole))
      } catch  where isStopped {
        send(AnswerEvent.ended(.stopped))
      } catch {
        send(AnswerEvent.ended(.failed(String(describing: error))))
      }
    } onCancel: {
      copy.stopReading()
    }
  }
}

/// What comes of an answer that is opened as a table.
enum AnswerEvent: BrowserEvent {
  case opened(AnswerCopy, replaces: Bool)
  /// Why it could not be; nil where it was stopped.
  case notOpened(String?)
  /// So many rows are there.
  case read(Int)
  case ended(AnswerState.Phase)

  func apply(to state: inout BrowserState) {
    switch self {
    case .opened(let copy, let replaces):
      state.request(.terminal(.showAbove(copy, replaces: replaces)))
    case .notOpened(let reason):
      state.dropTypedAhead()
      state.message = BrowserState.Message(
        text: reason ?? "The statement was stopped.", severity: reason == nil ? .warning : .error)
    case .read(let rows): state.answer?.rows = rows
    case .ended(let phase):
      state.answer?.phase = phase
      if case .failed(let reason) = phase {
        state.message = BrowserState.Message(
          text: "Not all rows of the answer could be read: \(reason)", severity: .error)
      }
    }
  }
}
