/** Starts the projects platform of the tutorial, or lets a day pass on it: `node platform.mjs start|change <port>`. */
import { startPlatform } from "./projects-platform.mjs";

const TOKEN = "pt_tutorial-token";
const [word, port = ""] = process.argv.slice(2);

if (/^\d+$/.test(port) && word === "start") await start();
else if (/^\d+$/.test(port) && word === "change") await changeRunning();
else {
  process.stderr.write("Usage: node platform.mjs start|change <port>\n");
  process.exitCode = 2;
}

async function start() {
  const { origin, token } = await startPlatform({ token: TOKEN, port: Number(port) });
  process.stdout.write(`The projects platform is at ${origin}, its API token is ${token}\n`);
}

async function changeRunning() {
  const headers = { authorization: `Token api=${TOKEN}` };
  const { ok } = await fetch(`http://127.0.0.1:${port}/changes`, { method: "POST", headers });
  process.stdout.write(ok ? "A day has passed on the platform.\n" : "The platform refused.\n");
  process.exitCode = ok ? 0 : 1;
}
