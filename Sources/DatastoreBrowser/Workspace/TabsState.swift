import DatastoreCore
import TerminalUI

/// Places that are kept side by side, each with its own way back.
struct TabsState: FeatureState {
  /// A tab that is not shown now.
  struct Tab: Sendable {
    var place: BrowserState.Place
    var history: [BrowserState.Place] = []
    var forwardHistory: [BrowserState.Place] = []
  }

  /// The number of the one that is shown.
  var current = 1
  var others: [Int: Tab] = [:]

  init() {}

  /// Their numbers.
  static let all = 1...9

  /// All that are open, in their order.
  var numbers: [Int] { (others.keys + [current]).sorted() }
}

extension BrowserState {
  var tabs: TabsState {
    get { self[TabsState.self] }
    _modify { yield &self[TabsState.self] }
  }

  /// Shows a tab; one that is not there yet begins with what is shown now.
  mutating func goToTab(_ number: Int) {
    guard number != tabs.current else {
      message = Message(text: "This is tab \(number).", severity: .information)
      return
    }
    guard var left = place else { return }
    left.table.releaseLargeList()
    let before = tabs.current
    tabs.others[before] = TabsState.Tab(
      place: left, history: history, forwardHistory: forwardHistory)
    tabs.current = number
    guard let tab = tabs.others.removeValue(forKey: number) else {
      (history, forwardHistory) = ([], [])
      message = Message(
        text:
          "Tab \(number) begins with the same view. Press \(before) to go back, gc to close it.",
        severity: .information)
      return
    }
    (history, forwardHistory) = (tab.history, tab.forwardHistory)
    show(tab.place)
  }

  /// Shows the next of the open tabs, or the one before.
  mutating func goToTab(by step: Int) {
    let numbers = tabs.numbers
    guard let place = numbers.firstIndex(of: tabs.current) else { return }
    goToTab(numbers[(place + step + numbers.count) % numbers.count])
  }

  /// Closes the tab that is shown and shows the one before it.
  mutating func closeTab() {
    let closed = tabs.current
    guard let next = tabs.others.keys.filter({ $0 < closed }).max() ?? tabs.others.keys.min(),
      let tab = tabs.others.removeValue(forKey: next)
    else { return }
    tabs.current = next
    (history, forwardHistory) = (tab.history, tab.forwardHistory)
    show(tab.place)
  }
}

extension DisabledReason {
  static let oneTab = DisabledReason {
    $0.tabs.others.isEmpty ? "There is one tab only. Press 2 to open another one." : nil
  }
}
