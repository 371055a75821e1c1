// Drives a browser for tests in Go: a step a line on standard input, its answer a
// line on standard output. Steps of several tabs may be under way at a time; an answer
// has the number of its step.
//
//   {"number": 7, "do": "hover", "tab": 0, "on": ".tiles", "x": 0.5, "y": 0.2}
//   {"number": 7, "value": null}

import {createInterface} from "node:readline";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

const PATIENCE = 60_000; // milliseconds for a step: a loaded machine draws slowly

const browser = await chromium.launch({
  executablePath: process.argv[2],
  args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--js-flags=--expose-gc", "--enable-precise-memory-info"],
});
const tabs = [];
const idle = new Map(); // pages that nobody looks at any more, by the preferences of their reader

// open opens a file where nothing else can be reached, or an address where nothing
// but its server is asked, and notes what the page complains of and asks for.
async function open({file, address: server, fragment, width, height, dark, noScript, zone, alone}) {
  const reader = {
    viewport: {width, height},
    colorScheme: dark ? "dark" : "light",
    javaScriptEnabled: !noScript,
    reducedMotion: "reduce",
    offline: !server,
    timezoneId: zone || undefined,
  };
  const kind = JSON.stringify(reader);
  const page = (alone ? undefined : idle.get(kind)?.pop()) ?? await fresh(reader);
  const address = server ?? pathToFileURL(file).href, complaints = [];
  const own = url => server ? url.startsWith(new URL(server).origin + "/") : url === address;
  page.on("console", message => ["error", "warning"].includes(message.type()) && complaints.push(`console: ${message.text()}`));
  page.on("pageerror", error => complaints.push(`error: ${error}`));
  page.on("request", request => {
    const url = request.url().split("#")[0];
    if (!own(url) && !url.startsWith("data:")) complaints.push(`request: ${url}`);
  });
  await page.goto(fragment ? `${address}#${fragment}` : address);
  tabs.push({page, complaints, script: !noScript, kind});
  return tabs.length - 1;
}

// fresh opens a window with preferences of its own. To start one takes longer than to
// look at most pages.
async function fresh(reader) {
  const context = await browser.newContext(reader);
  context.setDefaultTimeout(PATIENCE);
  return await context.newPage();
}

// leave empties a page, as if it had never been looked at, for the next reader.
async function leave({page, kind}) {
  page.removeAllListeners();
  await page.emulateMedia({media: null});
  await page.mouse.move(0, 0);
  await page.evaluate(() => localStorage.clear()).catch(() => undefined); // a file has none
  await page.goto("about:blank");
  idle.set(kind, [...idle.get(kind) ?? [], page]);
}

// place is a point of an element in the window, given in shares of its width and
// height. What scrolls sideways is scrolled to it.
async function place(page, on, x, y) {
  const element = page.locator(on).first();
  await element.scrollIntoViewIfNeeded();
  await element.evaluate((element, x) => {
    for (let around = element.parentElement; around; around = around.parentElement) {
      const {left, width} = element.getBoundingClientRect(), frame = around.getBoundingClientRect();
      if (around.scrollWidth > around.clientWidth) around.scrollLeft += left + x * width - frame.left - around.clientWidth / 2;
    }
  }, x);
  const box = await element.boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

const steps = {
  async click({page}, {on}) {
    await page.locator(on).first().click();
  },
  async hover({page}, {on, x, y}) {
    await page.mouse.move(...await place(page, on, x, y), {steps: 3});
  },
  async drag({page}, {on, x, to}) {
    await page.mouse.move(...await place(page, on, x, 0.5));
    await page.mouse.down();
    await page.mouse.move(...await place(page, on, to, 0.5), {steps: 5});
    await page.mouse.up();
  },
  async press({page}, {key}) {
    await page.keyboard.press(key);
  },
  async focus({page}, {on}) {
    await page.locator(on).first().focus();
  },
  async type({page}, {key}) {
    await page.keyboard.type(key);
  },
  async go({page}, {fragment}) {
    await page.evaluate(fragment => new Promise(noticed => {
      if (location.hash === `#${fragment}`) return noticed();
      addEventListener("hashchange", () => noticed(), {once: true});
      location.hash = fragment;
    }), fragment);
  },
  async print({page}, {dark}) {
    await page.emulateMedia({media: dark ? "screen" : "print"});
  },
  // axe finds what people with other eyes or hands stumble over.
  async axe({page}) {
    const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    const {violations} = await page.evaluate(`${source}; axe.run(document, {resultTypes: ["violations"]})`);
    return violations.filter(v => ["serious", "critical"].includes(v.impact))
      .map(v => `${v.id}: ${v.help}: ${v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3).join(" | ")}`);
  },
  async back({page}) {
    await page.goBack();
  },
  async texts({page}, {on}) {
    const texts = await page.locator(on).filter({visible: true}).allInnerTexts();
    return texts.map(text => text.replace(/\s+/g, " ").trim());
  },
  async evaluate({page}, {expression}) {
    return await page.evaluate(expression);
  },
  // until waits until an expression is true, and says whether it became so. One that
  // fails is not true yet: what it asks for may be missing, or the page may be changing.
  async until({page}, {expression, x}) {
    for (const end = Date.now() + x * 1000; ; await new Promise(later => setTimeout(later, 50))) {
      if (await page.evaluate(expression).catch(() => false)) return true;
      if (Date.now() > end) return false;
    }
  },
  async shoot({page}, {file, window}) {
    await page.screenshot({path: file, fullPage: !window});
  },
  async close(tab) {
    await leave(tab);
  },
  async forgive({complaints}) {
    complaints.length = 0;
  },
  async complaints({complaints}) {
    return complaints;
  },
};

// settle waits until the page has drawn what can be seen, and shows it.
async function settle({page, script}) {
  if (!script || page.isClosed()) return;
  await page.waitForSelector("html[data-ready]", {state: "attached"});
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}

// READS change nothing, or leave nothing: there is nothing to settle.
const READS = new Set(["texts", "evaluate", "complaints", "forgive", "axe", "shoot", "close", "until"]);

async function answer(step) {
  const value = step.do === "open" ? await open(step) : await steps[step.do](tabs[step.tab], step);
  if (!READS.has(step.do)) await settle(tabs[step.do === "open" ? value : step.tab]);
  return value;
}

// reply does a step and tells what came of it.
async function reply(step) {
  const {number} = step;
  const told = await answer(step).then(
    value => ({number, value: value ?? null}),
    error => ({number, error: String(error).split("\n")[0]}),
  );
  process.stdout.write(JSON.stringify(told) + "\n");
}

const doing = new Set();
for await (const line of createInterface({input: process.stdin})) {
  const done = reply(JSON.parse(line)).finally(() => doing.delete(done));
  doing.add(done);
}
await Promise.all(doing);
await browser.close();
