"use strict";

// Everything on the pages can be read without this file: it only chooses what is shown and copies lines.

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

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const range = document.createRange();
    range.selectNodeContents(button.previousElementSibling);
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

// Search over all pages: the list is a file of its own, read when somebody first asks for it.
for (const input of document.querySelectorAll("[data-search]")) {
  const results = input.closest("form").querySelector("ul");
  const status = input.closest("form").querySelector("output");
  const limit = 30;
  let asked = false;
  const find = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.replaceChildren();
    status.textContent = "";
    if (words.length === 0 || !window.SEARCH) return;
    const found = [];
    for (const [title, path, kind, text] of window.SEARCH) {
      const name = title.toLowerCase();
      const all = `${name} ${kind} ${text.toLowerCase()}`;
      if (words.every((word) => all.includes(word))) found.push([words.filter((word) => name.includes(word)).length, title, path, kind]);
    }
    found.sort((a, b) => b[0] - a[0]);
    for (const [, title, path, kind] of found.slice(0, limit)) {
      const link = document.createElement("a");
      link.href = path;
      link.textContent = title;
      const of = document.createElement("span");
      of.className = "small";
      of.textContent = ` ${kind}`;
      const item = document.createElement("li");
      item.append(link, of);
      results.append(item);
    }
    status.textContent = found.length > limit ? `${found.length} found, ${limit} shown` : `${found.length} found`;
  };
  const ask = () => {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = "assets/search.js";
    script.addEventListener("load", find);
    document.head.append(script);
  };
  input.addEventListener("focus", ask);
  input.addEventListener("input", () => {
    ask();
    find();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = "";
      find();
    }
  });
  input.closest("form").addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  input.closest("form").hidden = false;
}

// What was hidden above a target has moved it.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
