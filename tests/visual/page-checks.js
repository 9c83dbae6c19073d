/* Runs in the page. Each check names what a reader would stumble over. A part of a page that is not shown is not checked. */

/** Rounding of fractions of a pixel is no fault. */
const TOLERANCE = 1;
const MIN_CONTRAST = 4.5;

// biome-ignore lint/correctness/noUnusedVariables: the test calls it
function complaints() {
  const texts = shownTexts();
  return [...scrolling(), ...cutTexts(texts), ...firstLine(texts), ...overlaps(texts), ...faint(texts), ...bareLinks()];
}

/** Every line of visible text, with its box as far as scroll boxes around it show it. */
function shownTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || !element.checkVisibility() || ["STYLE", "SCRIPT"].includes(element.tagName))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 0 && box.height > 0) texts.push({node, element, box, shown: clipped(box, element)});
  }
  return texts;
}

const isScrollBox = (element) => /auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX);

function clipped({left, right, top, bottom}, element) {
  let shown = {left, right, top, bottom};
  for (let around = element; around !== document.body && around !== null; around = around.parentElement) {
    if (!isScrollBox(around)) continue;
    const box = around.getBoundingClientRect();
    shown = {...shown, left: Math.max(shown.left, box.left), right: Math.min(shown.right, box.right)};
  }
  return shown;
}

const quote = ({node}) => JSON.stringify(node.data.trim().slice(0, 40));

/** The page itself must not scroll sideways. */
function scrolling() {
  const extra = document.scrollingElement.scrollWidth - innerWidth;
  return extra > 0 ? [`scrolls sideways by ${extra} px`] : [];
}

/** Text outside of the window, except in a table or code that scrolls in its own box. */
function cutTexts(texts) {
  return texts
    .filter(({box, element}) => {
      const scroller = element.closest("table, pre");
      if (scroller !== null && isScrollBox(scroller)) return false;
      const frame = element.closest(".body, header")?.getBoundingClientRect() ?? {left: 0, right: innerWidth};
      return box.left < frame.left - TOLERANCE || box.right > frame.right + TOLERANCE;
    })
    .map((text) => `cut off: ${quote(text)}`);
}

/** The verdict has to be read without any scrolling, also on a phone. */
function firstLine(texts) {
  const bodies = [...document.querySelectorAll(".body")];
  const paragraph = bodies.at(-1)?.querySelector("p, li");
  const lines = texts.filter(({element}) => paragraph?.contains(element));
  if (lines.length === 0) return ["no first line"];
  const hidden = lines.filter(
    ({box, shown}) => box.right - shown.right > TOLERANCE || box.bottom > innerHeight || box.right > innerWidth,
  );
  return hidden.map((text) => `first line not visible in full: ${quote(text)}`);
}

/** Two texts on top of each other. */
function overlaps(texts) {
  const wrong = [];
  for (const [index, one] of texts.entries())
    for (const other of texts.slice(index + 1)) {
      const width = Math.min(one.shown.right, other.shown.right) - Math.max(one.shown.left, other.shown.left);
      const height = Math.min(one.shown.bottom, other.shown.bottom) - Math.max(one.shown.top, other.shown.top);
      // the boxes of neighbouring lines touch where a line has code in it
      if (width > TOLERANCE && height > 4) wrong.push(`overlap: ${quote(one)} and ${quote(other)}`);
    }
  return wrong;
}

function faint(texts) {
  return texts.flatMap((text) => {
    const back = background(text.element);
    const ratio = contrast(over(channels(getComputedStyle(text.element).color), back), back);
    return ratio < MIN_CONTRAST ? [`contrast ${ratio.toFixed(1)}: ${quote(text)}`] : [];
  });
}

function bareLinks() {
  return [...document.querySelectorAll("a")]
    .filter((link) => link.textContent.trim() === "")
    .map((link) => `a link without text: ${link.href}`);
}

const channels = (color) => {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
  return [red, green, blue, alpha];
};

/** One colour painted over an opaque one. */
const over = ([red, green, blue, alpha], below) =>
  [red, green, blue].map((value, index) => value * alpha + below[index] * (1 - alpha));

function background(element) {
  if (element === null) return [255, 255, 255];
  const color = channels(getComputedStyle(element).backgroundColor);
  return color[3] === 1 ? color.slice(0, 3) : over(color, background(element.parentElement));
}

/** By WCAG 2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color) {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
