// What a person would see of the page, put into figures. Runs within it, before its own scripts.
'use strict';
const looking = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0;
  const interactive = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

  function nameOf(node) {
    return node.id ? `#${node.id}` : node.name ? `[name=${node.name}]` : `${node.localName} "${node.textContent.trim().slice(0, 20)}"`;
  }

  function middle(selector) {
    const node = document.querySelector(selector);
    if (!node || !isSeen(node)) return `${selector} is not to be seen`;
    node.scrollIntoView({ block: 'center', behavior: 'instant' });
    const box = node.getBoundingClientRect();
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const hit = document.elementFromPoint(place.x, place.y);
    if (!hit || !(node.contains(hit) || hit.contains(node) || hit.closest('label')?.contains(node))) {
      return `${selector} lies under ${hit ? nameOf(hit) : 'nothing'}`;
    }
    return place;
  }

  // Colors

  function color(text) {
    const found = /^(rgba?|color\(srgb)\(?\s*([^)]*)\)/.exec(text);
    const numbers = (found ? found[2] : '').split(/[\s,/]+/).filter(Boolean).map(Number);
    const scale = text.startsWith('color(') ? 255 : 1;
    const [red, green, blue, alpha = 1] = numbers;
    return { red: red * scale, green: green * scale, blue: blue * scale, alpha };
  }

  function over(front, back) {
    const mix = (name) => front[name] * front.alpha + back[name] * (1 - front.alpha);
    return { red: mix('red'), green: mix('green'), blue: mix('blue'), alpha: 1 };
  }

  function background(node) {
    const layers = [];
    for (let part = node; part; part = part.parentElement) {
      const style = getComputedStyle(part);
      const layer = color(style.backgroundColor);
      if (layer.alpha > 0) layers.push(layer);
      if (layer.alpha === 1) break;
      // What lies on a pattern is told by the card behind it.
    }
    const canvas = { red: 255, green: 255, blue: 255, alpha: 1 };
    return layers.reduceRight((back, layer) => over(layer, back), canvas);
  }

  // WCAG 2.2, relative luminance and contrast ratio.
  function luminance({ red, green, blue }) {
    const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  }

  function ratio(one, other) {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  function opacity(node) {
    let value = 1;
    for (let part = node; part; part = part.parentElement) value *= Number(getComputedStyle(part).opacity);
    return value;
  }

  function texts() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      if (!node.data.trim() || !isSeen(parent) || parent.closest('.unseen, .preview, option, script')) continue;
      found.push({ text: node.data.trim(), node, parent });
    }
    return found;
  }

  // The least contrast of all text, and what has too little.
  function contrast() {
    const seen = texts().filter(({ parent }) => !parent.closest(':disabled, [aria-disabled=true]')).map(({ text, parent }) => {
      const back = background(parent);
      const ink = color(getComputedStyle(parent).color);
      return { text, ratio: ratio(over({ ...ink, alpha: ink.alpha * opacity(parent) }, back), back) };
    });
    for (const field of all('input, select').filter(isSeen)) {
      if (['range', 'radio', 'color', 'checkbox'].includes(field.type)) continue;
      const back = background(field);
      for (const part of ['', '::placeholder']) {
        const ink = color(getComputedStyle(field, part).color);
        seen.push({ text: `${nameOf(field)}${part}`, ratio: ratio(over(ink, back), back) });
      }
      // What shows where a field is needs 3 to 1.
      const line = ratio(color(getComputedStyle(field).borderTopColor), background(field.parentElement));
      seen.push({ text: `${nameOf(field)}'s border`, ratio: line * 1.5 });
    }
    return {
      count: seen.length, least: Math.min(...seen.map((one) => one.ratio)),
      bad: seen.filter((one) => one.ratio < 4.5).map((one) => `"${one.text.slice(0, 30)}" ${one.ratio.toFixed(2)}`),
    };
  }

  // Places

  // What can be pressed, with the label around it.
  function targets() {
    return all(interactive).filter((node) => isSeen(node) && !node.closest('p')).map((node) => {
      const whole = ['checkbox', 'radio'].includes(node.type) ? node.closest('label') ?? node : node;
      const box = whole.getBoundingClientRect();
      return { name: nameOf(node), width: box.width, height: box.height };
    }).filter((target) => !target.name.startsWith('#skip'));
  }

  function boxes() {
    const found = [];
    for (const { node, parent, text } of texts()) {
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width > 0 && box.height > 0 && !parent.closest('#skip')) found.push({ box, parent, text });
      }
    }
    for (const field of all('input:not([type=radio]), select, button, #result-image').filter(isSeen)) {
      found.push({ box: field.getBoundingClientRect(), parent: field, text: nameOf(field) });
    }
    return found;
  }

  // What lies over something else, is cut off, or is beyond the edge; what scrolls by itself is left out.
  function collisions() {
    const found = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    const seen = boxes().filter(({ parent }) => !parent.closest('.sources'));
    seen.forEach((one, place) => {
      if (one.box.left < -1 || one.box.right > width + 1) found.push(`"${one.text.slice(0, 30)}" ends at ${Math.round(one.box.right)}`);
      for (const other of seen.slice(place + 1)) {
        if (one.parent.contains(other.parent) || other.parent.contains(one.parent)) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // Lines of text may touch.
        if (across > 2 && down > 4) found.push(`"${one.text.slice(0, 20)}" over "${other.text.slice(0, 20)}"`);
      }
    });
    for (const node of all('button, .button, select, summary, dd, dt, h1, h2, h3, label, p').filter(isSeen)) {
      const style = getComputedStyle(node);
      if (style.overflowX === 'visible' && node.localName !== 'select' && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0) {
        found.push(`${nameOf(node)} is wider than its box`);
      }
    }
    return found;
  }

  // Focus

  const mark = (node) => {
    const drawn = node.matches('.sources input') ? node.nextElementSibling : node;
    const style = getComputedStyle(drawn);
    return `${style.outlineStyle} ${style.outlineWidth} ${style.outlineColor}`;
  };

  // All that Tab has to reach: of radio buttons of a name one.
  function stops() {
    const groups = new Set();
    return all(interactive).filter((node) => {
      if (node.disabled || (!isSeen(node) && !node.matches('.skip'))) return false;
      if (node.type !== 'radio') return true;
      const group = all(`input[type=radio][name=${node.name}]`);
      if (group.some((radio) => radio.checked) && !node.checked) return false;
      return !groups.has(node.name) && groups.add(node.name);
    }).map(nameOf);
  }

  // Where the focus is, and how that is seen.
  function focus() {
    const node = document.activeElement;
    if (!node || node === document.body) return null;
    const box = node.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const region = node.closest('#result, #form, .compare, footer');
    // As if nothing were scrolled.
    let scrolled = scrollY;
    for (let part = node.parentElement; part && part !== document.body; part = part.parentElement) scrolled += part.scrollTop;
    const focused = mark(node);
    node.blur();
    const without = mark(node);
    node.focus({ preventScroll: true, focusVisible: true });
    return {
      name: nameOf(node), region: region ? region.id || region.className || region.localName : '',
      x: box.x, top: box.top + scrolled, bottom: box.bottom + scrolled, focused, without,
      isInView: Boolean(hit) && (node.contains(hit) || hit.contains(node) || hit.closest('label')?.contains(node) === true),
    };
  }

  return { all, isSeen, middle, contrast, targets, collisions, stops, focus, nameOf, background, color, ratio };
})();
