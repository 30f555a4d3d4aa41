/** Thrown if the machine lacks what the tool needs; the message says what, and what to do. */
export class SystemError extends Error {
  override readonly name = "SystemError";
}
