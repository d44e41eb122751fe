"use strict";

// Everything on the pages can be read without this file: it only chooses what is shown and copies lines.

if (matchMedia("(max-width: 49.99rem)").matches) for (const long of document.querySelectorAll("details.long")) long.open = false;

for (const picker of document.querySelectorAll("[data-picker]")) {
  const form = picker.querySelector("form");
  const families = form.querySelectorAll("[data-family]");
  const show = () => {
    const family = form.querySelector("fieldset:first-child input:checked").value;
    for (const fieldset of families) fieldset.hidden = fieldset.dataset.family !== family;
    const item = form.querySelector(`[data-family="${family}"] input:checked`).value;
    for (const run of picker.querySelectorAll("[data-run]")) run.hidden = run.dataset.run !== `${family}-${item}`;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", show);
  form.hidden = false;
  show(); // a reloaded page keeps its radio buttons
}

// A drawing or a dialogue, step by step: whole at first, then as far as the reader has gone, with the present step marked.
for (const form of document.querySelectorAll("[data-stepper]")) {
  const whole = form.closest("[data-steps]");
  const parts = [...whole.querySelectorAll("[data-step]")];
  const captions = [...whole.querySelectorAll("[data-caption]")].map((one) => one.textContent);
  const range = form.querySelector("input");
  const output = form.querySelector("output");
  const show = () => {
    const now = Number(range.value);
    for (const part of parts) {
      part.classList.toggle("later", Number(part.dataset.step) > now);
      part.classList.toggle("now", Number(part.dataset.step) === now);
    }
    output.textContent = `${now} of ${range.max}: ${captions[now - 1]}`;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  range.addEventListener("input", show);
  form.addEventListener("click", (event) => {
    const { to, by } = event.target.dataset;
    if (to === undefined && by === undefined) return;
    range.value = to ?? Number(range.value) + Number(by); // a range keeps to its ends
    show();
  });
  range.value = range.max; // also on a reloaded page
  form.hidden = false;
}

for (const command of document.querySelectorAll(".command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  command.append(button);
  button.addEventListener("click", () => {
    const range = document.createRange();
    range.selectNodeContents(command.firstElementChild);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    button.textContent = document.execCommand("copy") ? "copied" : "selected"; // navigator.clipboard is closed to pages from disk
  });
}

for (const input of document.querySelectorAll("[data-filter]")) {
  const entries = [...document.querySelectorAll(input.dataset.filter)];
  const texts = entries.map((entry) => entry.textContent.toLowerCase());
  const output = input.closest(".filter").querySelector("output");
  input.closest(".filter").hidden = false;
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase().trim();
    let count = 0;
    entries.forEach((entry, index) => {
      entry.hidden = !texts[index].includes(wanted);
      count += entry.hidden ? 0 : 1;
    });
    output.textContent = wanted ? `${count} of ${entries.length}` : "";
  });
}

// The map: rows by words, paper, family and status; columns by architecture. Two architectures stand side by side, without rows that
// say nothing of either.
for (const form of document.querySelectorAll("[data-map]")) {
  const table = form.parentElement.querySelector(".map table");
  const rows = [...table.tBodies[0].rows];
  const output = form.querySelector("output");
  const show = () => {
    const chosen = Object.fromEntries(new FormData(form));
    const words = chosen.words.toLowerCase().trim();
    const columns = [chosen.first, chosen.second].filter((one) => one !== "");
    const visible = (cell) => columns.length === 0 || columns.includes(cell.dataset.column);
    for (const cell of table.querySelectorAll("[data-column]")) cell.hidden = !visible(cell);
    table.classList.toggle("few", columns.length > 0);
    let count = 0;
    let bothOpen = 0;
    for (const row of rows) {
      const cells = [...row.querySelectorAll("td")].filter(visible);
      const statuses = cells.map((cell) => cell.dataset.status.split(" "));
      const silent = columns.length === 2 && !chosen.status && statuses.every((one) => one.join() === "open");
      row.hidden =
        !row.textContent.toLowerCase().includes(words) ||
        (chosen.paper !== "" && row.dataset.paper !== chosen.paper) ||
        (chosen.family !== "" && row.dataset.family !== chosen.family) ||
        (chosen.status !== "" && !statuses.some((one) => one.includes(chosen.status))) ||
        silent;
      cells.forEach((cell, index) => cell.classList.toggle("faint", chosen.status !== "" && !statuses[index].includes(chosen.status)));
      count += row.hidden ? 0 : 1;
      bothOpen += silent ? 1 : 0;
    }
    output.textContent = count === rows.length ? "" : `${count} of ${rows.length} tasks${bothOpen ? `; ${bothOpen} that are open on both are left out` : ""}`;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.hidden = false;
  show(); // a reloaded page keeps what was chosen
}

// Large lists are files of their own, compressed: window[name] is there once the document has heard `unpacked`.
window.unpack = async (name, base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  window[name] = JSON.parse(await new Response(stream).text());
  document.dispatchEvent(new Event("unpacked"));
};

// The sentence of the front page: every answer is in one file, and the page only looks it up.
for (const form of document.querySelectorAll("[data-ask]")) {
  const card = document.querySelector("[data-reply]");
  const show = () => {
    if (!window.ANSWERS) return;
    const { texts, answers } = window.ANSWERS;
    const chosen = (name) => Number(form.elements[name].value);
    const [tone, headline, run, ...reasons] = answers[chosen("task")][chosen("architecture")][chosen("N")];
    card.className = `reply ${texts[tone]}`;
    const line = document.createElement("p");
    line.className = "headline";
    line.textContent = texts[headline];
    const list = document.createElement("ul");
    for (const [text, link] of reasons) {
      const item = document.createElement("li");
      texts[text].split("`").forEach((part, index) => {
        const piece = document.createElement(index % 2 ? "code" : "span");
        piece.textContent = part;
        item.append(piece);
      });
      if (texts[link]) item.append(" ", linked(texts[link], "Why"));
      list.append(item);
    }
    card.replaceChildren(line, list);
    if (texts[run]) {
      const last = document.createElement("p");
      last.append(linked(texts[run], "Run the weights", "button"));
      card.append(last);
    }
  };
  const linked = (path, text, look = "") => {
    const link = document.createElement("a");
    link.href = path;
    link.textContent = text;
    link.className = look;
    return link;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", show);
  form.hidden = false;
  document.addEventListener("unpacked", show); // a reloaded page keeps what was chosen
}

// The grid of the map: what a cell says, at the pointer, on a tap, and where the arrow keys go.
for (const heat of document.querySelectorAll("[data-heat]")) {
  const tip = heat.querySelector("[data-tip]");
  const rows = [...heat.querySelectorAll("tbody tr:not(.family)")].map((row) => [...row.querySelectorAll("a.c")]);
  const cells = rows.flat();
  const said = new Map(); // the link of a cell -> its name and lines, as the table of the same map has them
  const heads = [...document.querySelectorAll("#table thead th")].slice(1).map((head) => head.textContent);
  for (const row of document.querySelectorAll("#table tbody tr")) {
    [...row.cells].slice(1).forEach((cell, column) => {
      const lines = [...cell.querySelectorAll("a.said")];
      const texts = lines.map((line) => line.textContent.trim());
      said.set(lines[0].getAttribute("href"), [`${row.cells[0].textContent.trim()}, ${heads[column]}`, ...texts]);
    });
  }
  for (const cell of cells) {
    const [name, ...lines] = said.get(cell.getAttribute("href"));
    cell.setAttribute("aria-label", `${name}: ${lines.join("; ")}`);
  }
  let shown = null;
  const hide = () => {
    tip.hidden = true;
    shown = null;
  };
  const show = (cell) => {
    const [name, ...texts] = said.get(cell.getAttribute("href"));
    const head = document.createElement("b");
    head.textContent = name;
    const lines = texts.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    });
    tip.replaceChildren(head, ...lines);
    tip.hidden = false;
    shown = cell;
    const [box, place] = [heat.getBoundingClientRect(), cell.getBoundingClientRect()];
    const left = Math.min(place.left - box.left, box.width - tip.offsetWidth);
    tip.style.left = `${Math.max(0, left)}px`;
    const above = place.top - box.top - tip.offsetHeight - 6;
    tip.style.top = `${place.bottom + tip.offsetHeight + 12 > innerHeight ? above : place.bottom - box.top + 6}px`;
  };
  cells.forEach((cell, index) => {
    cell.tabIndex = index ? -1 : 0; // one stop of the tab key; arrows go on from there
  });
  heat.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("a.c");
    if (cell && event.pointerType !== "touch") show(cell);
    else if (event.pointerType !== "touch") hide();
  });
  heat.addEventListener("pointerleave", hide);
  heat.addEventListener("focusin", (event) => event.target.matches("a.c") && show(event.target));
  heat.addEventListener("focusout", hide);
  let touched = false;
  let before = null;
  heat.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    before = shown; // the first tap shows, the second follows
  });
  heat.addEventListener("click", (event) => {
    const cell = event.target.closest("a.c");
    if (!cell || !touched || before === cell) return;
    event.preventDefault();
    show(cell);
  });
  heat.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const row = rows.findIndex((one) => one.includes(event.target));
    if (!step || row < 0) return;
    event.preventDefault();
    const next = rows[row + step[0]]?.[rows[row].indexOf(event.target) + step[1]];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

// Tables that a reader can sort: by numbers where both cells have one, else by words.
for (const table of document.querySelectorAll("table[data-sort]")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = (row) => (row.cells[column]?.dataset.value ?? row.cells[column]?.textContent ?? "").trim();
      const order = (a, b) => (Number.isFinite(Number(a)) && Number.isFinite(Number(b)) ? Number(a) - Number(b) : a.localeCompare(b));
      const rows = [...table.tBodies[0].rows].sort((a, b) => (up ? 1 : -1) * order(text(a), text(b)));
      table.tBodies[0].append(...rows);
    });
  });
}

// A recurrent model played by the reader: each string gets a state, and two strings in one state lose.
for (const form of document.querySelectorAll("[data-game]")) {
  const N = Number(form.dataset.game);
  const strings = Array.from({ length: 2 ** N }, (_, number) => number.toString(2).padStart(N, "0"));
  const states = strings.map(() => 0);
  const output = form.querySelector("output");
  const buttons = strings.map((string, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => {
      states[index] = (states[index] + 1) % room();
      show();
    });
    form.querySelector(".strings").append(button);
    return button;
  });
  const room = () => 2 ** Number(new FormData(form).get("bits"));
  const show = () => {
    strings.forEach((string, index) => {
      states[index] %= room();
      buttons[index].textContent = `${string} → state ${states[index] + 1}`;
      buttons[index].style.setProperty("--hue", `${(360 * states[index]) / 8}`);
      buttons[index].classList.remove("lost");
    });
    const second = states.findIndex((state, index) => states.indexOf(state) < index);
    if (second < 0) {
      output.textContent = `No two strings share a state: you can answer every question. It took ${2 ** N} states, which is ${N} bits.`;
      return;
    }
    const first = states.indexOf(states[second]);
    const place = [...strings[first]].findIndex((bit, at) => bit !== strings[second][at]);
    buttons[first].classList.add("lost");
    buttons[second].classList.add("lost");
    output.textContent =
      `${strings[first]} and ${strings[second]} both leave you in state ${states[first] + 1}. Asked for place ${place + 1}, ` +
      `you say the same to both; right are ${strings[first][place]} and ${strings[second][place]}.`;
  };
  form.querySelector("[data-deal]").addEventListener("click", () => {
    strings.forEach((_, index) => { states[index] = index % room(); });
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", show);
  form.hidden = false;
  show();
}

// Search over all pages: the list is a file of its own, read when somebody first asks for it.
for (const button of document.querySelectorAll("[data-find]")) {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.ariaLabel = "Search";
  dialog.innerHTML = `<form role="search" method="dialog">
    <input type="search" aria-label="Search" placeholder="mamba recall, KV cache, Theorem 1, …" autocomplete="off">
    <button type="submit">Close</button>
    <output aria-live="polite" class="small"></output>
    <ul></ul>
  </form>`;
  document.querySelector("main").before(dialog);
  const [input, results, status] = ["input", "ul", "output"].map((name) => dialog.querySelector(name));
  const limit = 12;
  const show = () => {
    results.replaceChildren();
    status.textContent = "";
    if (!input.value.trim() || !window.SEARCH) return;
    const found = ranked(input.value);
    for (const [title, path, kind, text] of found.slice(0, limit)) {
      const link = document.createElement("a");
      link.href = path;
      const name = document.createElement("b");
      name.textContent = title;
      const of = document.createElement("span");
      of.className = "kind";
      of.textContent = kind;
      const snippet = document.createElement("span");
      snippet.textContent = around(text, input.value);
      link.append(name, of, snippet);
      const item = document.createElement("li");
      item.append(link);
      results.append(item);
    }
    results.firstElementChild?.classList.add("first");
    status.textContent = found.length > limit ? `${found.length} found, the best ${limit} shown` : `${found.length} found`;
  };
  const open = () => {
    if (!window.SEARCH && !dialog.dataset.asked) {
      dialog.dataset.asked = "";
      const script = document.createElement("script");
      script.src = "assets/search.js";
      document.addEventListener("unpacked", show);
      document.head.append(script);
    }
    dialog.showModal();
    input.select();
  };
  const go = () => {
    const link = results.querySelector("a");
    if (!link) return;
    dialog.close();
    link.click();
  };
  button.hidden = false;
  button.addEventListener("click", open);
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // the form would close
    go();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  results.addEventListener("click", () => dialog.close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    open();
  });
}

// A word without its ending, so that `copying`, `copies` and `copy` meet.
function stem(word) {
  return word.length > 3 ? word.replace(/(ies|ying|y)$/, "i").replace(/(ations?|ing|ers?|es|ed|e|s)$/, "") : word;
}

function wordsOf(text) {
  return text.toLowerCase().replace(/[^a-z0-9.*]+/g, " ").split(" ").map((word) => word.replace(/^\.+|\.+$/g, "")).filter(Boolean);
}

// Pages by how well they fit: words of the title count most, then other names of the page, then its text. Synonyms join the words asked for.
function ranked(query) {
  const { list, synonyms, ignored } = window.SEARCH;
  let asked = ` ${wordsOf(query).join(" ")} `;
  for (const [phrase, words] of synonyms) asked = asked.replace(` ${phrase} `, ` ${words} `); // longer phrases come first
  const said = [...new Set(asked.trim().split(" "))].filter((word) => !ignored.includes(word));
  const wanted = said.map((word) => word.split("|").map(stem)); // any of several words will do
  if (wanted.length === 0) return [];
  window.SEARCH.indexed ??= list.map(([title, , kind, text, names, weight]) => ({
    title: wordsOf(title).filter((word) => !ignored.includes(word)).map(stem), names: wordsOf(names).map(stem), kind: wordsOf(kind).map(stem), text: wordsOf(text).map(stem), weight,
  }));
  const found = [];
  window.SEARCH.indexed.forEach((one, index) => {
    let [score, met, named] = [0, 0, 0];
    for (const any of wanted) {
      const worth = Math.max(...any.map((word) => {
        const starts = (words) => word.length > 2 && words.some((other) => other.startsWith(word));
        return one.title.includes(word) ? 10 : one.names.includes(word) ? 9 : starts(one.title) ? 5 : starts(one.names) ? 4 : one.kind.includes(word) ? 3 : one.text.includes(word) ? 2 : starts(one.text) ? 1 : 0;
      }));
      score += worth;
      met += worth > 0 ? 1 : 0;
      named += worth === 10 ? 1 : 0;
    }
    if (met === 0 || (met < wanted.length && met < 2)) return;
    const whole = named / Math.max(1, one.title.length); // a title that says nothing else comes first
    found.push([score * (met / wanted.length) ** 2 * one.weight + 4 * whole, index]);
  });
  found.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return found.map(([, index]) => list[index]);
}

// A piece of a text around the first word that was asked for.
function around(text, query) {
  const words = wordsOf(query).map(stem).filter((word) => word.length > 2);
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 60);
  const from = places.length && start > 0 ? text.indexOf(" ", start) + 1 : 0;
  const piece = text.slice(from, from + 160);
  return text.length > from + 160 ? `${from ? "… " : ""}${piece.slice(0, piece.lastIndexOf(" "))} …` : `${from ? "… " : ""}${piece}`;
}

// What was hidden above a target has moved it.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
