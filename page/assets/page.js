// Draws every plot of the page, one at a time so that it can be scrolled
// meanwhile, and keeps them in step with the window, the scheme and the printer.
//
// On the root element, data-plots counts the plots drawn, data-ready says that
// all were tried, and data-error holds the first error.

const plots = [];
const root = document.documentElement;

function fail(error) {
  root.dataset.error ??= String(error);
  const notice = document.getElementById("_error");
  notice.textContent = "Some of this page could not be drawn: " + root.dataset.error;
  notice.hidden = false;
}

function drawAll(figures) {
  const next = figures.shift();
  if (!next) return finish();
  try {
    plots.push(new Plot(next));
  } catch (error) {
    fail(error);
  }
  setTimeout(drawAll, 0, figures);
}

function finish() {
  root.dataset.plots = document.querySelectorAll("[data-drawn]").length;
  root.dataset.ready = "";
}

function restyleAll() {
  schemeButton.textContent = currentScheme() === "dark" ? "Light" : "Dark";
  plots.forEach(plot => plot.restyle());
}

function switchScheme() {
  const scheme = currentScheme() === "dark" ? "light" : "dark";
  setScheme(scheme);
  rememberScheme(scheme);
  restyleAll();
}

// Paper is white, and narrower than most windows.
function print(event) {
  const before = event.type === "beforeprint";
  setScheme(before ? "light" : rememberedScheme());
  root.classList.toggle("printing", before);
  plots.forEach(plot => plot.resize());
  restyleAll();
}

const schemeButton = document.getElementById("_scheme");
schemeButton.hidden = false;
schemeButton.addEventListener("click", switchScheme);
systemDark.addEventListener("change", restyleAll);

addEventListener("error", event => fail(event.message));
addEventListener("beforeprint", print);
addEventListener("afterprint", print);
new ResizeObserver(() => plots.forEach(plot => plot.resize())).observe(document.querySelector("main"));

restyleAll();
drawAll([...document.querySelectorAll("figure.plot")]);
