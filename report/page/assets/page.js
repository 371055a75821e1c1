// Draws the plots that can be seen, one at a time so that the page can be scrolled
// meanwhile, and keeps them in step with the window, the scheme and the printer.
//
// On the root element, data-plots counts the plots drawn, data-ready says that
// all that can be seen were tried, and data-error holds the first error.

const figures = [];
const waiting = new Set();
const root = document.documentElement;

function fail(error) {
  root.dataset.error ??= String(error);
  const notice = document.getElementById("_error");
  notice.textContent = "Some plots on this page could not be drawn: " + root.dataset.error;
  notice.hidden = false;
}

// drawIn draws what can be seen of a part of the page.
function drawIn(part) {
  const idle = waiting.size === 0;
  part.querySelectorAll("figure.plot:not([data-tried])").forEach(figure => closed(figure) || waiting.add(figure));
  delete root.dataset.ready;
  if (idle) setTimeout(drawNext, 0);
}

// closed says whether a figure is one of a case that is not open: without a width
// it cannot be drawn.
function closed(figure) {
  return figure.closest(".case:not([data-open])") !== null;
}

function drawNext() {
  const [next] = waiting;
  if (!next) return finish();
  waiting.delete(next);
  if (!closed(next) && !("tried" in next.dataset)) draw(next);
  setTimeout(drawNext, 0);
}

function draw(figure) {
  figure.dataset.tried = "";
  try {
    figures.push(new Figure(figure));
  } catch (error) {
    fail(error);
  }
}

function finish() {
  root.dataset.plots = document.querySelectorAll("[data-drawn]").length;
  root.dataset.ready = "";
}

function nameScheme() {
  schemeButton.textContent = currentScheme() === "dark" ? "Light" : "Dark";
}

function switchScheme() {
  const scheme = currentScheme() === "dark" ? "light" : "dark";
  setScheme(scheme);
  rememberScheme(scheme);
  nameScheme();
}

// Paper is white, narrower than most windows, and has all cases with all of their
// plots.
function print(event) {
  const before = event.type === "beforeprint";
  setScheme(before ? "light" : rememberedScheme());
  root.classList.toggle("printing", before);
  if (before) document.querySelectorAll("figure.plot:not([data-tried])").forEach(draw);
  figures.forEach(({plot}) => plot.resize());
  charts.restyle();
  nameScheme();
}

const schemeButton = document.getElementById("_scheme");
schemeButton.hidden = false;
schemeButton.addEventListener("click", switchScheme);
systemDark.addEventListener("change", nameScheme);

addEventListener("error", event => fail(event.message));
addEventListener("hashchange", follow);
addEventListener("beforeprint", print);
addEventListener("afterprint", print);

nameScheme();
document.querySelectorAll("figure.map").forEach(figure => new TileMap(figure));
const lists = [...document.querySelectorAll(".cases")].map(block => new Cases(block));
follow();
drawIn(document);
