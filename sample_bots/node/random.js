// A random bot for Hearts Arena, on the bare wire: no kit, one file. `npm ci && npm start`.
//
// ARENA_ADDRESS is the referee's host:port, or tls://host:port; of several, with commas, the first that is there.
// Others are visited when they invite. ARENA_TOKEN is the bot's token; ARENA_INSTANCE tells processes of one bot apart.
// ARENA_CA_FILE says whom to trust and encrypts; ARENA_CLIENT_CERT, ARENA_CLIENT_KEY are the bot's own certificate.
// Exit codes: 0 stopped by a signal, 2 wrong usage, 3 the token does not admit, 4 replaced by another process,
// 5 refused for good.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const PASS = 1, RETURN = 2, PLAY = 3, MOON = 4; // DecisionKind
const FINAL = ["INVALID_ARGUMENT", "PERMISSION_DENIED", "UNIMPLEMENTED", "FAILED_PRECONDITION"];
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
const { createSsl, createInsecure } = grpc.credentials;
const homes = address.split(",").map((home) => home.trim());
const isSecure = (to) => authority !== null || to.startsWith("tls://");
const options = { "grpc.keepalive_time_ms": 30000, "grpc.use_local_subchannel_pool": 1 };
const hello = { protocolVersion: 1, botVersion: "random-node/1", capabilities: { maxPacks: 2, maxPlayers: 11 } };
const calls = new Set(); // the streams that are open: at home and on visits
let stopping = false, failures = 0, tried = 0;

// Random numbers below `limit`, the same whenever the same decision of the same match comes again.
function draws(table, kind, n = 0) {
  const moment = `${table.seed}/${table.position}/${table.deal}/${kind}/${table.plays}`;
  return (limit) => createHash("sha256").update(`${moment}/${n++}`).digest().readUIntBE(0, 6) % limit;
}

function decide(table, update) {
  const action = { seat: update.seat, decision: update.decision };
  const below = draws(table, update.kind);
  if (update.kind === PLAY || update.kind === RETURN) action.card = update.legal[below(update.legal.length)];
  else if (update.kind === MOON) action.moon = 1 + below(2);
  else if (update.kind === PASS) {
    const hand = [...table.hand];
    action.cards = Array.from({ length: table.rules.passCount }, () => hand.splice(below(hand.length), 1)[0]);
  } else return null; // a kind of decision that this bot does not know
  return action;
}

function onFrame(frame, call, tables) {
  if (frame.welcome) log(`playing as ${frame.welcome.botName}, session ${frame.welcome.session}`);
  const request = { ready: [], actions: [] };
  for (const seat of frame.opened) {
    tables.set(seat.seat, { rules: seat.rules, seed: seat.botSeed, position: seat.position, plays: 0, hand: [] });
    request.ready.push({ seat: seat.seat });
  }
  for (const { seat, reason, rule, text } of frame.rejections) log(`refused at seat ${seat}: ${reason} (R${rule}): ${text}`);
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
  const [bytes] = status.metadata?.get("grpc-status-details-bin") ?? [];
  for (const { typeUrl, value } of (bytes && rpc.Status.deserialize(bytes).details) ?? []) {
    if (typeUrl.endsWith("/google.rpc.ErrorInfo")) found.reason = rpc.ErrorInfo.deserialize(value).reason ?? "";
    if (!typeUrl.endsWith("/google.rpc.RetryInfo")) continue;
    const { seconds = 0, nanos = 0 } = rpc.RetryInfo.deserialize(value).retryDelay ?? {};
    found.retryMillis = seconds * 1000 + nanos / 1e6;
  }
  return found;
}

// Plays on one stream to its end. The token is for homes; a visit has a ticket in its place.
function converse(to, secure, token, onEnd) {
  const credentials = secure ? createSsl(authority, key, certificate) : createInsecure();
  const client = new hearts.v1.RefereeService(to.replace("tls://", ""), credentials, options);
  const tables = new Map(); // by seat handle: what the bot has to remember; all seats are sent again on a new stream
  const call = client.Play();
  let silence, maxSilence = 0;
  calls.add(call);
  call.on("data", (frame) => {
    clearTimeout(silence);
    if (frame.welcome) maxSilence = 3 * frame.welcome.heartbeatMillis;
    onFrame(frame, call, tables);
    const { address: other, ticket } = frame.invite ?? {};
    if (other) converse(other, secure || isSecure(other), ticket, (end) => log(`left ${other}: ${end.details}`));
    if (maxSilence) silence = setTimeout(() => call.cancel(), maxSilence);
  });
  call.on("error", () => {}); // `status` tells the same
  call.on("status", (status) => {
    clearTimeout(silence);
    calls.delete(call);
    client.close();
    if (!stopping) onEnd(status, maxSilence > 0);
    else if (!calls.size) process.exit(0);
  });
  call.write({ hello: { ...hello, instance, token } });
}

const goHome = (home = homes[tried++ % homes.length]) => converse(home, isSecure(home), token, comeBack);

function comeBack(status, welcomed) {
  const { reason, retryMillis } = detailsOf(status);
  const code = grpc.status[status.code], why = `${code} ${reason} ${status.details}`;
  if (reason === "SESSION_REPLACED") quit(4, `another process of this bot and instance has taken over: ${why}`);
  if (code === "UNAUTHENTICATED") quit(3, `the token does not admit this bot: ${why}`);
  if (FINAL.includes(code) && !retryMillis) quit(5, `refused for good: ${why}`);
  failures = welcomed ? 1 : failures + 1;
  const backOff = Math.min(5000, 200 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
  const delay = tried % homes.length ? backOff : Math.max(backOff, retryMillis * (1 + Math.random() / 5));
  log(`the stream ended: ${why}; coming back in ${(delay / 1000).toFixed(1)} s`);
  setTimeout(() => goHome(), delay);
}

function stop() {
  if (stopping) process.exit(1);
  stopping = true;
  log("stopping");
  for (const call of calls) call.end();
  setTimeout(() => process.exit(0), calls.size && 1000);
}

for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);
goHome();
