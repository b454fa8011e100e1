internal import CNCurses

/// The curses that is loaded.
package enum CursesLibrary {
  /// Its name and version.
  package static var version: String { String(cString: curses_version()) }
}
