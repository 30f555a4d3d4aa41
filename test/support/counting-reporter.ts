/** Mocha's spec reporter, closed by the one line of counts that CI reads. */
import Mocha from "mocha";

class CountingReporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`);
  }
}

// Mocha loads a reporter by its default export.
// biome-ignore lint/style/noDefaultExport: mocha's contract
export default CountingReporter;
