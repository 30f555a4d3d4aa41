import { expect } from "chai";
import fc from "fast-check";
import { addressOf, baseAddress, withParameter } from "../../../runtime/client/addresses.js";
import { path, RequestRefusedError } from "../../../runtime/client/index.js";
import { runs } from "../../support/repository.js";

describe("addresses of calls", () => {
  const at = (path: string, base = "https://host/v2") => addressOf(baseAddress(base), path);

  it("are below the base address, with or without slashes between", () => {
    for (const base of ["https://host/v2", "https://host/v2/"])
      for (const path of ["projects", "/projects"])
        expect(at(path, base)).to.equal("https://host/v2/projects");
    expect(at("", "https://host/v2")).to.equal("https://host/v2");
    expect(at("projects:search?a=b#c")).to.equal("https://host/v2/projects:search?a=b");
  });

  it("get the query behind what the path has", () => {
    expect(addressOf("https://host", "a?b=1", { c: "x y&", d: [1, true], e: null, f: undefined })).to.equal(
      "https://host/a?b=1&c=x%20y%26&d=1&d=true",
    );
  });

  it("may be absolute if the origin is the same", () => {
    expect(at("https://host/v3/next?cursor=1")).to.equal("https://host/v3/next?cursor=1");
    expect(at("//host/v3")).to.equal("https://host/v3");
  });

  it("of another origin are refused, whatever they look like, by their origin only", () => {
    for (const path of [
      "https://evil.test/?secret",
      "http://host/v2/x",
      "https://host:8443/x",
      "//evil.test/x",
      "\\\\evil.test/x",
      "/\\evil.test/x",
      "https://host@evil.test/x",
      "https://user:pass@host/x",
      "https:\\\\evil.test",
      "ftp://host/x",
    ])
      expect(() => at(path), path)
        .to.throw(RequestRefusedError, /the connection is for https:\/\/host only\.$/)
        .with.property("message")
        .that.does.not.match(/secret|pass/);
  });

  it("never climb out of the base address", () => {
    for (const path of [
      "../admin",
      "a/../../admin",
      "a/%2E%2e/b",
      "..\\admin",
      "a/.%2e?x",
      ".\t./admin",
      ".. ",
      "..\0",
      "a/..\x1f ",
    ])
      expect(() => at(path), path).to.throw(RequestRefusedError, '".." in it');
    for (const path of [".", "items/./sales", "items/.", "items/%2e", ". "])
      expect(() => at(path), path).to.throw(RequestRefusedError, '"." in it');
    expect(at("items?q=../x#..")).to.equal("https://host/v2/items?q=../x");
    expect(at("a..b/..c")).to.equal("https://host/v2/a..b/..c");
  });

  it("stay below the base address for any path", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom("..", "/", "\\", "%2e", "@", ":", "//", "?", "#", "\t", "https:"),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          expect(at(pieces.join(""))).to.match(/^https:\/\/host\/(?:v2(?:[/?]|$))?/);
          expect(new URL(at(pieces.join(""))).origin).to.equal("https://host");
        } catch (error) {
          expect(error).to.be.instanceOf(RequestRefusedError);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("need a base address of http without credentials, query and fragment", () => {
    for (const base of ["", "host/v2", "ftp://host", "file:///etc/passwd"])
      expect(() => baseAddress(base), base).to.throw(RequestRefusedError, "no http or https address");
    expect(() => baseAddress("https://me:hunter2@host"))
      .to.throw(RequestRefusedError, /credentials/)
      .with.property("message")
      .that.does.not.include("hunter2");
    expect(() => baseAddress("https://host?x=1")).to.throw(RequestRefusedError, "a query or a fragment");
  });
});

describe("path", () => {
  it("encodes every value, so that it stays one segment", () => {
    expect(path`projects/${"a/b?c#d %"}/tasks/${7}:close?at=${"x&y"}`).to.equal(
      "projects/a%2Fb%3Fc%23d%20%25/tasks/7:close?at=x%26y",
    );
    expect(path`${"..a"}/${1n}${"."}?empty=${""}`).to.equal("..a/1.?empty=");
  });

  it("refuses values that would lead to another resource: nothing, . and .., also put together", () => {
    for (const [build, written] of [
      [() => path`items/${""}`, '""'],
      [() => path`items/${"."}/sales`, '"."'],
      [() => path`items/${".."}?a=1`, '".."'],
      [() => path`items/${"."}${"."}`, '".."'],
      [() => path`items/.${"."}`, '".."'],
    ] as const)
      expect(build).to.throw(RequestRefusedError, `makes its segment ${written}`);
    expect(() => path`items/${"\ud800"}`).to.throw(RequestRefusedError, "half a character");
  });

  it("leads to one segment below what is written, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!["", ".", ".."].includes(text) && text.isWellFormed());
        const { pathname } = new URL(addressOf("https://host/v2", path`items/${text}/sales`));
        expect(pathname.split("/")).to.deep.equal(["", "v2", "items", encodeURIComponent(text), "sales"]);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("withParameter", () => {
  it("replaces every parameter of the name and keeps the others as they are written", () => {
    expect(withParameter("https://h/p?a=x%20y&key=1&k%65y=2&b", "key", "s&")).to.equal(
      "https://h/p?a=x%20y&b&key=s%26",
    );
    expect(withParameter("https://h/p", "key", "v")).to.equal("https://h/p?key=v");
  });
});
