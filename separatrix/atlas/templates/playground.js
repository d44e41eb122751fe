"use strict";

// Runs the weights of a certificate in the page, in float64: the same forward pass as the checker's, for models of attention, linear
// recurrences and feed-forward parts. Nothing is computed elsewhere and nothing is sent anywhere.

(() => {
  const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

  async function unpacked(base64) {
    const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // A safetensors file: the length of its header, the header, the numbers.
  function tensorsOf(raw) {
    const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    const size = Number(view.getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(raw.subarray(8, 8 + size)));
    const read = {
      F64: [8, (at) => view.getFloat64(at, true)],
      I64: [8, (at) => Number(view.getBigInt64(at, true))],
      U8: [1, (at) => view.getUint8(at)],
    };
    const found = {};
    for (const [name, { dtype, shape, data_offsets: [start, end] }] of Object.entries(header)) {
      if (name === "__metadata__") continue;
      const [width, number] = read[dtype];
      const values = new Float64Array((end - start) / width);
      for (let i = 0; i < values.length; i++) values[i] = number(8 + size + start + i * width);
      found[name] = { shape, values };
    }
    return found;
  }

  // ---- arithmetic: rows are arrays of numbers; `round` is the identity, or rounds to a number of fractional bits

  const exactly = (value) => value;
  const toBits = (bits) => (value) => Math.round(value * 2 ** bits) / 2 ** bits;

  function linear(rows, weight, bias, round) {
    const [out, width] = weight.shape;
    return rows.map((row) => {
      const result = new Float64Array(out);
      for (let i = 0; i < out; i++) {
        let sum = bias ? bias.values[i] : 0;
        for (let j = 0; j < width; j++) sum += weight.values[i * width + j] * row[j];
        result[i] = round(sum);
      }
      return result;
    });
  }

  const add = (a, b, round) => a.map((row, i) => row.map((value, j) => round(value + b[i][j])));
  const dot = (a, b, start, width) => {
    let sum = 0;
    for (let j = start; j < start + width; j++) sum += a[j] * b[j];
    return sum;
  };

  // ---- addresses of positions and of numbers

  const modulo = (a, b) => ((a % b) + b) % b;

  function indexOf(place, w, name, i) {
    if (place.pointers) return w[`${name}.pointers`].values[Math.min(i, place.pointers) - 1];
    return place.fold ? modulo(i - place.shift - 1, place.fold) + 1 : i - place.shift;
  }

  function address(place, w, name, i) {
    if (place.address === "quadratic") return [i, i * i];
    if (place.address === "one-hot") return Array.from({ length: place.dims }, (_, j) => (j + 1 === i ? 1 : 0));
    if (place.address === "table") {
      const row = Math.max(i - 1, 0);
      return w[`${name}.address.table`].values.slice(row * place.dims, (row + 1) * place.dims);
    }
    const generator = w[`${name}.address.generator`].values; // sign: (-1)^(G bits(i))
    return Array.from({ length: place.dims }, (_, r) => {
      let parity = 0;
      for (let b = 0; b < place.extent; b++) parity ^= generator[r * place.extent + b] & (i >> b) & 1;
      return parity ? -1 : 1;
    });
  }

  function addTerm(row, place, w, name, i, gate) {
    const vector = address(place, w, name, indexOf(place, w, name, i));
    const weight = place.projected ? w[`${name}.weight`] : null;
    for (let j = 0; j < row.length; j++) {
      let sum = 0;
      if (weight) for (let k = 0; k < vector.length; k++) sum += vector[k] * weight.values[k * row.length + j];
      else sum = vector[j];
      row[j] += gate * sum;
    }
  }

  function embed(e, w, tokens, round) {
    const table = w["embedding.table"];
    const [rows, width] = table.shape;
    return tokens.map((token, t) => {
      let row;
      if (e.reads === "vectors") {
        row = new Float64Array(width);
        token.forEach((value, k) => {
          for (let j = 0; j < width; j++) row[j] += value * table.values[k * width + j];
        });
      } else row = table.values.slice(Math.min(token, rows - 1) * width, (Math.min(token, rows - 1) + 1) * width);
      if (e.reads !== "vectors" && token >= e.plain && e.number_address) {
        addTerm(row, e.number_address, w, "embedding.number", token - e.plain + 1, 1);
      }
      const gate = e.gated ? w["embedding.gate"].values[Math.min(token, rows - 1)] : 1;
      e.places.forEach((place, p) => addTerm(row, place, w, `embedding.places.${p}`, t + 1, gate));
      return row.map(round);
    });
  }

  // A read-out that is tied: the embedding of every token, without its place.
  function words(e, w) {
    const every = Array.from({ length: e.plain + e.numbers }, (_, token) => token);
    const rows = embed({ ...e, places: [] }, w, every, exactly);
    return { shape: [rows.length, rows[0].length], values: Float64Array.from(rows.flatMap((row) => [...row])) };
  }

  // ---- mixers: each returns what it adds, and the weights of its heads, [heads][readers][tokens], if it attends

  const visible = {
    all: () => true,
    causal: (mask, i, j) => j <= i,
    window: (mask, i, j) => j <= i && j > i - mask.size,
    "block-sparse": (mask, i, j) => j <= i && (j > i - mask.local * mask.block || j % mask.block >= mask.block - mask.global),
  };

  function softmax(scores, round) {
    const most = Math.max(...scores);
    const raised = scores.map((score) => (score === -Infinity ? 0 : Math.exp(score - most)));
    const total = raised.reduce((sum, value) => sum + value, 0);
    return raised.map((value) => round(value / total));
  }

  const share = {
    softmax,
    hard: (scores) => scores.map((_, j) => (j === scores.indexOf(Math.max(...scores)) ? 1 : 0)),
    uniform: (scores) => {
      const count = scores.filter((score) => score !== -Infinity).length;
      return scores.map((score) => (score === -Infinity ? 0 : 1 / count));
    },
  };

  const mixers = {
    attention(m, w, x, round, eta) {
      const q = linear(x, w.query, w.query_bias, round);
      const k = linear(x, w.key, w.key_bias, round);
      const v = linear(x, w.value, w.value_bias, round);
      const scale = (m.scaled ? 1 / Math.sqrt(m.key_width) : 1) * eta;
      const heads = [];
      const read = x.map(() => new Float64Array(m.heads * m.value_width));
      for (let h = 0; h < m.heads; h++) {
        heads.push(
          x.map((_, i) => {
            const scores = x.map((__, j) =>
              visible[m.mask.kind](m.mask, i, j) ? scale * dot(q[i], k[j], h * m.key_width, m.key_width) : -Infinity,
            );
            const weights = share[m.scores](scores, round);
            weights.forEach((weight, j) => {
              if (weight) for (let u = h * m.value_width; u < (h + 1) * m.value_width; u++) read[i][u] += weight * v[j][u];
            });
            return weights;
          }),
        );
      }
      return { mixed: linear(read.map((row) => row.map(round)), w.out, w.out_bias, round), heads };
    },
    "linear-rnn"(m, w, x, round) {
      let state = new Float64Array(m.state);
      const states = x.map((row) => {
        const carried = linear([state], w.transition, null, exactly)[0];
        const driven = linear([row], w.drive, null, exactly)[0];
        state = carried.map((value, i) => round(value + driven[i]));
        return state;
      });
      return { mixed: linear(states, w.out, null, round), heads: [] };
    },
    "linear-attention"(m, w, x, round) {
      const phi = (row) => row.map((value) => (value > 0 ? value + 1 : Math.exp(value)));
      const q = linear(x, w.query, w.query_bias, round).map(phi);
      const k = linear(x, w.key, w.key_bias, round).map(phi);
      const v = linear(x, w.value, w.value_bias, round);
      const heads = [];
      const read = x.map(() => new Float64Array(m.heads * m.value_width));
      for (let h = 0; h < m.heads; h++) {
        heads.push(
          x.map((_, i) => {
            const weights = x.map((__, j) => (j <= i ? dot(q[i], k[j], h * m.key_width, m.key_width) : 0));
            const total = weights.reduce((sum, value) => sum + value, 0);
            weights.forEach((weight, j) => {
              if (weight) for (let u = h * m.value_width; u < (h + 1) * m.value_width; u++) read[i][u] += (weight * v[j][u]) / total;
            });
            return weights.map((weight) => weight / total);
          }),
        );
      }
      return { mixed: linear(read, w.out, w.out_bias, round), heads };
    },
  };

  function feedforward(part, w, y, round) {
    const inner = linear(y, w.inner, w.inner_bias, round).map((row) => row.map((value) => Math.max(value, 0)));
    if (part.activation !== "reglu") return linear(inner, w.outer, w.outer_bias, round);
    const gate = linear(y, w.gate, w.gate_bias, round);
    const hidden = inner.map((row, i) => row.map((value, j) => round(value * gate[i][j])));
    return linear(hidden, w.outer, w.outer_bias, round);
  }

  // ---- the whole model

  class Model {
    constructor(document) {
      this.description = document.program.model;
      this.decoder = document.program.decoder;
      this.weights = tensorsOf(bytesOf(document.weights.base64));
    }

    part(name, weights) {
      const found = {};
      for (const key of Object.keys(weights)) if (key.startsWith(`${name}.`)) found[key.slice(name.length + 1)] = weights[key];
      return found;
    }

    // The weights that a reader has changed: one of them multiplied, and all of them rounded.
    changed({ weight = null, bits = null }) {
      const found = { ...this.weights };
      if (weight) {
        const values = found[weight.name].values.slice();
        values[weight.index] *= weight.factor;
        found[weight.name] = { ...found[weight.name], values };
      }
      if (bits !== null) {
        for (const [name, tensor] of Object.entries(found)) {
          if (/\.(generator|pointers)$/.test(name)) continue; // these are integers
          found[name] = { ...tensor, values: tensor.values.map(toBits(bits)) };
        }
      }
      return found;
    }

    logits(tokens, options = {}) {
      const weights = this.changed(options);
      const round = options.bits == null ? exactly : toBits(options.bits);
      const attention = [];
      let x = embed(this.description.embedding, weights, tokens, round);
      this.description.layers.forEach((layer, index) => {
        if (layer.mixer) {
          const own = this.part(`layers.${index}.mixer`, weights);
          const { mixed, heads } = mixers[layer.mixer.kind](layer.mixer, own, x, round, options.eta ?? 1);
          heads.forEach((head, h) => attention.push({ layer: index + 1, head: h + 1, weights: head }));
          x = layer.residual ? add(x, mixed, round) : mixed;
        }
        if (layer.feedforward) {
          const z = feedforward(layer.feedforward, this.part(`layers.${index}.feedforward`, weights), x, round);
          x = layer.residual ? add(x, z, round) : z;
        }
      });
      const matrix = this.description.readout.tied ? words(this.description.embedding, weights) : weights["readout.weight"];
      return { logits: linear(x, matrix, weights["readout.bias"], round), attention };
    }

    // What the program says: an answer at the last token, at every token, or a chain that it writes.
    run(tokens, options = {}) {
      const { kind, stop, limit } = this.decoder;
      const best = (row) => row.indexOf(Math.max(...row));
      if (kind === "position" || kind === "positions") {
        const { logits, attention } = this.logits(tokens, options);
        return { said: (kind === "position" ? logits.slice(-1) : logits).map(best), logits, attention, tokens };
      }
      const whole = [...tokens];
      const said = [];
      let last = null;
      while (said.length < limit && whole.length <= this.description.length) {
        last = this.logits(whole, options);
        const row = last.logits[whole.length - 1];
        const next = kind === "rounding" ? Array.from(row, Math.round).map((value) => value + 0) : best(row);
        said.push(next);
        if (kind === "rounding" ? next.every((value) => value === 0) : next === stop) break;
        whole.push(next);
      }
      return { said, logits: last.logits, attention: last.attention, tokens: whole };
    }
  }

  window.SeparatrixModel = { unpacked, Model };

  // ---- the page

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const drawn = (name, values) => {
    const made = document.createElementNS(document.querySelector("svg[data-blank]").namespaceURI, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };

  function grid(weights, label) {
    const picture = drawn("svg", { class: "grid", role: "img", "aria-label": label, viewBox: `0 0 ${weights[0].length} ${weights.length}` });
    picture.append(drawn("rect", { class: "frame", width: weights[0].length, height: weights.length }));
    weights.forEach((row, i) =>
      row.forEach((weight, j) => {
        if (weight >= 0.02) picture.append(drawn("rect", { x: j, y: i, width: 1, height: 1, "fill-opacity": Math.min(1, weight).toFixed(2) }));
      }),
    );
    return picture;
  }

  function bars(weights, words, label) {
    const table = element("table", undefined, "bars");
    table.append(element("caption", label));
    const [first, second] = [...weights, 0].sort((a, b) => b - a);
    weights.forEach((weight, j) => {
      const row = table.insertRow();
      if (weight === first && first - second > 1e-6) row.className = "heaviest"; // if several share the maximum, none is the heaviest
      row.append(element("td", j + 1, "n"), element("td"), element("td", undefined, "bar"), element("td", weight.toFixed(3), "n"));
      row.cells[1].append(element("code", words[j]));
      const bar = element("span");
      bar.style.width = `${(100 * weight).toFixed(2)}%`;
      const track = element("div");
      track.append(bar);
      row.cells[2].append(track);
    });
    return table;
  }

  async function open(form, material) {
    const model = new Model(await unpacked(material.certificate));
    const ids = new Map(material.words.map((word, id) => [word, id]));
    const field = (name) => form.elements[name];
    const out = form.parentElement.querySelector("[data-said]");
    const heads = form.parentElement.querySelector("[data-heads]");

    for (const name of Object.keys(model.weights)) {
      if (!/\.(generator|pointers)$/.test(name)) field("tensor").append(new Option(name));
    }
    material.inputs.forEach((example, number) => field("example").append(new Option(example.text, number)));

    const read = (text) => {
      const words = text.trim().split(/\s+/).filter(Boolean);
      const unknown = words.find((word) => !ids.has(word));
      if (unknown !== undefined) return { error: `${unknown} is not a token: expected ${material.words.slice(0, 12).join(" ")}${material.words.length > 12 ? " .." : ""}` };
      if (words.length === 0) return { error: "expected at least one token" };
      if (words.length > model.description.length) return { error: `${words.length} tokens, the model reads at most ${model.description.length}` };
      const outside = misplaced(words);
      if (outside) return { error: outside };
      return { tokens: words.map((word) => (material.vectors ? material.vectors[ids.get(word)] : ids.get(word))) };
    };

    // An input that the task does not have, in words; an empty text for one that it has, as far as a page can tell.
    const misplaced = (words) => {
      const { shape } = material;
      if (!shape) return "";
      if (words.length !== shape.places.length) return `Not an input of this task: it has ${shape.places.length} tokens, yours has ${words.length}`;
      const at = words.findIndex((word, place) => !shape.sets[shape.places[place]].includes(ids.get(word)));
      if (at < 0) return "";
      const allowed = shape.sets[shape.places[at]].map((id) => material.words[id]);
      return `Not an input of this task: token ${at + 1} is ${words[at]}, expected one of ${allowed.slice(0, 12).join(" ")}${allowed.length > 12 ? " .." : ""}`;
    };

    // What the right answer is: by the definition of the task for its examples, by the certificate for every other input that it covers.
    const rightAnswer = (text, certified) => {
      const example = material.inputs.find((one) => one.text === text);
      if (example?.right) return { said: example.right, by: "by the definition of the task" };
      const covered = material.strength === "proven" || material.strength === "exhaustive";
      if (covered && material.shape?.total) return { said: certified.said, by: `by the certificate, which is ${material.strength} for every input` };
      return null;
    };

    const show = () => {
      const tensor = field("tensor").value;
      const entries = model.weights[tensor]?.values ?? [];
      field("entry").max = Math.max(0, entries.length - 1);
      const index = Math.max(0, Math.min(Math.trunc(Number(field("entry").value)) || 0, entries.length - 1));
      const factor = Number(field("factor").value);
      const bits = Number(field("bits").value);
      const options = {
        eta: Number(field("eta").value),
        bits: bits > 40 ? null : bits,
        weight: tensor && factor !== 1 ? { name: tensor, index, factor } : null,
      };
      form.querySelector("[data-eta]").textContent = `${options.eta.toFixed(2)} of what the proof takes`;
      form.querySelector("[data-bits]").textContent = options.bits === null ? "float64, as certified" : `${bits} fractional bits, each number rounded`;
      form.querySelector("[data-factor]").textContent = tensor && entries.length ? `${entries[index]} times ${factor}` : "";
      const changed = options.eta !== 1 || options.bits !== null || options.weight !== null;
      const { tokens, error } = read(field("tokens").value);
      out.replaceChildren();
      heads.replaceChildren();
      if (error) {
        out.append(element("p", error, "refutation"));
        return;
      }
      const result = model.run(tokens, options);
      const vector = (numbers) => `(${numbers.join(", ")})`;
      const answerOf = (target) => (Array.isArray(target) ? vector(target) : (material.targets[target] ?? String(target)));
      const line = element("p", "The model says ");
      line.append(element("code", result.said.map(answerOf).join(" ")));
      out.append(line);
      const certified = changed ? model.run(tokens) : result;
      if (changed) {
        const same = certified.said.join() === result.said.join();
        const verdict = element("p", same ? "The same as with the certified weights." : "With the certified weights it says ", same ? "" : "refutation");
        if (!same) verdict.append(element("code", certified.said.map(answerOf).join(" ")));
        out.append(verdict);
      }
      const right = rightAnswer(field("tokens").value.trim().split(/\s+/).join(" "), certified);
      const judged = element("p", right ? "The right answer is " : "Whether this input keeps the promise of the task is not checked here, so no right answer is given.");
      if (right) {
        const good = right.said.join() === result.said.join();
        judged.append(element("code", right.said.map(answerOf).join(" ")), ` (${right.by}): the model is `, element("span", good ? "right" : "wrong", `tag ${good ? "holds" : "refuted"}`));
      }
      out.append(judged);
      const words = result.tokens.map((token) => (Array.isArray(token) ? vector(token) : material.words[token]));
      const last = model.decoder.kind === "position";
      for (const { layer, head, weights } of result.attention) {
        const final = layer === model.description.layers.length;
        const name = `Layer ${layer}, head ${head}`;
        if (final && last && words.length <= 40) heads.append(bars(weights.at(-1), words, `${name}: weight on each token`));
        else {
          const figure = element("figure");
          figure.append(element("figcaption", `${name}. Down: the token that reads; across: the token that is read; darker: more weight`), grid(weights, name));
          heads.append(figure);
        }
      }
    };

    // The largest entry of the chosen weights: a 0 stays a 0, whatever it is multiplied by.
    field("tensor").addEventListener("input", () => {
      const sizes = [...(model.weights[field("tensor").value]?.values ?? [])].map(Math.abs);
      field("entry").value = Math.max(0, sizes.indexOf(sizes.reduce((a, b) => Math.max(a, b), 0)));
    });
    field("example").addEventListener("change", () => {
      field("tokens").value = material.inputs[Number(field("example").value)].text;
      show();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", show);
    form.addEventListener("reset", () => setTimeout(() => { field("tokens").value = material.inputs[0].text; show(); }));
    field("tokens").value = material.inputs[0].text;
    field("eta").parentElement.hidden = !model.logits(read(field("tokens").value).tokens).attention.length; // nothing attends: nothing to soften
    form.hidden = false;
    show();
    form.dataset.ready = "";
    window.playground = model;
  }

  const form = document.querySelector("[data-playground]");
  if (form && window.PLAYGROUND) open(form, window.PLAYGROUND);
})();
