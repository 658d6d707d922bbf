// SPDX-License-Identifier: Apache-2.0
'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const rows = all('.bucket');

// Filter: words must all be there, and the class when one is chosen.
const box = document.getElementById('filter'), chosen = document.getElementById('class');
const family = document.getElementById('family'), promise = document.getElementById('promise');
for (const row of rows) row.words = (row.firstElementChild.textContent + ' ' + row.dataset.text).toLowerCase();
function filter() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const fits = words.every(w => row.words.includes(w)) && (!chosen.value || row.dataset.class === chosen.value) &&
      (!family.value || row.dataset.family === family.value) &&
      (!promise.value || row.dataset.promise === promise.value);
    row.hidden = !fits;
    shown += fits;
  }
  document.getElementById('shown').textContent = shown === rows.length ? `${shown} bucket${shown === 1 ? '' : 's'}` : `${shown} of ${rows.length} buckets`;
}
if (box) {
  box.addEventListener('input', filter);
  chosen.addEventListener('change', filter);
  family.addEventListener('change', filter);
  promise.addEventListener('change', filter);
}

// Order: as written, by a figure downwards, or by size upwards.
const order = document.getElementById('order');
order?.addEventListener('change', () => {
  const by = order.value, sign = by === 'words' ? 1 : -1;
  const sorted = by ? [...rows].sort((x, y) => sign * (x.dataset[by] - y.dataset[by])) : rows;
  document.getElementById('sections').append(...sorted);
});

// A link to a bucket opens it.
function opened() {
  const section = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (section && section.matches('details')) {
    section.open = true;
    section.scrollIntoView();
  }
}
addEventListener('hashchange', opened);

// Tabs.
for (const bar of all('.tabs')) {
  const buttons = all('button', bar);
  const show = on => buttons.forEach(b => {
    b.setAttribute('aria-selected', b === on);
    document.getElementById(b.getAttribute('aria-controls')).hidden = b !== on;
  });
  buttons.forEach((b, at) => {
    b.addEventListener('click', () => show(b));
    b.addEventListener('keydown', e => {
      const next = buttons[at + (e.key === 'ArrowRight') - (e.key === 'ArrowLeft')];
      if (next && next !== b) { show(next); next.focus(); }
    });
  });
}

// Assembly and pseudo-code are coloured when their section is opened.
const escaped = s => s.replace(/[&<>]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;'}[c]));
const asm = /(;[^\n]*)|("(?:[^"\\]|\\.)*")|(OpGroup\w+)|(\bOp[A-Z]\w*)|(%\w+)|(\b(?:0x[0-9a-f]+|-?\d+(?:\.\d+)?)\b)/g;
const pseudo = /(\/\/[^\n]*)|("(?:[^"\\]|\\.)*")|(\b(?:ballot|elect|all|any|allEqual|broadcast\w*|shuffle\w*|quad\w*|rotate\w*|iAdd|fAdd|iMul|fMul|[usf]Min|[usf]Max|bitwise(?:And|Or|Xor)|logical(?:And|Or|Xor)|inverseBallot|partition\w*)(?=\())|(\b(?:if|else|loop|continuing|break|continue|leave|switch|case|default|return|var|phi|goto)\b)|(\bx\d+\b)|(\b(?:0x[0-9a-f]+|\d+(?:\.\d+)?)\b)/g;
function colour(pre) {
  const kinds = pre.dataset.code === 'asm' ? ['c', 's', 'g', 'o', 'i', 'n'] : ['c', 's', 'g', 'k', 'i', 'n'];
  const text = pre.textContent;
  let html = '', at = 0;
  for (const m of text.matchAll(pre.dataset.code === 'asm' ? asm : pseudo)) {
    html += escaped(text.slice(at, m.index));
    html += `<span class="${kinds[m.slice(1).findIndex(g => g !== undefined)]}">${escaped(m[0])}</span>`;
    at = m.index + m[0].length;
  }
  pre.innerHTML = html + escaped(text.slice(at));
  pre.removeAttribute('data-code');
}
for (const section of all('details.bucket')) {
  section.addEventListener('toggle', () => { if (section.open) all('pre[data-code]', section).forEach(colour); });
}

for (const button of all('.cmd button')) button.addEventListener('click', () => {
  const text = button.parentElement.querySelector('pre').textContent;
  const done = () => { button.textContent = 'Copied'; setTimeout(() => { button.textContent = 'Copy'; }, 1200); };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
});
if (rows.length === 1 && rows[0].matches('details'))
  rows[0].open = true;
opened();
