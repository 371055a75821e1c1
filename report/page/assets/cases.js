// Cases: one of a list is open at a time, chosen by the list, its arrow keys, a
// link or the address. What leads to it is marked as current all over the page.

class Cases {
  constructor(block) {
    this.tabs = [...block.querySelectorAll(":scope > nav a")];
    this.cases = [...block.querySelectorAll(":scope > .shown > .case")];
    this.list = block.querySelector(":scope > nav");
    this.links = [...document.querySelectorAll("figure a")];
    this.name();
    this.tabs.forEach((tab, i) => tab.addEventListener("click", event => this.click(event, i)));
    this.list.addEventListener("keydown", event => this.press(event));
    this.open(Math.max(this.named(), 0));
  }

  // named is which case the address names, or -1.
  named() {
    return this.cases.findIndex(({id}) => `#${id}` === location.hash);
  }

  // name gives the parts the roles that a list of tabs has.
  name() {
    const list = this.list.querySelector("ol");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-orientation", "vertical");
    list.setAttribute("aria-label", this.list.getAttribute("aria-label"));
    this.tabs.forEach((tab, i) => {
      tab.id = `_tab-${this.cases[i].id}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", this.cases[i].id);
      tab.parentElement.setAttribute("role", "presentation");
      this.cases[i].setAttribute("role", "tabpanel");
    });
  }

  open(chosen) {
    this.at = chosen;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
      this.cases[i].toggleAttribute("data-open", i === chosen);
    });
    this.mark(this.tabs[chosen].hash);
    this.reveal(this.tabs[chosen]);
    drawIn(this.cases[chosen]);
  }

  // mark makes what leads to the open case current, and what was no longer.
  mark(hash) {
    this.current?.forEach(link => link.removeAttribute("aria-current"));
    this.current = this.links.filter(link => link.getAttribute("href") === hash);
    this.current.forEach(link => link.setAttribute("aria-current", "true"));
  }

  // reveal scrolls the list, and not the page, to a tab.
  reveal({offsetTop, offsetHeight}) {
    const {scrollTop, clientHeight, offsetTop: above} = this.list;
    const top = offsetTop - above;
    if (top < scrollTop) this.list.scrollTop = top;
    if (top + offsetHeight > scrollTop + clientHeight) this.list.scrollTop = top + offsetHeight - clientHeight;
  }

  // choose opens a case where the reader is, without a jump, and puts it into the
  // address; remember is how.
  choose(i, remember) {
    if (i === this.at) return;
    this.open(i);
    remember.call(history, null, "", this.tabs[i].hash);
  }

  click(event, i) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.choose(i, history.pushState);
  }

  // press goes through the list; the way back skips what was passed.
  press(event) {
    const last = this.tabs.length - 1;
    const to = {ArrowUp: this.at - 1, ArrowDown: this.at + 1, ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: last}[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || to === undefined) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(to, 0), last), history.replaceState);
    this.tabs[this.at].focus({preventScroll: true});
  }
}

// follow opens the case that the address names, and goes there. An address that
// names nothing is that of the page as it was first.
function follow() {
  for (const list of lists) {
    const named = list.named();
    if (named < 0 && location.hash) continue;
    if (Math.max(named, 0) !== list.at) list.open(Math.max(named, 0));
    list.cases[named]?.scrollIntoView();
  }
}
