#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif
#include <curses.h>
#include <stdio.h>

// term.h cannot be included: its macros (lines, columns, bell, ...) would claim everyday names.
extern int tigetflag(const char *name);
extern int tigetnum(const char *name);
extern char *tigetstr(const char *name);

// stdout and stdin are global variables, which Swift 6 refuses as unsafe to share.
static inline SCREEN *cncurses_newterm(const char *type) { return newterm(type, stdout, stdin); }
// stdscr is a global variable.
static inline WINDOW *cncurses_screen(void) { return stdscr; }
// COLORS is a global variable.
static inline int cncurses_colors(void) { return COLORS; }
// KEY_F is a macro with an argument.
static inline int cncurses_key_function(int number) { return KEY_F(number); }

// The mouse masks are macros with casts and shifts.
static inline mmask_t cncurses_mouse_pressed(int button) {
  return NCURSES_MOUSE_MASK(button, NCURSES_BUTTON_PRESSED);
}
static inline mmask_t cncurses_mouse_released(int button) {
  return NCURSES_MOUSE_MASK(button, NCURSES_BUTTON_RELEASED);
}
static inline mmask_t cncurses_mouse_shift(void) { return BUTTON_SHIFT; }
static inline mmask_t cncurses_mouse_control(void) { return BUTTON_CTRL; }
static inline mmask_t cncurses_mouse_alt(void) { return BUTTON_ALT; }

// wcwidth is declared only with _XOPEN_SOURCE, which the importer of this header does not set.
extern int wcwidth(wchar_t character);

// tiparm has variable arguments. Without XM, curses itself switches the mouse off like this.
static inline const char *cncurses_mouse_off(void) {
  char *text = tigetstr("XM");
  return text == NULL || text == (char *)-1 ? "\033[?1000l" : tiparm(text, 0);
}

// A string of terminfo with its numbers put in.
static inline const char *cncurses_parameterised(const char *text, int first, int second) {
  return tiparm(text, first, second);
}

// Declared only with _GNU_SOURCE, which the importer does not set either.
extern int memfd_create(const char *name, unsigned int flags);
// A file in memory that no other program inherits: MFD_CLOEXEC.
static inline int cncurses_memory_file(const char *name) { return memfd_create(name, 1u); }

// putp is declared in term.h (see above); it sends a string that terminfo gave.
extern int putp(const char *text);

#endif
