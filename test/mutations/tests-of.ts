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
  const importsOf = (module: string): readonly string[] => {
    const known = imports.get(module) ?? importedModules(dist, module);
    imports.set(module, known);
    return known;
  };
  const tests = readdirSync(path.join(dist, "test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.js"))
    .map((name) => path.posix.join("test", name.split(path.sep).join("/")))
    .sort();
  const distances = new Map(tests.map((test) => [test, distancesFrom(test, importsOf)]));
  const long = new Set(tests.filter((test) => LONG.test(readFileSync(path.join(dist, test), "utf8"))));
  return (module) =>
    tests
      .flatMap((test) => {
        const distance = distances.get(test)?.get(module);
        if (distance === undefined) return [];
        return [{ test, near: sharedWords(test, module), steps: distance + (long.has(test) ? 2 : 0) }];
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

function importedModules(dist: string, module: string): readonly string[] {
  const text = readFileSync(path.join(dist, module), "utf8");
  const found = [...text.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";|\bimport\("(\.[^"]+)"\)/gm)];
  return (
    found
      .map(([, statically, dynamically]) =>
        path.posix.join(path.posix.dirname(module), statically ?? dynamically ?? ""),
      )
      // Tests hold texts of modules, too.
      .filter((name) => name.endsWith(".js") && existsSync(path.join(dist, name)))
  );
}

/** How many words the path of a test shares with that of what it may be a test of. */
function sharedWords(test: string, module: string): number {
  const words = new Set(wordsOf(module));
  return new Set(wordsOf(test).filter((word) => words.has(word))).size;
}

function wordsOf(file: string): readonly string[] {
  return file.split(/[^a-z\d]+/).filter((word) => !["js", "test", ...FLOORS].includes(word));
}
