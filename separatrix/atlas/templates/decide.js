"use strict";

// Decides a regular language in the page: expression, minimal automaton, syntactic monoid, the facts that decide, and the row of each
// architecture. The same algorithms as `separatrix decide`, in the same order, so that witnesses are the same words; a test compares both.

(() => {
  const POSITIONS = 1000, DEPTH = 60, STATES = 2000, ELEMENTS = 20000, LARGEST = 2000;
  const SPECIAL = "|*+?{}()[].\\^$";

  class Refused extends Error {}

  // ---- expressions: {named, inverted} is one symbol, {parts} a sequence, {union} one of these, {star} any number

  function parse(text) {
    const characters = [...text];
    let at = 0, depth = 0;
    const fail = (what) => { throw new Refused(`at character ${Math.min(at, characters.length) + 1}: ${what}`); };
    const blank = (character) => /^\s$/u.test(character);
    const next = () => {
      while (at < characters.length && blank(characters[at])) at++;
      return at < characters.length ? characters[at] : "";
    };
    const read = () => { const character = next(); at++; return character; };
    const take = (character) => { if (next() !== character) return false; at++; return true; };
    const size = (node) => node.named ? 1 : node.star ? size(node.star) : (node.parts || node.union).reduce((sum, part) => sum + size(part), 0);
    const copies = (part, count) => Array(count).fill(part);

    function times(part, least, most) {
      if (Math.max(1, size(part)) * Math.max(1, most === null ? least : most) > POSITIONS) fail(`more than ${POSITIONS} symbols once the repetition is written out`);
      if (most === null) return { parts: [...copies(part, least), { star: part }] };
      return { parts: [...copies(part, least), ...copies({ union: [{ parts: [] }, part] }, most - least)] };
    }
    function number() {
      let digits = "";
      while (next() !== "" && "0123456789".includes(next())) digits += read();
      if (!digits || digits.length > 6) fail("expected a number of repetitions below a million");
      return Number(digits);
    }
    function counts() {
      const least = number();
      let most = least;
      if (take(",")) most = next() === "}" ? null : number();
      if (!take("}")) fail("expected '}'");
      if (most !== null && most < least) fail(`expected {m,n} with m <= n, found {${least},${most}}`);
      return [least, most];
    }
    function escaped() {
      if (at === characters.length || blank(characters[at])) fail("expected a symbol after '\\'");
      return read();
    }
    function classSymbol() {
      if (next() === "" || next() === "]") fail("expected a symbol, or ']'");
      const character = read();
      return character === "\\" ? escaped() : character;
    }
    function oneOf() {
      const inverted = take("^"), symbols = new Set();
      while (!take("]")) {
        const low = classSymbol(), high = take("-") ? classSymbol() : low;
        const [from, to] = [low.codePointAt(0), high.codePointAt(0)];
        if (to < from || to - from >= 256) fail(`expected an ascending range of at most 256 symbols, found ${low}-${high}`);
        for (let code = from; code <= to; code++) symbols.add(String.fromCodePoint(code));
      }
      if (!symbols.size) fail("expected a symbol between '[' and ']'");
      return { named: symbols, inverted };
    }
    function one() {
      const character = read();
      if (character === "(") {
        if (++depth > DEPTH) fail(`brackets nested deeper than ${DEPTH}`);
        const inner = union();
        if (!take(")")) fail("expected ')'");
        depth--;
        return inner;
      }
      if (character === "[") return oneOf();
      if (character === ".") return { named: new Set(), inverted: true };
      if (character === "\\") return { named: new Set([escaped()]), inverted: false };
      if (SPECIAL.includes(character)) { at--; fail(`unexpected '${character}'; the symbol itself is written \\${character}`); }
      return { named: new Set([character]), inverted: false };
    }
    function repeated() {
      const part = one();
      if (take("*")) return { star: part };
      if (take("+")) return times(part, 1, null);
      if (take("?")) return times(part, 0, 1);
      return take("{") ? times(part, ...counts()) : part;
    }
    function sequence() {
      const parts = [];
      while (!["", "|", ")"].includes(next())) parts.push(repeated());
      return parts.length === 1 ? parts[0] : { parts };
    }
    function union() {
      const parts = [sequence()];
      while (take("|")) parts.push(sequence());
      return parts.length === 1 ? parts[0] : { union: parts };
    }
    const whole = union();
    if (next()) fail("unexpected ')' (nothing is open)");
    if (size(whole) > POSITIONS) fail(`more than ${POSITIONS} symbols`);
    return whole;
  }

  const mentioned = (node, found = new Set()) => {
    if (node.named) for (const symbol of node.named) found.add(symbol);
    else for (const part of node.star ? [node.star] : node.parts || node.union) mentioned(part, found);
    return found;
  };

  // ---- the minimal automaton, states numbered breadth first: {alphabet, moves, accepting}

  const bits = (mask) => { const found = []; for (let p = 0; mask; p++, mask >>= 1n) if (mask & 1n) found.push(p); return found; };

  function automatonOf(text, alphabet) {
    const expression = parse(text), named = mentioned(expression);
    const symbols = alphabet ? [...alphabet].filter((symbol) => !/\s/u.test(symbol)) : [...named].sort((a, b) => a.codePointAt(0) - b.codePointAt(0));
    if (!symbols.length) throw new Refused("the expression mentions no symbol: write its alphabet too");
    if (new Set(symbols).size < symbols.length) throw new Refused("the alphabet has a symbol twice");
    const foreign = [...named].sort().find((symbol) => !symbols.includes(symbol));
    if (foreign !== undefined) throw new Refused(`it mentions '${foreign}', which is not in the alphabet '${symbols.join("")}'`);
    const follow = [], reads = symbols.map(() => 0n);
    const join = (before, after) => { for (const p of bits(before)) follow[p] |= after; };
    function walk(node) {
      if (node.named) {
        const place = 1n << BigInt(follow.length);
        follow.push(0n);
        symbols.forEach((symbol, a) => { if (node.named.has(symbol) !== node.inverted) reads[a] |= place; });
        return [false, place, place];
      }
      if (node.star) {
        const [, first, last] = walk(node.star);
        join(last, first);
        return [true, first, last];
      }
      const walked = (node.union || node.parts).map(walk);
      if (node.union) return [walked.some((w) => w[0]), walked.reduce((m, w) => m | w[1], 0n), walked.reduce((m, w) => m | w[2], 0n)];
      let [empty, first, last] = [true, 0n, 0n];
      for (const [partEmpty, partFirst, partLast] of walked) {
        join(last, partFirst);
        if (empty) first |= partFirst;
        last = partEmpty ? last | partLast : partLast;
        empty = empty && partEmpty;
      }
      return [empty, first, last];
    }
    const [empty, first, last] = walk(expression);
    const queue = [[first, empty]], number = new Map([[`${first} ${empty}`, 0]]), rows = [];
    for (const [upcoming] of queue) {
      rows.push(reads.map((mask) => {
        const now = upcoming & mask, after = bits(now).reduce((m, p) => m | follow[p], 0n), ends = (now & last) !== 0n;
        const key = `${after} ${ends}`;
        if (!number.has(key)) { number.set(key, queue.length); queue.push([after, ends]); }
        return number.get(key);
      }));
      if (queue.length > STATES) throw new Refused(`it needs more than ${STATES} states`);
    }
    return minimal(symbols, rows, new Set(queue.flatMap(([, ends], q) => ends ? [q] : [])));
  }

  function minimal(alphabet, rows, accepting) {
    let block = rows.map((_, q) => accepting.has(q) ? 1 : 0);
    for (;;) {
      const names = new Map();
      const finer = rows.map((row, q) => {
        const key = [block[q], ...row.map((r) => block[r])].join();
        if (!names.has(key)) names.set(key, names.size);
        return names.get(key);
      });
      if (names.size === new Set(block).size) break;
      block = finer;
    }
    const first = new Map(); // the moves of each block
    rows.forEach((row, q) => first.set(block[q], row.map((r) => block[r])));
    const order = new Map([[block[0], 0]]), queue = [block[0]];
    for (const q of queue) for (const r of first.get(q)) if (!order.has(r)) { order.set(r, order.size); queue.push(r); }
    const yes = new Set([...accepting].map((q) => order.get(block[q])).filter((q) => q !== undefined));
    return { alphabet, moves: queue.map((q) => first.get(q).map((r) => order.get(r))), accepting: yes };
  }

  // ---- the syntactic monoid: maps of states, shortest words first

  function monoidOf({ alphabet, moves }) {
    const identity = moves.map((_, q) => q), number = new Map([[identity.join(), 0]]);
    const maps = [identity], words = [[]], times = [];
    for (let x = 0; x < maps.length; x++) {
      times.push(alphabet.map((_, a) => {
        const product = maps[x].map((q) => moves[q][a]), key = product.join();
        if (!number.has(key)) { number.set(key, maps.length); maps.push(product); words.push([...words[x], a]); }
        return number.get(key);
      }));
      if (maps.length > ELEMENTS) throw new Refused(`its monoid has more than ${ELEMENTS} elements: on the terminal, separatrix decide`);
    }
    return { maps, words, times };
  }

  const after = (x, y) => x.map((q) => y[q]); // first x, then y
  const same = (x, y) => x.every((q, i) => q === y[i]);

  function cyclesOf(image, least) {
    const met = new Set(), found = [];
    for (let start = 0; start < image.length; start++) {
      const path = [];
      let q = start;
      while (!met.has(q)) { met.add(q); path.push(q); q = image[q]; }
      const begins = path.indexOf(q);
      if (begins >= 0 && path.length - begins >= least) found.push(path.slice(begins));
    }
    return found;
  }

  function quasiAperiodic({ maps, times }, periodic) {
    const met = new Map(), sets = [];
    let current = new Set(times[0]);
    const key = (set) => [...set].sort((a, b) => a - b).join();
    while (!met.has(key(current))) {
      met.set(key(current), sets.length);
      sets.push(current);
      current = new Set([...current].flatMap((x) => times[x]));
    }
    const begin = met.get(key(current)), period = sets.length - begin;
    return ![...sets[Math.ceil((begin + 1) / period) * period - 1]].some((x) => periodic[x]);
  }

  function rTrivial(moves) {
    let reach = moves.map((row) => new Set(row));
    for (const _ of moves) reach = reach.map((set) => new Set([...set, ...[...set].flatMap((r) => [...reach[r]])]));
    return !moves.some((row, q) => row.some((r) => r !== q && reach[r].has(q)));
  }

  function twinsOf({ maps, words }, idempotent) {
    const onto = new Map();
    let best = null;
    maps.forEach((map, x) => {
      if (!idempotent[x]) return;
      const key = map.map((q, i) => q === i ? 1 : 0).join("");
      if (!onto.has(key)) onto.set(key, []);
      const met = onto.get(key);
      met.push(x);
      if (met.length === 2 && (best === null || x < best[1])) best = [met[0], x];
    });
    return best && { e: words[best[0]], f: words[best[1]] };
  }

  // ---- groups: the largest one around each idempotent, and its commutators

  function solvable({ maps }) {
    const around = new Map();
    for (const x of maps) {
      let e = x;
      while (!same(after(e, e), e)) e = after(e, x);
      if (same(after(x, e), x)) {
        if (!around.has(e.join())) around.set(e.join(), [e, []]);
        around.get(e.join())[1].push(x);
      }
    }
    let known = true;
    for (const [identity, group] of around.values()) {
      const verdict = group.length > 1 ? groupSolvable(group, identity) : true;
      if (verdict === false) return false;
      if (verdict === null) known = null;
    }
    return known;
  }

  function groupSolvable(group, identity) {
    while (group.length > 1) {
      if (group.length > LARGEST) return null;
      const inverses = group.map((x) => { let before = identity, power = x; while (!same(power, identity)) { before = power; power = after(power, x); } return before; });
      const commutators = new Map();
      group.forEach((x, i) => group.forEach((y, j) => { const c = after(after(x, y), after(inverses[i], inverses[j])); commutators.set(c.join(), c); }));
      const smaller = new Map([[identity.join(), identity]]), queue = [identity];
      for (const x of queue) for (const g of commutators.values()) { const y = after(x, g); if (!smaller.has(y.join())) { smaller.set(y.join(), y); queue.push(y); } }
      if (queue.length === group.length) return false;
      group = queue;
    }
    return true;
  }

  // ---- the word that a language counts: the shortest u, then the fewest letters in x and y, then the shortest cycle

  function periodOf({ alphabet, moves, accepting }) {
    const reached = new Map([[0, []]]), queue = [0];
    for (const q of queue) moves[q].forEach((r, a) => { if (!reached.has(r)) { reached.set(r, [...reached.get(q), a]); queue.push(r); } });
    const separating = (cycle) => {
      const met = new Set([cycle.join()]), waiting = [[cycle, []]];
      for (const [states, word] of waiting) {
        if (new Set(states.map((q) => accepting.has(q))).size === 2) return word;
        alphabet.forEach((_, a) => { const next = states.map((q) => moves[q][a]); if (!met.has(next.join())) { met.add(next.join()); waiting.push([next, [...word, a]]); } });
      }
      throw new Error("two states of a minimal automaton have the same future");
    };
    const found = [], met = new Set(), actions = [[moves.map((_, q) => q), []]];
    for (const [states, word] of actions) {
      if (found.length && word.length >= found[0].u.length) break;
      alphabet.forEach((_, a) => {
        const action = states.map((q) => moves[q][a]);
        if (met.has(action.join())) return;
        met.add(action.join());
        const u = [...word, a];
        actions.push([action, u]);
        for (const cycle of cyclesOf(action, 2)) {
          const x = cycle.map((q) => reached.get(q)).reduce((best, w) => w.length < best.length ? w : best);
          found.push({ x, u, y: separating(cycle), p: cycle.length });
        }
      });
    }
    const words = (a, b) => { for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i]; return a.length - b.length; };
    const order = (v, w) => v.x.length + v.y.length - w.x.length - w.y.length || v.p - w.p || words(v.u, w.u) || words(v.x, w.x) || words(v.y, w.y);
    return found.length ? found.reduce((best, one) => order(one, best) < 0 ? one : best) : null;
  }

  // ---- the facts, and the rows that follow from them

  function factsOf(text, alphabet) {
    const automaton = automatonOf(text, alphabet), { moves } = automaton, monoid = monoidOf(automaton);
    const periodic = monoid.maps.map((map) => cyclesOf(map, 2).length > 0), starFree = !periodic.includes(true);
    const idempotent = monoid.maps.map((map) => same(after(map, map), map));
    const isWord = monoid.maps.map((_, x) => x > 0 || monoid.times.some((row) => row.includes(0)));
    const images = automaton.alphabet.map((_, a) => moves.map((row) => row[a]));
    const spelled = (word) => word.map((a) => automaton.alphabet[a]);
    const twins = twinsOf(monoid, idempotent), counted = starFree ? null : periodOf(automaton);
    const parts = (image) => { // a factor joins at most two weakly connected parts of q -> image[q]
      const label = image.map((_, q) => q);
      for (const _ of image) image.forEach((r, q) => { const least = Math.min(label[q], label[r]); label[q] = label[r] = least; });
      return new Set(label).size;
    };
    return {
      states: moves.length,
      monoid: monoid.maps.length,
      star_free: starFree,
      quasi_aperiodic: quasiAperiodic(monoid, periodic),
      definite: monoid.maps.every((map, x) => !idempotent[x] || !isWord[x] || map.every((q) => q === map[0])),
      r_trivial: rTrivial(moves),
      group: images.every((image) => new Set(image).size === moves.length),
      permutation_reset: images.every((image) => [1, moves.length].includes(new Set(image).size)),
      two_groups: monoid.maps.every((map) => cyclesOf(map, 2).every((cycle) => (cycle.length & (cycle.length - 1)) === 0)),
      solvable: solvable(monoid),
      factors: Math.max(...images.map((image) => image.length - parts(image))),
      period: counted && { x: spelled(counted.x), u: spelled(counted.u), y: spelled(counted.y), p: counted.p },
      twin_images: twins && { e: spelled(twins.e), f: spelled(twins.f) },
    };
  }

  function rowsOf(facts, rules) {
    const known = { ...facts, twins: facts.twin_images !== null, constant: facts.states === 1 };
    return rules.map(([architecture, name, list]) => {
      const rule = list.find(({ fact, value }) => !fact || known[fact] === value);
      return { ...rule, architecture, name, why: facts.period ? rule.why.replace("{p}", facts.period.p) : rule.why };
    });
  }

  // ---- the box

  function show(form, rules, tones) {
    const said = document.querySelector("[data-decided]"), table = document.querySelector("[data-verdicts]");
    const element = (tag, text, tone) => { const made = document.createElement(tag); made.textContent = text; if (tone) made.className = tone; return made; };
    const yes = (value) => value === null ? "not known" : value ? "yes" : "no";
    const word = (symbols) => symbols.join("") || "(nothing)";
    table.replaceChildren();
    let facts;
    try {
      facts = factsOf(form.elements.language.value, form.elements.alphabet.value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      said.textContent = `Not a language that is decided here: ${error.message}.`;
      return;
    }
    const { period, twin_images: twins } = facts;
    said.replaceChildren(
      element("p", `${facts.states} state${facts.states === 1 ? "" : "s"}; syntactic monoid of ${facts.monoid}; star-free: ${yes(facts.star_free)}; only 2-groups: ${yes(facts.two_groups)}; groups solvable: ${yes(facts.solvable)}.`),
      element("p", period
        ? `Witness: x = ${word(period.x)}, u = ${word(period.u)}, y = ${word(period.y)}. Whether x u^i y is a member depends on i modulo ${period.p}, for ever.`
        : "It counts no word, so the barrier does not exclude it."),
      ...(twins ? [element("p", `One symmetric layer: ${word(twins.e)} and ${word(twins.f)} act as different idempotents with one image.`)] : []),
    );
    for (const row of rowsOf(facts, rules)) {
      const line = document.createElement("tr"), head = element("th", row.name);
      head.scope = "row";
      line.append(head, element("td", row.says && row.verdict === "cited" ? `cited: ${row.says}` : row.verdict, tones[row.verdict]), element("td", row.why + (row.update ? ` (${row.update})` : "") + (row.by ? ` (${row.by})` : "") + (row.cites ? ` [${row.cites}; given ${row.hypotheses.join(", ")}]` : "")));
      table.append(line);
    }
  }

  window.SeparatrixDecide = { factsOf, rowsOf, Refused };

  document.addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector("[data-decide]");
    if (!form) return;
    const { rules, tones } = JSON.parse(document.querySelector("[data-rules]").textContent);
    form.hidden = false;
    document.querySelector("[data-table]").hidden = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); show(form, rules, tones); });
    form.addEventListener("input", () => show(form, rules, tones));
    show(form, rules, tones);
  });
})();
