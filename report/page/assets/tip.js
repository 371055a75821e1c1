// The tip: what the pointer or the focus is on, in words. Without a script the
// browser shows titles, slowly and not to those who use a keyboard.

const tip = document.createElement("div");
tip.id = "_tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.body.append(tip);

for (const title of document.querySelectorAll("figure svg title")) {
  const owner = title.parentElement;
  owner.dataset.tip = title.textContent;
  owner.setAttribute("aria-label", title.textContent);
  title.remove();
}

// showTip puts the tip below a box of the window, or above it where there is no
// room.
function showTip(text, {left, top, bottom}) {
  tip.textContent = text;
  tip.hidden = false;
  const {width, height} = tip.getBoundingClientRect();
  const below = bottom + 8, fits = below + height <= innerHeight;
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  tip.style.top = `${fits ? below : Math.max(4, top - height - 8)}px`;
}

function hideTip() {
  tip.hidden = true;
}

// at is the box of the pointer, which has a size itself.
function at({clientX, clientY}) {
  return {left: clientX, top: clientY, bottom: clientY + 12};
}

function tipped({target}) {
  return target instanceof Element ? target.closest("[data-tip]") : null;
}

document.addEventListener("pointermove", event => {
  const owner = tipped(event);
  if (owner) showTip(owner.dataset.tip, at(event));
});
document.addEventListener("pointerout", hideTip);
document.addEventListener("focusin", event => {
  const owner = tipped(event);
  if (owner?.matches(":focus-visible")) showTip(owner.dataset.tip, owner.getBoundingClientRect());
});
document.addEventListener("focusout", hideTip);
document.addEventListener("scroll", hideTip, {capture: true, passive: true});
document.addEventListener("keydown", ({key}) => key === "Escape" && hideTip());
