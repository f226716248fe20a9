// Searches the pages in search-index.json, a list of [title, kind, path, summary, headings, text], in the browser. Each word
// must occur. A word counts more in a title than in a heading, and more in a heading than in the text.
"use strict";
(() => {
  const shown = 40;
  const [query, count, results] = ["query", "count", "results"].map((id) => document.getElementById(id));
  let pages = null;

  async function load() {
    pages ??= fetch("search-index.json")
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.statusText))))
      .then((rows) => rows.map((row) => ({ row, lower: row.map((text) => text.toLowerCase()) })));
    return pages;
  }

  function scoreOfWord(word, [title, , , summary, headings, text]) {
    if (title === word) return 100;
    if (title.startsWith(word)) return 40;
    if (title.includes(word)) return 20;
    if (headings.includes(word)) return 10;
    if (summary.includes(word)) return 6;
    return text.includes(word) ? 3 : 0;
  }

  function score({ row, lower }, words) {
    let sum = 0;
    for (const word of words) {
      const one = scoreOfWord(word, lower);
      if (!one) return 0;
      sum += one;
    }
    // An article explains what a symbol names.
    return row[5] ? sum * 1.5 : sum;
  }

  function item([title, kind, path, summary]) {
    const [entry, link, text] = ["li", "a", "p"].map((name) => document.createElement(name));
    link.href = path;
    link.textContent = title;
    text.textContent = [kind, summary].filter(Boolean).join(" · ");
    entry.append(link, text);
    return entry;
  }

  async function search() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    document.querySelector(".doors").hidden = words.length > 0;
    if (!words.length) {
      results.replaceChildren();
      count.textContent = "";
      return;
    }
    const asked = query.value;
    let all;
    try {
      all = await load();
    } catch (error) {
      pages = null;
      count.textContent = `The list of pages could not be loaded: ${error.message}. Reload the page to try again.`;
      return;
    }
    if (asked !== query.value) return;
    const found = all
      .map((page) => ({ row: page.row, value: score(page, words) }))
      .filter((page) => page.value)
      .sort((one, other) => other.value - one.value || one.row[0].length - other.row[0].length);
    count.textContent = found.length
      ? `${found.length} pages${found.length > shown ? `, of which these are the first ${shown}` : ""}`
      : "No page contains all of these words.";
    results.replaceChildren(...found.slice(0, shown).map((page) => item(page.row)));
  }

  const asked = new URLSearchParams(location.search).get("q");
  if (asked !== null) query.focus();
  query.value = asked ?? "";
  query.addEventListener("input", search);
  query.form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.replaceState(null, "", query.value ? `?q=${encodeURIComponent(query.value)}` : "./");
    search();
  });
  search();
})();
