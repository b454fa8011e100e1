import DatastoreCore
import TerminalUI

/// The tabs: places side by side, each with its own way back.
struct TabsState: FeatureState {
  /// A tab that is not shown now.
  struct Tab: Sendable {
    var place: BrowserState.Place
    var history: [BrowserState.Place] = []
    var forwardHistory: [BrowserState.Place] = []
  }

  /// The number of the current tab.
  var current = 1
  var others: [Int: Tab] = [:]

  init() {}

  /// The possible numbers of tabs.
  static let all = 1...9

  /// The numbers of all open tabs, in order.
  var numbers: [Int] { (others.keys + [current]).sorted() }
}

extension BrowserState {
  var tabs: TabsState {
    get { self[TabsState.self] }
    _modify { yield &self[TabsState.self] }
  }

  /// Shows a tab; a new tab begins with a copy of the current one.
  mutating func goToTab(_ number: Int) {
    guard number != tabs.current else { return tell("This is tab \(number).", .information) }
    guard var left = place else { return }
    left.table.releaseLargeList()
    let before = tabs.current
    tabs.others[before] = TabsState.Tab(
      place: left, history: history, forwardHistory: forwardHistory)
    tabs.current = number
    guard let tab = tabs.others.removeValue(forKey: number) else {
      (history, forwardHistory) = ([], [])
      return tell(
        "Tab \(number) begins with the same view. Press \(before) to go back, gc to close it.",
        .information)
    }
    (history, forwardHistory) = (tab.history, tab.forwardHistory)
    show(tab.place)
  }

  /// Shows the next of the open tabs, or the previous one; without others, that of the derived table.
  mutating func goToTab(by step: Int) {
    if tabs.others.isEmpty, let derived = derivedTable?.tabs {
      let tab = derived.all[(derived.current + step + derived.all.count) % derived.all.count]
      return request(.terminal(.leaveStore(tab.open)))
    }
    let numbers = tabs.numbers
    guard let place = numbers.firstIndex(of: tabs.current) else { return }
    goToTab(numbers[(place + step + numbers.count) % numbers.count])
  }

  /// Closes the current tab and shows the one before it.
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

  /// There is one tab only, also of the derived table.
  static let noTabToGoTo = DisabledReason { state in
    state.derivedTable?.tabs == nil ? oneTab.reason(state) : nil
  }
}
