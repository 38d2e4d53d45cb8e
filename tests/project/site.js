// Search without a server: index.js, which make docs writes, has a line for each page, and is loaded with the first letter.
"use strict";
const script = document.currentScript, up = script.dataset.up, box = document.getElementById("search"), list = document.getElementById("hits");
const most = 12;
let loading = false;

function show() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  if (!words.length || !window.PAGES) return;
  const hits = [];
  for (const page of window.PAGES) {
    const name = page.title.toLowerCase(), text = page.text;
    if (!words.every((word) => name.includes(word) || text.includes(word))) continue;
    const rank = name === words.join(" ") ? 0 : words.every((word) => name.includes(word)) ? 1 : 2;
    hits.push([rank, page]);
  }
  hits.sort((one, other) => one[0] - other[0]);
  for (const [, page] of hits.slice(0, most)) {
    const item = document.createElement("li"), link = document.createElement("a"), about = document.createElement("small");
    link.href = up + page.file;
    link.textContent = page.title;
    about.textContent = page.group + (page.about ? ": " + page.about : "");
    item.append(link, about);
    list.append(item);
  }
  if (!hits.length || hits.length > most) {
    const rest = document.createElement("li");
    rest.textContent = hits.length ? `and ${hits.length - most} more` : "nothing found";
    list.append(rest);
  }
}

box.addEventListener("input", () => {
  if (!loading) {
    loading = true;
    const index = document.createElement("script");
    index.src = up + "index.js";
    index.onload = show;
    document.head.append(index);
  }
  show();
});
