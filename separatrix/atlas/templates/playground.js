"use strict";

// Runs the weights of a certificate in the page, in float64: the same forward pass as the checker's, for models of attention, recurrences
// of every kind that is built, and feed-forward parts. Nothing is computed elsewhere and nothing is sent anywhere.

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

  // ---- functions of one number, and norms

  const sigmoid = (value) => 1 / (1 + Math.exp(-value));
  const silu = (value) => value * sigmoid(value);
  const softplus = (value) => (value > 20 ? value : Math.log1p(Math.exp(value)));
  const gelu = (value) => 0.5 * value * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3)));

  // An RMS norm of each group of numbers for itself.
  function rms(row, weight, width) {
    const result = new Float64Array(row.length);
    for (let start = 0; start < row.length; start += width) {
      const factor = 1 / Math.sqrt(dot(row, row, start, width) / width + 1e-6);
      for (let i = start; i < start + width; i++) result[i] = row[i] * factor * weight.values[i % weight.values.length];
    }
    return result;
  }

  function layerNorm(row, w) {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    const spread = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    return row.map((value, i) => ((value - mean) / Math.sqrt(spread + 1e-5)) * w.weight.values[i] + w.bias.values[i]);
  }

  const normed = (kind, w, rows) => (kind === "none" ? rows : rows.map((row) => (kind === "layer" ? layerNorm(row, w) : rms(row, w.weight, row.length))));

  // A filter of a few taps for every channel, and a SiLU.
  function convolved(rows, weight, bias) {
    const [channels, taps] = weight.shape;
    return rows.map((_, t) => {
      const result = new Float64Array(channels);
      for (let c = 0; c < channels; c++) {
        let sum = bias ? bias.values[c] : 0;
        for (let j = 0; j < taps; j++) {
          const before = t - taps + 1 + j;
          if (before >= 0) sum += weight.values[c * taps + j] * rows[before][c];
        }
        result[c] = silu(sum);
      }
      return result;
    });
  }

  // ---- recurrences

  // Heads of the delta rule: each has a matrix S that a key overwrites. `gated` also fades, and gates what is read.
  function delta(m, w, x, round, gated) {
    const [H, K, V] = [m.heads, m.key_width, m.value_width];
    const mixed = convolved(linear(x, w.into, null, round), w["convolution.weight"], null);
    const shares = linear(x, w.share, null, round).map((row) => row.map((value) => sigmoid(value) * (m.negative ? 2 : 1)));
    const rates = gated ? linear(x, w.rate, w.rate_bias, round) : null;
    const gates = gated ? linear(x, w.gate, null, round) : null;
    const unit = (row, start) => {
      const factor = 1 / Math.sqrt(dot(row, row, start, K) + 1e-6);
      return Array.from({ length: K }, (_, i) => row[start + i] * factor);
    };
    const S = Array.from({ length: H }, () => Array.from({ length: K }, () => new Float64Array(V)));
    const read = mixed.map((row, t) => {
      const found = new Float64Array(H * V);
      S.forEach((state, h) => {
        const [q, k] = [unit(row, h * K), unit(row, (H + h) * K)];
        const kept = gated ? Math.exp(-Math.exp(w.decay.values[h]) * softplus(rates[t][h])) : 1;
        for (let v = 0; v < V; v++) {
          let stored = 0;
          for (let i = 0; i < K; i++) stored += k[i] * (state[i][v] *= kept);
          const written = shares[t][h] * (row[2 * H * K + h * V + v] - stored);
          let sum = 0;
          for (let i = 0; i < K; i++) {
            state[i][v] = round(state[i][v] + k[i] * written);
            sum += (q[i] / Math.sqrt(K)) * state[i][v];
          }
          found[h * V + v] = sum;
        }
      });
      const shown = rms(found, w["norm.weight"], V);
      return gated ? shown.map((value, i) => value * silu(gates[t][i])) : shown;
    });
    return { mixed: linear(read, w.out, null, round), heads: [] };
  }

  // Rotary positions: pairs (j, j + width/2) of numbers, turned by place / 10000^(2j / width).
  function turned(row, start, width, place) {
    const half = width / 2;
    const result = new Float64Array(width);
    for (let j = 0; j < half; j++) {
      const angle = place * Math.exp((-Math.log(10000) * j) / half);
      const [a, b] = [row[start + j], row[start + half + j]];
      result[j] = a * Math.cos(angle) - b * Math.sin(angle);
      result[half + j] = a * Math.sin(angle) + b * Math.cos(angle);
    }
    return result;
  }

  // A cell of torch: `next` takes the state, W x + b and U h + b', and gives the next state, whose first vector is the output.
  function cell(w, x, round, vectors, next) {
    let state = Array.from({ length: vectors }, () => new Float64Array(w["kernel.weight_hh_l0"].shape[1]));
    const mixed = linear(x, w["kernel.weight_ih_l0"], w["kernel.bias_ih_l0"], exactly).map((read) => {
      const recurrent = linear([state[0]], w["kernel.weight_hh_l0"], w["kernel.bias_hh_l0"], exactly)[0];
      state = next(state, read, recurrent, state[0].length).map((vector) => vector.map(round));
      return state[0];
    });
    return { mixed, heads: [] };
  }

  const recurrences = {
    elman: (m, w, x, round) => cell(w, x, round, 1, (_, read, recurrent) => [read.map((value, i) => Math.tanh(value + recurrent[i]))]),
    gru: (m, w, x, round) =>
      cell(w, x, round, 1, ([h], read, recurrent, n) => [
        h.map((value, i) => {
          const [r, z] = [sigmoid(read[i] + recurrent[i]), sigmoid(read[n + i] + recurrent[n + i])];
          return (1 - z) * Math.tanh(read[2 * n + i] + r * recurrent[2 * n + i]) + z * value;
        }),
      ]),
    lstm: (m, w, x, round) =>
      cell(w, x, round, 2, ([, c], read, recurrent, n) => {
        const at = (gate, i) => read[gate * n + i] + recurrent[gate * n + i];
        const kept = c.map((value, i) => sigmoid(at(1, i)) * value + sigmoid(at(0, i)) * Math.tanh(at(2, i)));
        return [kept.map((value, i) => sigmoid(at(3, i)) * Math.tanh(value)), kept];
      }),
    deltanet: (m, w, x, round) => delta(m, w, x, round, false),
    "gated-deltanet": (m, w, x, round) => delta(m, w, x, round, true),
    mamba(m, w, x, round) {
      const [E, N] = [m.inner, m.state];
      const into = linear(x, w.into, null, round);
      const u = convolved(into.map((row) => row.slice(0, E)), w["convolution.weight"], w["convolution.bias"]);
      const selected = linear(u, w.select, null, round);
      const rates = linear(selected.map((row) => row.slice(0, m.rank)), w.rate, w.rate_bias, round);
      const h = new Float64Array(E * N);
      const read = u.map((row, t) =>
        row.map((value, e) => {
          const step = softplus(rates[t][e]);
          let sum = w.skip.values[e] * value;
          for (let n = 0; n < N; n++) {
            const at = e * N + n;
            h[at] = round(Math.exp(-step * Math.exp(w.decay.values[at])) * h[at] + step * value * selected[t][m.rank + n]);
            sum += selected[t][m.rank + N + n] * h[at];
          }
          return sum * silu(into[t][E + e]);
        }),
      );
      return { mixed: linear(read, w.out, null, round), heads: [] };
    },
    mamba2(m, w, x, round) {
      const [H, P, G, N] = [m.heads, m.head_width, m.groups, m.state];
      const inner = H * P;
      const into = linear(x, w.into, null, round);
      const mixed = convolved(into.map((row) => row.slice(inner, 2 * inner + 2 * G * N)), w["convolution.weight"], w["convolution.bias"]);
      const S = new Float64Array(H * N * P);
      const read = mixed.map((row, t) => {
        const found = new Float64Array(inner);
        for (let h = 0; h < H; h++) {
          const step = softplus(into[t][2 * inner + 2 * G * N + h] + w.rate_bias.values[h]);
          const kept = Math.exp(-step * Math.exp(w.decay.values[h]));
          const group = Math.floor(h / (H / G)) * N;
          for (let p = 0; p < P; p++) {
            const value = row[h * P + p];
            let sum = w.skip.values[h] * value;
            for (let n = 0; n < N; n++) {
              const at = (h * N + n) * P + p;
              S[at] = round(kept * S[at] + step * row[inner + group + n] * value);
              sum += row[inner + G * N + group + n] * S[at];
            }
            found[h * P + p] = sum * silu(into[t][h * P + p]);
          }
        }
        return rms(found, w["norm.weight"], inner / G);
      });
      return { mixed: linear(read, w.out, null, round), heads: [] };
    },
    retnet(m, w, x, round) {
      const [H, K, V] = [m.heads, m.key_width, m.value_width];
      const [q, k, v, gates] = ["query", "key", "value", "gate"].map((name) => linear(x, w[name], null, round));
      const S = Array.from({ length: H }, () => Array.from({ length: K }, () => new Float64Array(V)));
      const read = x.map((_, t) => {
        const found = new Float64Array(H * V);
        S.forEach((state, h) => {
          const [asked, shown] = [turned(q[t], h * K, K, t), turned(k[t], h * K, K, t)];
          for (let i = 0; i < K; i++) {
            for (let j = 0; j < V; j++) {
              state[i][j] = round((1 - 2 ** -(5 + h)) * state[i][j] + (shown[i] / Math.sqrt(K)) * v[t][h * V + j]);
              found[h * V + j] += asked[i] * state[i][j];
            }
          }
        });
        const ones = { values: [1] };
        return rms(found, ones, V).map((value, i) => value * silu(gates[t][i]));
      });
      return { mixed: linear(read, w.out, null, round), heads: [] };
    },
    pd(m, w, x, round) {
      const n = m.state;
      let h = Float64Array.from(w.initial.values);
      const gates = linear(x, w.gate, w.gate_bias, round);
      const driven = linear(x, w.drive, null, round);
      const chosen = linear(x, w.choice, null, round);
      const states = x.map((_, t) => {
        const next = Float64Array.from(driven[t]);
        for (let source = 0; source < n; source++) {
          const scores = Array.from({ length: n }, (__, target) =>
            chosen[t].reduce((sum, weight, table) => sum + weight * w.tables.values[(table * n + target) * n + source], 0),
          );
          next[scores.indexOf(Math.max(...scores))] += Math.min(1, Math.max(-1, gates[t][source])) * h[source];
        }
        h = next.map(round);
        return h;
      });
      return { mixed: linear(states, w.out, null, round), heads: [] };
    },
  };

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
    ...recurrences,
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
    const activation = part.activation === "gelu" ? gelu : (value) => Math.max(value, 0);
    const inner = linear(y, w.inner, w.inner_bias, round).map((row) => row.map(activation));
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
          const into = normed(layer.norm, this.part(`layers.${index}.before_mixing`, weights), x);
          const { mixed, heads } = mixers[layer.mixer.kind](layer.mixer, own, into, round, options.eta ?? 1);
          heads.forEach((head, h) => attention.push({ layer: index + 1, head: h + 1, weights: head }));
          x = layer.residual ? add(x, mixed, round) : mixed;
        }
        if (layer.feedforward) {
          const into = normed(layer.norm, this.part(`layers.${index}.before_feedforward`, weights), x);
          const z = feedforward(layer.feedforward, this.part(`layers.${index}.feedforward`, weights), into, round);
          x = layer.residual ? add(x, z, round) : z;
        }
      });
      x = normed(this.description.readout.norm, this.part("readout.norm", weights), x);
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
