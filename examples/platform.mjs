/** Starts the projects platform of the tutorial, or lets a day pass on it: `node platform.mjs start|change <port>`. */
import { startPlatform } from "./projects-platform.mjs";

const TOKEN = "pt_tutorial-token";
const WORDS = { start, change };
const [word = "", port = ""] = process.argv.slice(2);

if (Object.hasOwn(WORDS, word) && /^\d+$/.test(port)) await WORDS[word]();
else fail("Usage: node platform.mjs start|change <port>", 2);

async function start() {
  try {
    const { origin, token } = await startPlatform({ token: TOKEN, port: Number(port) });
    process.stdout.write(`The projects platform is at ${origin}, its API token is ${token}\n`);
  } catch {
    fail(`Port ${port} can't be had. Take another, here and in connections/custom-auth.ts.`, 1);
  }
}

async function change() {
  try {
    const headers = { authorization: `Token api=${TOKEN}` };
    const { ok } = await fetch(`http://127.0.0.1:${port}/changes`, { method: "POST", headers });
    if (ok) process.stdout.write("A day has passed on the platform.\n");
    else fail("Something else answers there.", 1);
  } catch {
    fail(`Nobody answers on port ${port}. Start the platform first.`, 1);
  }
}

function fail(words, status) {
  process.stderr.write(`${words}\n`);
  process.exitCode = status;
}
