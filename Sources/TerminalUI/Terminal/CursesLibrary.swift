internal import CNCurses

/// The curses library that the process has loaded.
package enum CursesLibrary {
  package static var version: String { String(cString: curses_version()) }
}
