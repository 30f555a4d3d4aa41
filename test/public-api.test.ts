import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { inRepository, SLOW_TEST_MS } from "./support/repository.js";

interface PublicMember {
  /** `Name` or `Name.member`. */
  readonly name: string;
  /** Where it is declared, from the repository's root. */
  readonly path: string;
  readonly isDocumented: boolean;
}

describe("the doc comments of the package's entries", () => {
  let members: readonly PublicMember[] = [];
  before(function () {
    this.timeout(SLOW_TEST_MS);
    members = publicMembers();
  });

  it("are read by this test, those of members too", () => {
    const names = members.map(({ name }) => name);
    expect(names).to.include.members(["createClientHelper", "HttpClient.get", "NetworkError.code"]);
  });

  it("are nowhere missing", () => {
    const missing = members
      .filter(({ isDocumented }) => !isDocumented)
      .map(({ name, path }) => `${path}: ${name}`);
    expect(missing, missing.join("\n")).to.have.length(0);
  });
});

/** Everything that the entries of package.json export. */
function publicMembers(): readonly PublicMember[] {
  const { exports } = JSON.parse(readFileSync(inRepository("package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const entries = Object.values(exports).flatMap(({ types }) =>
    types === undefined ? [] : [inRepository(types.replace("./dist/types/", "").replace(/\.d\.ts$/, ".ts"))],
  );
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const symbols = entries.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  });
  const targets = symbols.map((symbol) =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol),
  );
  return [...new Set(targets)].flatMap((symbol) => {
    const path = pathOf(symbol);
    if (path === undefined) return [];
    const own = { name: symbol.name, path, isDocumented: isDocumented(symbol, checker) };
    const inner = membersOf(symbol, checker).map((member) => ({
      name: `${symbol.name}.${member.name}`,
      path,
      isDocumented: isDocumented(member, checker),
    }));
    return [own, ...inner];
  });
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.getDocumentationComment(checker).length > 0 || symbol.getJsDocTags(checker).length > 0;
}

/** Where a symbol of the repository is declared. Returns undefined for symbols of other packages. */
function pathOf(symbol: ts.Symbol): string | undefined {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName;
  const path = file === undefined ? ".." : relative(inRepository(""), file).split(sep).join("/");
  return path.startsWith("..") || path.startsWith("node_modules/") ? undefined : path;
}

const UNNAMED = ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Constructor | ts.SymbolFlags.Signature;
const UNSEEN = ts.ModifierFlags.Private | ts.ModifierFlags.Override;

/**
 * The members of an interface, a class or a type that is written out. One whose type is a single literal, such as
 * `kind: "action"`, tells types apart and needs no words.
 */
function membersOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const members = [...(symbol.members?.values() ?? []), ...membersOfType(symbol, checker)];
  return [...new Set(members)].filter(({ flags, name, declarations = [] }) => {
    const [declaration] = declarations;
    const isUnseen = declaration !== undefined && (ts.getCombinedModifierFlags(declaration) & UNSEEN) !== 0;
    const isNamed = (flags & UNNAMED) === 0 && !/^(?:__|#)/.test(name);
    return isNamed && !isUnseen && !declarations.every(isDiscriminant);
  });
}

function isDiscriminant(declaration: ts.Declaration): boolean {
  if (!ts.isPropertySignature(declaration) || declaration.type === undefined) return false;
  const { type } = declaration;
  return ts.isLiteralTypeNode(type) || type.kind === ts.SyntaxKind.UndefinedKeyword;
}

function membersOfType(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  const visit = (node: ts.TypeNode): readonly ts.Symbol[] => {
    if (ts.isTypeLiteralNode(node)) {
      return node.members.flatMap(({ name }) => (name && checker.getSymbolAtLocation(name)) ?? []);
    }
    if (ts.isIntersectionTypeNode(node) || ts.isUnionTypeNode(node)) return node.types.flatMap(visit);
    return ts.isParenthesizedTypeNode(node) ? visit(node.type) : [];
  };
  return (symbol.declarations ?? []).flatMap((declaration) =>
    ts.isTypeAliasDeclaration(declaration) ? visit(declaration.type) : [],
  );
}
