/** Brings a user to a web address: with a browser where there is one, and always with the address to copy. */
import type { Output } from "../output.js";

/** Shows where to sign in. A browser that does not start is no error: the address stands in the terminal. */
export async function showAddress(
  output: Output,
  { address, redirectUri, useBrowser }: { address: string; redirectUri: string; useBrowser: boolean },
): Promise<void> {
  output.say(`The target system must know the redirect address ${redirectUri} (--port fixes its port).`);
  output.say(`Sign in here:\n${address}`);
  if (!useBrowser || !hasDisplay()) return;
  try {
    const { default: open } = await import("open");
    const child = await open(address);
    child.on("error", () => {});
    child.unref();
  } catch {
    // The address was told.
  }
}

/** Windows and macOS always have one; elsewhere the session says so. */
function hasDisplay(): boolean {
  if (process.platform === "win32" || process.platform === "darwin") return true;
  const { DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = process.env;
  return [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME].some((name) => name !== undefined && name !== "");
}
