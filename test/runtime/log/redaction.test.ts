import { expect } from "chai";
import fc from "fast-check";
import { HIDDEN } from "../../../runtime/entries/runtime.js";
import { createSecretRedaction } from "../../../runtime/log/redaction.js";
import { runs } from "../../support/repository.js";

/** `text` in the forms in which a secret travels. */
function formsOf(text: string): readonly string[] {
  const component = encodeURIComponent(text);
  return [
    text,
    JSON.stringify({ text }),
    JSON.stringify(JSON.stringify({ text })),
    new URLSearchParams({ text }).toString(),
    component,
    component.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURIComponent(component),
    ...["", "u", "us", "user:", "a longer name:"].flatMap((before) => [
      Buffer.from(`${before}${text}`).toString("base64"),
      Buffer.from(`${before}${text} and more`).toString("base64url"),
    ]),
  ];
}

describe("a redaction of secrets", () => {
  it("hides a secret of several lines where it is quoted in one, and not what is left of one without letters", () => {
    const redaction = createSecretRedaction();
    redaction.hide(["one\n\ttwo", "\u200b\u200b\u200b\u200b", "a\u200b\u200bb"]);
    expect(redaction.text("no one two here, a b")).to.equal("no --hidden value-- here, a b");
  });

  it("finds a secret plain, in JSON, in addresses, and in base64 wherever it stands in the encoded bytes", () => {
    const secret = fc
      .string({ unit: "grapheme", minLength: 4, maxLength: 40 })
      .filter((text) => text.isWellFormed() && text.trim().length >= 4);
    fc.assert(
      fc.property(secret, (text) => {
        const redaction = createSecretRedaction([text]);
        for (const form of formsOf(text)) expect(redaction.text(form), form).to.include("--hidden value--");
      }),
      { numRuns: runs(200) },
    );
  });

  it("hides each line of a secret of several lines, and leaves short secrets in longer texts alone", () => {
    const redaction = createSecretRedaction(["first line\nsecond line", "no"]);
    expect(redaction.text("the second line, no?")).to.equal("the --hidden value--, no?");
  });

  it("hides a short secret that is the whole text", () => {
    expect(createSecretRedaction(["no"]).text("no")).to.equal("--hidden value--");
  });

  it("keeps texts of any length whole, so that JSON stays JSON", () => {
    const items = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `${id} s3cret` }));
    const text = createSecretRedaction(["s3cret"]).text(JSON.stringify(items));
    expect(JSON.parse(text)).to.deep.equal(items.map(({ id }) => ({ id, name: `${id} --hidden value--` })));
  });

  it("hides secrets of any length and number", () => {
    const long = `-----BEGIN ${"kT9/".repeat(150_000)}`;
    const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index} of a key`).join("\n");
    const many = Array.from({ length: 2_000 }, (_, index) => `secret-${index}`);
    const { text } = createSecretRedaction([long, lines, ...many]);
    expect(text(`a ${long} b secret-1999 c line 8999 of a key d`)).to.equal(
      `a ${HIDDEN} b ${HIDDEN} c ${HIDDEN} d`,
    );
  });

  it("forgets what was secret for a while, unless somebody else hides it too", () => {
    const { hide, text } = createSecretRedaction(["always-secret"]);
    const forget = hide(["for-a-while", "always-secret"]);
    hide(["for-long"]);
    const forgetAgain = hide(["for-a-while"]);
    forget();
    forget();
    expect(text("always-secret for-a-while for-long")).to.equal(`${HIDDEN} ${HIDDEN} ${HIDDEN}`);
    forgetAgain();
    expect(text("always-secret for-a-while for-long")).to.equal(`${HIDDEN} for-a-while ${HIDDEN}`);
  });

  it("learns secrets later", () => {
    const redaction = createSecretRedaction();
    expect(redaction.text("rotated")).to.equal("rotated");
    redaction.hide(["rotated"]);
    expect(redaction.text("rotated")).to.equal("--hidden value--");
  });
});
