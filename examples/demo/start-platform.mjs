/** The target system of the demo: made of the example by `connectorcli fake start`, in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts the platform of a project, with so many records of each data object. */
export async function startPlatform({ command, project, records }) {
  const args = [command, "fake", "start", "--records", String(records), "--json"];
  const child = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const said = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  if (child.exitCode !== null) throw new Error("the platform does not start.");
  const { origin, connection } = JSON.parse(said[0]);
  const { apiToken: token } = JSON.parse(connection.Configuration);
  const address = `${origin}/v2`;
  return { address, token, passDay, end };

  /** What happens in a day stands in fake.ts of the project. */
  async function passDay() {
    const headers = { authorization: `Token api=${token}` };
    const { ok } = await fetch(`${address}/day`, { method: "POST", headers });
    if (!ok) throw new Error("no day passes on the platform.");
  }

  async function end() {
    child.kill();
    await ended;
  }
}
