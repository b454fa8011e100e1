import Basics
import DatastoreCore
import SwiftDatastore

import struct Foundation.URL

/// Starts the work of effects: reads the store off the main actor and sends what it finds as events.
///
/// Every piece of work is registered before it begins, so that `isIdle` is never true too early. What
/// features keep between their effects is in services of their own.
@MainActor
final class EffectRunner {
  let datastore: SwiftDatastore
  let view: SwiftDatastoreViewContext
  let environment: EffectEnvironment
  /// What objects are called.
  var labels: Labels
  var schema: Schema { datastore.schema }
  /// Receives the results.
  var send: (any BrowserEvent) -> Void = { _ in }
  /// Called whenever the last piece of work has ended.
  var becameIdle: () -> Void = {}

  private var work: [Int: Task<Void, Never>] = [:]
  private var lastWork = 0
  /// The last piece of work of each lane, also when it has ended.
  private var lanes: [Lane: (number: Int, task: Task<Void, Never>)] = [:]
  private var services: [ObjectIdentifier: any EffectService] = [:]

  init(_ datastore: SwiftDatastore, _ environment: EffectEnvironment = EffectEnvironment()) {
    self.datastore = datastore
    self.environment = environment
    view = datastore.sharedViewContext
    labels = Labels(datastore.schema, datastore.annotations)
  }

  /// Whether nothing is being done.
  var isIdle: Bool { work.isEmpty }

  /// Begins a piece of work and keeps it until it has ended; returns its number.
  func register(
    in lane: Lane?, _ body: @escaping @MainActor (EffectRunner) async -> Void
  ) -> Int {
    lastWork += 1
    let number = lastWork
    let task = Task { @MainActor in
      await body(self)
      work[number] = nil
      if work.isEmpty { becameIdle() }
    }
    work[number] = task
    if let lane { lanes[lane] = (number, task) }
    return number
  }

  /// Cancels a piece of work; it stays registered until it has noticed.
  func cancel(_ number: Int) { work[number]?.cancel() }

  /// The latest work of a lane, also when it has ended.
  func latest(in lane: Lane) -> Task<Void, Never>? { lanes[lane]?.task }

  /// Starts an effect that is not the terminal's.
  func start(_ effect: Effect) {
    switch effect {
    case .work(_, let start): start(self)
    case .terminal: trap("the owner of the terminal carries out effects on it")
    }
  }

  /// What a feature keeps between its effects. It is made when it is first asked for.
  func service<Service: EffectService>(_ type: Service.Type) -> Service {
    if let service = services[ObjectIdentifier(type)] as? Service { return service }
    let service = Service(self)
    services[ObjectIdentifier(type)] = service
    return service
  }

  /// Cancels everything but the work that is to be completed.
  func stop() {
    let kept = Set(lanes.filter { $0.key.atEnd == .completed }.map(\.value.number))
    for (number, task) in work where !kept.contains(number) { task.cancel() }
    for service in services.values { service.stop() }
  }

  /// Returns when no work runs any more that has to be waited for, what it has started included.
  func finish() async {
    while let task = lanes.first(where: { $0.key.atEnd != .abandoned && isRunning($0.value.number) }
    )?
    .value.task {
      await task.value
    }
  }

  private func isRunning(_ number: Int) -> Bool { work[number] != nil }
}

/// What the browser was started with, as far as effects use it.
struct EffectEnvironment: Sendable {
  /// What that is about which outlives the browser; nil keeps nothing of it.
  var subject: KeptSubject?
  /// The database that is shown, where it is in a server.
  var server: KeptServer?
  /// Where the browser keeps what outlives it; nil keeps nothing.
  var stateDirectory: URL?
  /// Whether what the user says of the file outlives the program.
  var keepsAnnotations = true
  /// The files of saved filters and of those that were used; nil keeps them for this run only.
  var filterFiles: (saved: URL, history: URL)?
  /// Where scheme files to choose from are.
  var themeFolders: [URL] = []
  /// Lists with more rows are read where they are looked at; a million without it.
  var mostKeys: Int?
}

/// What a feature keeps between its effects, one of each kind in a runner.
@MainActor
protocol EffectService: AnyObject {
  init(_ runner: EffectRunner)
  /// The browser is left, or continues with another runner.
  func stop()
}

extension EffectService {
  func stop() {}
}
