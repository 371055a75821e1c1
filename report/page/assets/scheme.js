"use strict";

// Only one of many cases is shown where a script can show the others.
document.documentElement.dataset.script = "";

// The page follows the system's colour scheme until the reader chooses one. The
// choice is kept where the browser lets a file keep anything.

const SCHEME_KEY = "page-scheme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function rememberedScheme() {
  try {
    return localStorage.getItem(SCHEME_KEY);
  } catch {
    return null;
  }
}

function rememberScheme(scheme) {
  try {
    localStorage.setItem(SCHEME_KEY, scheme);
  } catch {
    // The choice then lasts as long as the page is open.
  }
}

function currentScheme() {
  return document.documentElement.dataset.scheme ?? (systemDark.matches ? "dark" : "light");
}

function setScheme(scheme) {
  if (scheme) document.documentElement.dataset.scheme = scheme;
  else delete document.documentElement.dataset.scheme;
}

setScheme(rememberedScheme());
