"""The driver of the program while a page of a browser shows it: `callboard web`.

It speaks to the server over pipes, by the protocol of Textual's driver.
"""

from typing import Any

from textual import events
from textual.drivers.web_driver import WebDriver
from textual.theme import Theme

_MODES = "\x1b[?1049h\x1b[?25l\x1b[?1000h\x1b[?1003h\x1b[?1006h\x1b[?2004h"
"""What `start_application_mode` sets: the other screen, no cursor, the mouse, bracketed paste."""


class BrowserDriver(WebDriver):
    """Textual's driver, which knows the focus from the start and can go on in another page."""

    _has_focus = False

    def start_application_mode(self) -> None:
        super().start_application_mode()
        self._app.call_later(self._begin)

    def _begin(self) -> None:
        # Textual has queued that the focus is lost. A page that has the focus may have said so
        # before that: then Textual would forget it, and be without it until the next click.
        if self._has_focus:
            self._app.post_message(events.AppFocus())
        self._app.theme_changed_signal.subscribe(self._app, self._set_ground)
        self._set_ground(self._app.current_theme)

    def _set_ground(self, _: Theme) -> None:
        # The rest of the page, where there is no room for another line or column, is of this color.
        ground = self._app.theme_variables["background"]
        self.write(f"\x1b]11;{ground}\a" if ground.startswith("#") else "\x1b]111\a")

    def on_meta(self, packet_type: str, payload: dict[str, Any]) -> None:
        """Handle what the server says. Runs in the thread that reads it."""
        if packet_type in {"focus", "blur"}:
            self._has_focus = packet_type == "focus"
        if packet_type == "page":
            self._app.call_later(self._draw_anew)
        else:
            super().on_meta(packet_type, payload)

    def _draw_anew(self) -> None:
        self.write(_MODES)
        self._set_ground(self._app.current_theme)
        self._app.refresh()
