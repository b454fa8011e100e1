/// The SQL console as the user left it.
struct ConsoleMemory: FeatureState {
  var kept: SQLConsole?
}

extension BrowserState {
  var keptConsole: SQLConsole? {
    get { self[ConsoleMemory.self].kept }
    _modify { yield &self[ConsoleMemory.self].kept }
  }
}
