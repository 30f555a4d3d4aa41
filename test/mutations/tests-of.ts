/** Which tests would see a mistake in a module: those that import it, the nearest ones first. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Returns the test files that import `module`, by their paths from `dist`, those of its own area first. */
export type TestsOf = (module: string) => readonly string[];

/** The tests of these floors stand in folders without their names. */
const FLOORS = ["schemas", "generators"];

/** @param dist The folder that everything is compiled to. */
export function testsByImports(dist: string): TestsOf {
  const imports = new Map<string, readonly string[]>();
  const programs = programsIn(dist);
  const importsOf = (module: string): readonly string[] => {
    const known = imports.get(module) ?? importedModules(dist, module, programs);
    imports.set(module, known);
    return known;
  };
  const tests = readdirSync(path.join(dist, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.js"))
    .map((name) => path.posix.join("test", name.split(path.sep).join("/")))
    .sort();
  const distances = new Map(tests.map((test) => [test, distancesFrom(test, importsOf)]));
  const long = new Set(tests.filter((test) => LONG.test(readFileSync(path.join(dist, test), "utf8"))));
  const nearness = nearnessAmong(tests);
  return (module) =>
    tests
      .flatMap((test) => {
        const distance = distances.get(test)?.get(module);
        if (distance === undefined) return [];
        return [{ test, near: nearness(test, module), steps: distance + (long.has(test) ? 2 : 0) }];
      })
      .sort((a, b) => b.near - a.near || a.steps - b.steps)
      .map(({ test }) => test);
}

/** Tests of properties and slow ones come later: most mistakes are seen by an example. */
const LONG = /SLOW_TEST_MS|\bfc\.assert\(/;

/** How many steps each module is away from `test`. */
function distancesFrom(
  test: string,
  importsOf: (module: string) => readonly string[],
): ReadonlyMap<string, number> {
  const distances = new Map([[test, 0]]);
  // A map is visited in the order in which it is filled.
  for (const [module, distance] of distances)
    for (const imported of importsOf(module))
      if (!distances.has(imported)) distances.set(imported, distance + 1);
  return distances;
}

/** The module that each bundled program starts with, by the address under which it is started. */
function programsIn(dist: string): ReadonlyMap<string, string> {
  const bundles: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(path.join(dist, "bundled-modules.json"), "utf8"),
  );
  return new Map(
    Object.entries(bundles).flatMap(([bundle, modules]) => {
      const first = modules.find((module) => path.posix.basename(module) === path.posix.basename(bundle));
      return first === undefined ? [] : [[`dist/${bundle}`, first] as const];
    }),
  );
}

function importedModules(
  dist: string,
  module: string,
  programs: ReadonlyMap<string, string>,
): readonly string[] {
  const text = readFileSync(path.join(dist, module), "utf8");
  // Modules are loaded by their addresses, too: those that run in threads and processes of their own.
  const found = [...text.matchAll(/"((?:\.{1,2}|dist)\/[^"\n]+\.js)"/g)];
  return (
    found
      .map(([, name = ""]) => programs.get(name) ?? fromDist(module, name))
      // Tests hold texts of modules, too.
      .filter((name) => existsSync(path.join(dist, name)))
  );
}

/** The path from `dist` of what `module` names: beside itself, or as a program from the root of the package. */
function fromDist(module: string, name: string): string {
  return name.startsWith("dist/")
    ? name.slice("dist/".length)
    : path.posix.join(path.posix.dirname(module), name);
}

/** Returns how near the path of a test is to that of what it may be a test of: each word that they share, the rarer the more. */
function nearnessAmong(tests: readonly string[]): (test: string, module: string) => number {
  const counts = new Map<string, number>();
  for (const word of tests.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (test, module) => {
    const words = new Set(wordsOf(module));
    const shared = [...new Set(wordsOf(test))].filter((word) => words.has(word));
    return shared.reduce((sum, word) => sum + Math.log(tests.length / (counts.get(word) ?? 1)), 0);
  };
}

/** The words of a path, cut to what their forms have in common: `migrate`, `migration`. */
function wordsOf(file: string): readonly string[] {
  return file
    .split(/[^a-z\d]+/)
    .filter((word) => !["js", "test", ...FLOORS].includes(word))
    .map((word) => word.slice(0, 5));
}
