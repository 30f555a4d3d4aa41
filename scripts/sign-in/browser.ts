/** Opens a web address in a browser if there is one. */

/** Opens `address`. A browser that does not start is no error: the user has the address. */
export async function openBrowser(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (!hasDisplay(environment)) return;
  try {
    const { default: open } = await import("open");
    const child = await open(address);
    child.on("error", () => {});
    child.unref();
  } catch {
    // The user has the address.
  }
}

/** Windows and macOS always have a display; elsewhere the session says so. */
function hasDisplay({
  DISPLAY,
  WAYLAND_DISPLAY,
  WSL_DISTRO_NAME,
}: Readonly<Record<string, string | undefined>>): boolean {
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return [DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME].some((name) => name !== undefined && name !== "");
}
