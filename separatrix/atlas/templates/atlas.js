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
