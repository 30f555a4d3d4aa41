/** Declarations that were made while somebody collects them: a tool that checks them wants their place in the code. */

const COLLECTED = Symbol.for("connectorcli.declarations");

/** A declared reader or handler, and where it was declared. */
export interface CollectedDeclaration {
  readonly kind: "reader" | "handler";
  /** What `defineReader` or `defineHandler` returned. */
  readonly declared: object;
  /** Name of the class that it was declared for. */
  readonly name: string;
  /** Whether a reader yields changes. @default false */
  readonly isIncremental?: boolean;
  /** The error that holds the stack of the declaring call. */
  readonly declaredAt: Error;
}

/** Notes a declaration; nothing is kept if nobody collects. */
export function noteDeclaration(declaration: Omit<CollectedDeclaration, "declaredAt">): void {
  const collected: unknown = Reflect.get(globalThis, COLLECTED);
  if (Array.isArray(collected)) collected.push({ ...declaration, declaredAt: new Error("declared here") });
}

/** The declarations that are made from now on. The list grows with each, whichever copy of this module makes it. */
export function collectDeclarations(): readonly CollectedDeclaration[] {
  const collected: CollectedDeclaration[] = [];
  Reflect.set(globalThis, COLLECTED, collected);
  return collected;
}
