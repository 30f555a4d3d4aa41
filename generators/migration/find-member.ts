/** Finds a member of the registration configuration in the author's code; what it does not understand it names. */
import { rootModule } from "../scaffolds/index.js";
import {
  calleeName,
  locate,
  ownProperty,
  resolved,
  type SourceFiles,
  type Spot,
} from "../source-edits/index.js";
import { nameOf, nodeIn, nodesIn, type SyntaxNode, unwrapped, walk } from "../source-edits/syntax.js";

/** A property in the object literals that lead to it. */
export interface FoundMember {
  /** From the configuration down; the last one is the member. */
  readonly steps: readonly FoundStep[];
}

export interface FoundStep {
  /** The object literal. */
  readonly holder: Spot;
  readonly property: SyntaxNode;
  /** The constant that the object literal was stated as, where it was. */
  readonly constant: string | undefined;
}

/** Why a member was not found, as the end of a sentence, and how far the way led. */
export interface NotFound {
  readonly steps?: undefined;
  readonly reason: string;
  readonly file: string;
  readonly offset?: number;
}

/** Names of all the author's modules, for looking whether a constant is used elsewhere. */
export type AuthorModules = readonly string[];

export function findMember(
  files: SourceFiles,
  names: readonly string[],
  modules: AuthorModules,
): FoundMember | NotFound {
  const start = { file: rootModule(files), call: "defineConnector" };
  const found = locate(files, start, [0, "registrationConfiguration"]);
  if (found.spot === undefined) return { reason: found.reason, file: found.file };
  const [shape] = nodesIn(found.spot.node, "arguments");
  const { file } = found.spot;
  if (calleeName(files, found.spot) !== "defineConfiguration" || shape === undefined)
    return { reason: "the configuration is not a call of defineConfiguration", file };
  return stepsTo(files, { file, node: shape }, { names, modules });
}

interface Wanted {
  readonly names: readonly string[];
  readonly modules: AuthorModules;
}

function stepsTo(files: SourceFiles, from: Spot, { names, modules }: Wanted): FoundMember | NotFound {
  const steps: FoundStep[] = [];
  let at = from;
  for (const name of names) {
    const shape = shapeAt(files, at, modules);
    if ("reason" in shape) return shape;
    const { file, node } = shape.holder;
    const property = ownProperty(shape.holder, name);
    const value = property && nodeIn(property, "value");
    if (property === undefined || value === undefined) {
      const reason = `"${name}" is not written as a plain property of the object that holds it`;
      return { reason, file, offset: node.start };
    }
    steps.push({ ...shape, property });
    at = { file, node: value };
  }
  return { steps };
}

/** The object literal inside Type.Optional, Nullable and Type.Object, through one constant of the same module. */
function shapeAt(
  files: SourceFiles,
  spot: Spot,
  modules: AuthorModules,
  constant?: string,
): Omit<FoundStep, "property"> | NotFound {
  const { file } = spot;
  const node = unwrapped(spot.node);
  const here = { file, offset: node.start };
  if (node.type === "ObjectExpression") return { holder: { file, node }, constant };
  if (node.type === "Identifier") {
    const name = nameOf(node) ?? "";
    const target = resolved(files, { file, node });
    if (target.node === node) return { ...here, reason: `"${name}" can't be followed` };
    if (target.file !== file) return { ...here, reason: `"${name}" is stated in another module` };
    if (!isUsedOnce(files, file, name, modules))
      return { ...here, reason: `"${name}" is used elsewhere, too` };
    return shapeAt(files, target, modules, name);
  }
  const [argument] = nodesIn(node, "arguments");
  const isWrapper = /^(?:Optional|Nullable|Object)$/.test(calleeName(files, { file, node }) ?? "");
  if (!isWrapper || argument === undefined)
    return { ...here, reason: "what holds it is not written as a plain Type.Object" };
  return shapeAt(files, { file, node: argument }, modules, constant);
}

/** Whether nothing but its declaration and one other place names the constant. */
function isUsedOnce(files: SourceFiles, file: string, name: string, modules: AuthorModules): boolean {
  const program = files.syntax(file)?.program;
  const own = program === undefined ? [] : [...walk(program)].filter((one) => isNamed(one, name));
  const others = modules.filter((module) => module !== file);
  return own.length === 2 && !others.some((module) => mentions(files.text(module) ?? "", name));
}

function isNamed(node: SyntaxNode, name: string): boolean {
  return node.type === "Identifier" && nameOf(node) === name;
}

function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{Nd}_$]+/u).includes(name);
}
