// Checks deals.json against docs/deals.md with nothing but Node's own crypto: node check_deals.mjs [FILE]
//
// It is written from the description alone, so that the two cannot be wrong in the same way.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

const SUITS = "CDSH";
const RANKS = "23456789TJQKA";

const sha256 = (data) => createHash("sha256").update(data).digest();
const hmac = (key, data) => createHmac("sha256", key).update(data).digest();

function* words(key) {
  for (let counter = 0; ; counter++) {
    const block = Buffer.alloc(4);
    block.writeUInt32BE(counter);
    const output = hmac(key, block);
    for (let at = 0; at < 32; at += 4) yield output.readUInt32BE(at);
  }
}

function below(stream, n) {
  for (;;) {
    const word = stream.next().value;
    if (word < Math.floor(2 ** 32 / n) * n) return word % n;
  }
}

function shuffle(stream, cards) {
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(stream, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
}

function dealOut(cards, players, dealer, each) {
  const hands = Array.from({ length: players }, () => []);
  for (let turn = 0; turn < players * each; turn++) hands[(dealer + 1 + turn) % players].push(cards[turn]);
  return [hands, cards.slice(players * each)];
}

const place = (card) => SUITS.indexOf(card[1]) * 13 + RANKS.indexOf(card[0]);

function packOf(rules) {
  const pack = [];
  for (const suit of SUITS) {
    for (const rank of RANKS) {
      if (!rules.stripped.includes(rank + suit)) for (let copy = 0; copy < rules.packs; copy++) pack.push(rank + suit);
    }
  }
  return pack;
}

/** JSON in ASCII with sorted keys and no white space. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

let compared = 0;
let wrong = 0;
function same(what, found, expected) {
  compared++;
  if (isDeepStrictEqual(found, expected)) return;
  wrong++;
  console.log(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
}

const file = process.argv[2] ?? fileURLToPath(new URL("deals.json", import.meta.url));
// Bot seeds have up to 63 bits, more than a JavaScript number holds, so they are read as texts.
const document = JSON.parse(readFileSync(file, "utf8").replace(/"seed": (\d+)/g, '"seed": "$1"'));

for (const { tournament, seed, secret } of document.seeds) {
  same(`seed ${seed}`, sha256(`hearts-seed/1|${tournament}|${seed}`).toString("hex"), secret);
}

let secret = Buffer.from(document.chain.root, "hex");
for (const expected of [...document.chain.secrets].reverse()) {
  same("chain", secret.toString("hex"), expected);
  secret = sha256(secret);
}
same("commitment", secret.toString("hex"), document.chain.commitment);

for (const draw of document.draws) same("draw", below(draw.words.values(), draw.below), draw.number);

for (const vector of document.vectors) {
  const { name, rules, dealer } = vector;
  same(`${name}: rules`, canonical(rules), vector.canonical_rules);
  const digest = sha256(vector.canonical_rules).toString("hex");
  same(`${name}: digest`, digest, vector.rules_sha256);
  const key = (block, deal, purpose) =>
    hmac(Buffer.from(vector.secret, "hex"), ["hearts-deal/1", digest, vector.tournament, block, deal, purpose].join("|"));

  const dealKey = key(vector.block, vector.deal, "deal");
  same(`${name}: key`, dealKey.toString("hex"), vector.key);
  const stream = words(dealKey);
  same(`${name}: words`, vector.words.map(() => stream.next().value), vector.words);
  const pack = packOf(rules);
  shuffle(words(dealKey), pack);
  const [hands, kitty] = dealOut(pack, rules.players, dealer, Math.floor(pack.length / rules.players));
  same(`${name}: hands`, hands, vector.hands);
  same(`${name}: kitty`, kitty, vector.kitty);

  const dealerKey = key(vector.block, 0, "dealer");
  same(`${name}: key of the dealer`, dealerKey.toString("hex"), vector.first_dealer.key);
  same(`${name}: first dealer`, below(words(dealerKey), rules.players), vector.first_dealer.seat);

  const seedKey = key(vector.bot_seed.match, vector.bot_seed.entrant, "bot-seed");
  same(`${name}: key of the bot seed`, seedKey.toString("hex"), vector.bot_seed.key);
  const halves = words(seedKey);
  const seed = ((BigInt(halves.next().value) << 32n) | BigInt(halves.next().value)) >> 1n;
  same(`${name}: bot seed`, String(seed), vector.bot_seed.seed);

  if (vector.pool) {
    const poolKey = key(vector.block, vector.deal, "pool");
    same(`${name}: key of the pool`, poolKey.toString("hex"), vector.pool.key);
    const pool = [...vector.pool.surrendered].sort((one, two) => place(one) - place(two));
    shuffle(words(poolKey), pool);
    same(`${name}: pool`, dealOut(pool, rules.players, dealer, rules.pass_count)[0], vector.pool.dealt);
  }
}

console.log(`${document.vectors.length} vectors, ${compared} comparisons, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
