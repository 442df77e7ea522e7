// A random bot for Hearts Arena, on the bare wire: no kit, one file. `npm ci && npm start`.
//
// ARENA_ADDRESS is the referee's host:port, or tls://host:port; ARENA_TOKEN the bot's token; ARENA_INSTANCE tells
// processes of one bot apart. ARENA_CA_FILE says whom to trust and encrypts, ARENA_CLIENT_CERT and ARENA_CLIENT_KEY are
// a certificate of the bot's own.
// Exit codes: 0 stopped by a signal, 2 wrong usage, 3 the token does not admit, 4 replaced by another process,
// 5 refused for good.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const PASS = 1, RETURN = 2, PLAY = 3, MOON = 4; // DecisionKind
const { ARENA_ADDRESS: address, ARENA_TOKEN: token, ARENA_INSTANCE: instance = "" } = process.env;
const log = (text) => console.error(`${new Date().toISOString()} ${text}`);
const quit = (code, text) => { log(text); process.exit(code); };
if (!address || !token) quit(2, "set ARENA_ADDRESS to host:port, and ARENA_TOKEN to the bot's token");

const protos = fileURLToPath(new URL("../../proto", import.meta.url));
const { hearts } = grpc.loadPackageDefinition(protoLoader.loadSync("hearts/v1/referee_service.proto", {
  includeDirs: [protos], longs: String, defaults: true, oneofs: true, arrays: true,
}));
// The part of google.rpc.Status that tells why a stream ended and when to come back.
const field = (type, id, rule) => ({ type, id, ...(rule && { rule }) });
const rpc = protoLoader.fromJSON({ nested: {
  Any: { fields: { typeUrl: field("string", 1), value: field("bytes", 2) } },
  Status: { fields: { details: field("Any", 3, "repeated") } },
  ErrorInfo: { fields: { reason: field("string", 1) } },
  Duration: { fields: { seconds: field("int64", 1), nanos: field("int32", 2) } },
  RetryInfo: { fields: { retryDelay: field("Duration", 1) } },
} }, { longs: Number });

const [authority, certificate, key] = ["ARENA_CA_FILE", "ARENA_CLIENT_CERT", "ARENA_CLIENT_KEY"]
  .map((name) => (process.env[name] ? readFileSync(process.env[name]) : null));
const secure = authority !== null || address.startsWith("tls://");
const credentials = secure ? grpc.credentials.createSsl(authority, key, certificate) : grpc.credentials.createInsecure();
const client = new hearts.v1.RefereeService(address.replace(/^tls:\/\//, ""), credentials, {
  "grpc.keepalive_time_ms": 30000, "grpc.initial_reconnect_backoff_ms": 200, "grpc.max_reconnect_backoff_ms": 5000,
});
const tables = new Map(); // by seat handle: what the bot has to remember of each table
let call, stopping = false, failures = 0, welcomed = false, silence, maxSilence = 0;

// Random numbers below `limit`, the same whenever the same decision of the same match comes again.
function* draws(table, kind) {
  for (let n = 0; ; n++) {
    const text = `${table.seed}/${table.position}/${table.deal}/${kind}/${table.plays}/${n}`;
    yield (limit) => createHash("sha256").update(text).digest().readUIntBE(0, 6) % limit;
  }
}

function decide(table, update) {
  const action = { seat: update.seat, decision: update.decision };
  const draw = draws(table, update.kind), below = (limit) => draw.next().value(limit);
  if (update.kind === PLAY || update.kind === RETURN) action.card = update.legal[below(update.legal.length)];
  else if (update.kind === MOON) action.moon = 1 + below(2);
  else if (update.kind === PASS) {
    const hand = [...table.hand];
    action.cards = Array.from({ length: table.rules.passCount }, () => hand.splice(below(hand.length), 1)[0]);
  } else return null; // a kind of decision that this bot does not know
  return action;
}

function onFrame(frame) {
  if (frame.welcome) {
    log(`playing as ${frame.welcome.botName}, session ${frame.welcome.session}`);
    welcomed = true;
    maxSilence = 3 * frame.welcome.heartbeatMillis;
  }
  const request = { ready: [], actions: [] };
  for (const seat of frame.opened) {
    tables.set(seat.seat, { rules: seat.rules, seed: seat.botSeed, position: seat.position, plays: 0, hand: [] });
    request.ready.push({ seat: seat.seat });
  }
  for (const refused of frame.rejections) log(`refused at seat ${refused.seat}: ${refused.reason} (R${refused.rule}): ${refused.text}`);
  for (const update of frame.updates) {
    const table = tables.get(update.seat);
    if (!table) continue;
    if (update.deal) Object.assign(table, { hand: update.deal.hand, deal: update.deal.number, plays: 0 });
    table.plays += update.plays.length;
    const action = update.decision ? decide(table, update) : null;
    if (action) request.actions.push(action);
  }
  for (const seat of frame.closed) tables.delete(seat.seat);
  for (const notice of frame.notices) log(`the referee says: ${notice.code} ${notice.text}`);
  if (frame.draining) log(`the referee goes away in ${frame.draining.remainingMillis} ms at the latest`);
  if (request.ready.length || request.actions.length) call.write(request);
}

function detailsOf(status) {
  const found = { reason: "", retryMillis: 0 };
  for (const bytes of status.metadata?.get("grpc-status-details-bin") ?? []) {
    for (const { typeUrl, value } of rpc.Status.deserialize(bytes).details ?? []) {
      if (typeUrl.endsWith("/google.rpc.ErrorInfo")) found.reason = rpc.ErrorInfo.deserialize(value).reason ?? "";
      if (typeUrl.endsWith("/google.rpc.RetryInfo")) {
        const { seconds = 0, nanos = 0 } = rpc.RetryInfo.deserialize(value).retryDelay ?? {};
        found.retryMillis = seconds * 1000 + nanos / 1e6;
      }
    }
  }
  return found;
}

function onEnd(status) {
  clearTimeout(silence);
  if (stopping) process.exit(0);
  const { reason, retryMillis } = detailsOf(status);
  const why = `${grpc.status[status.code]} ${reason} ${status.details}`;
  if (reason === "SESSION_REPLACED") quit(4, `another process of this bot and instance has taken over: ${why}`);
  if (status.code === grpc.status.UNAUTHENTICATED) quit(3, `the token does not admit this bot: ${why}`);
  const final = ["INVALID_ARGUMENT", "PERMISSION_DENIED", "UNIMPLEMENTED", "FAILED_PRECONDITION"];
  if (final.includes(grpc.status[status.code]) && !retryMillis) quit(5, `refused for good: ${why}`);
  failures = welcomed ? 1 : failures + 1;
  const backOff = Math.min(5000, 200 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
  const delay = Math.max(backOff, retryMillis * (1 + Math.random() / 5));
  log(`the stream ended: ${why}; coming back in ${(delay / 1000).toFixed(1)} s`);
  setTimeout(connect, delay);
}

function connect() {
  if (stopping) return;
  welcomed = false;
  call = client.Play();
  call.on("data", (frame) => {
    clearTimeout(silence);
    onFrame(frame);
    if (maxSilence) silence = setTimeout(() => call.cancel(), maxSilence);
  });
  call.on("error", () => {}); // `status` tells the same
  call.on("status", onEnd);
  const capabilities = { maxPacks: 2, minPlayers: 3, maxPlayers: 11 };
  call.write({ hello: { token, protocolVersion: 1, botVersion: "random-node/1", instance, capabilities } });
}

function stop() {
  if (stopping) process.exit(1);
  stopping = true;
  log("stopping");
  call?.end();
  setTimeout(() => process.exit(0), 1000);
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
connect();
