/* Searches the sections of the site. `/` goes to the field, the arrow keys to the results, and Escape back. */

const MAX_RESULTS = 12;
const CONTEXT = 60;

const field = document.querySelector("#search");
const box = document.querySelector("#results");
const list = box.querySelector("ol");
const status = box.querySelector("[role=status]");

// On a phone the menu would fill the screen.
if (innerWidth < 700) document.querySelector("nav details").open = false;

/** Sections with all words. A word in a heading counts most. */
function find(words) {
  const scored = SECTIONS.flatMap((section) => {
    const [heading, page, text] = [section.heading, section.page, section.text].map((part) => part.toLowerCase());
    const scores = words.map(
      (word) => (heading.includes(word) ? 10 : 0) + (page.includes(word) ? 4 : 0) + (text.includes(word) ? 1 : 0),
    );
    return scores.includes(0) ? [] : [{section, score: scores.reduce((sum, score) => sum + score, 0)}];
  });
  return scored.sort((one, other) => other.score - one.score).map(({section}) => section);
}

function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - CONTEXT);
  const [before, rest] = start > 0 ? ["… ", text.slice(start).replace(/^\S*\s/, "")] : ["", text];
  return rest.length > 3 * CONTEXT ? `${before}${rest.slice(0, 3 * CONTEXT).replace(/\s\S*$/, "")} …` : before + rest;
}

function resultItem({url, page, heading, text}, words) {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.href = url;
  link.appendChild(document.createElement("b")).textContent = heading;
  link.append(` ${page}`);
  item.appendChild(document.createElement("p")).textContent = excerpt(text, words);
  return item;
}

function update() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  box.hidden = words.length === 0;
  if (words.length === 0) return;
  const results = find(words);
  const shown = results.slice(0, MAX_RESULTS);
  status.textContent = results.length === 1 ? "1 section" : `${results.length} sections`;
  list.replaceChildren(...shown.map((section) => resultItem(section, words)));
}

function moveFocus(step) {
  const stops = [field, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement);
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
}

field.addEventListener("input", update);
list.addEventListener("click", (event) => {
  // A section of this page loads nothing.
  if (event.target.closest("a")) close();
});

function close() {
  field.value = "";
  update();
}

addEventListener("keydown", (event) => {
  const isSearching = !box.hidden && (event.target === field || box.contains(event.target));
  if (event.key === "/" && event.target !== field) field.focus();
  else if (event.key === "Escape" && isSearching) {
    close();
    field.focus();
  } else if (event.key === "ArrowDown" && isSearching) moveFocus(1);
  else if (event.key === "ArrowUp" && isSearching) moveFocus(-1);
  else if (event.key === "Enter" && event.target === field) list.querySelector("a")?.click();
  else return;
  event.preventDefault();
});
