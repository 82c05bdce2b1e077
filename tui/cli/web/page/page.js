// What the terminal of textual-serve lacks: a program that a reload comes back to, the keyboard
// without a click, and words for its end.
"use strict";

// Kept for this tab alone, also when it is loaded again. `crypto.randomUUID` needs HTTPS.
sessionStorage.tab ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
const tab = sessionStorage.tab;
const body = document.body;
const terminal = document.querySelector(".textual-terminal");
const goOn = document.querySelector(".ended a");
const WAYS = { elsewhere: "Show it here", lost: "Go on", unanswered: "Try again" };
terminal.dataset.sessionWebsocketUrl = `ws://${location.host}/socket/${tab}`;

async function sayWhatEnded() {
  let said = { state: "unanswered" };
  try {
    const answer = await fetch(`/state/${tab}`);
    said = answer.ok ? await answer.json() : said; // another server, with another key
  } catch {
    // the server is gone
  }
  document.querySelector(".reason").textContent = said.reason ?? "";
  body.dataset.state = said.state;
  goOn.textContent = WAYS[said.state] ?? "Open it again";
  goOn.focus();
}

// Without a server the browser would show an error of its own in place of our words.
goOn.addEventListener("click", async (event) => {
  if (body.dataset.state !== "unanswered") return;
  event.preventDefault();
  await sayWhatEnded();
  if (body.dataset.state !== "unanswered") location.reload();
});

new MutationObserver((changes) => {
  const before = changes[0].oldValue ?? "";
  const isNew = (name) => body.classList.contains(name) && !before.split(" ").includes(name);
  if (isNew("-loaded")) {
    // The socket is open. Who clicked before has the focus, which could not be told.
    const keyboard = terminal.querySelector(".xterm-helper-textarea");
    keyboard.blur();
    keyboard.focus();
  }
  if (isNew("-closed")) sayWhatEnded();
}).observe(body, { attributeFilter: ["class"], attributeOldValue: true });

// Keys that the browser handles, before the terminal takes them: F5 loads the page again, F11 fills
// the screen, F12 inspects it, and what Ctrl+V pastes comes to the terminal as a paste.
const OF_BROWSER = ["F5", "F11", "F12"];
addEventListener(
  "keydown",
  (event) => {
    const isPaste = event.ctrlKey && !event.altKey && event.key.toLowerCase() === "v";
    if (isPaste || OF_BROWSER.includes(event.key)) event.stopImmediatePropagation();
  },
  { capture: true },
);

// A page of another site gets no hold of this one. The terminal opens its own links without an
// address at first, and sees to that itself.
const open = window.open.bind(window);
window.open = (address) => (address ? open(address, "_blank", "noopener") : open());

// Browsers give the clipboard to this machine's own addresses and to HTTPS alone; elsewhere a key
// that was pressed just now allows to copy.
navigator.clipboard ?? Object.defineProperty(navigator, "clipboard", { value: { writeText: copy } });

async function copy(text) {
  const fill = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("copy", fill, { capture: true });
  document.execCommand("copy");
  removeEventListener("copy", fill, { capture: true });
}

// The right button opens the program's menu; with Shift, the browser's.
terminal.addEventListener("contextmenu", (event) => {
  if (!event.shiftKey) event.preventDefault();
});
