import { join } from "node:path";
import { inspect } from "node:util";
import { expect } from "chai";
import { generatedModules } from "../../generators/classes/generated-modules.js";
import type { TypedRecordClass } from "../../runtime/entries/runtime.js";
import { buildConnectorModel } from "../../schemas/entries/model.js";
import { defineConnector, Type } from "../../schemas/entries/vocabulary.js";
import { loadConnectors, loadModules, withProjects } from "../support/author-project.js";
import { connectionOf, moduleOf } from "../support/checks.js";
import { inRepository } from "../support/repository.js";

interface Addresses {
  readonly BaseUrl?: string;
  readonly tokenUrl?: string;
  readonly authorizationUrl?: string;
}

type AnyClass = TypedRecordClass<object, object, Addresses, object>;

describe("a generated connection", () => {
  let loaded: Readonly<Record<string, unknown>>;
  let code: string;
  const connection = (name: string) => loaded[name] as AnyClass;

  before(async () => {
    const [connector] = await loadConnectors([inRepository("test/golden/connections/input/connector.ts")]);
    const files = generatedModules(buildConnectorModel(connector).model);
    code = files.map(({ content }) => content).join("\n");
    await withProjects([files], async (_, [folder = ""]) => {
      const paths = files.map(({ path }) => path).filter((path) => path.includes("/connections/"));
      const modules = await loadModules(paths.map((path) => join(folder, path)));
      loaded = Object.assign({}, ...modules.map((module) => ({ ...module })));
    });
  });

  it("has the one fixed address", () => {
    expect(connection("ApiKeyAuth").from({ apiKey: "k" }).BaseUrl).to.equal("https://api.company.com/v1");
  });

  it("has the address of its environment, and none for Unknown or any other value", () => {
    const basic = (connectionEnvironment: number) =>
      connection("BasicAuth").from({ username: "u", password: "12345678", connectionEnvironment });
    expect(basic(1).BaseUrl).to.equal("https://api.company.com");
    expect(basic(2).BaseUrl).to.equal("https://sandbox.company.com");
    expect(() => basic(0).BaseUrl).to.throw(/^No base url was set\.$/);
    const draft = connection("BasicAuth").draft({ connectionEnvironment: 9 } as object) as Addresses;
    expect(() => draft.BaseUrl).to.throw(/^No base url was set\.$/);
  });

  it("has the environments of the specification, by name and number", () => {
    expect(loaded["ConnectionEnvironmentBasic"]).to.include({ Unknown: 0, Production: 1, Test: 2 });
    expect(loaded).to.include.keys("ConnectionEnvironmentOAuth2CodeFlow");
    expect(code).to.include("  connectionEnvironment: ConnectionEnvironmentBasic;");
  });

  it("takes the address from the property that holds it, and the serialized names of the others", () => {
    const json = { tenantUrl: "https://tenant.company.com", client_secret: "s3cret" };
    const made = connection("OAuth2ClientCredentials").from(json);
    expect(made).to.include({ BaseUrl: "https://tenant.company.com", clientSecret: "s3cret" });
    expect(JSON.parse(JSON.stringify(made))).to.deep.equal(json);
    const draft = connection("OAuth2ClientCredentials").draft() as Addresses;
    expect(() => draft.BaseUrl).to.throw(/^No base url was set\.$/);
  });

  it("of an OAuth2 type has the standard members without declaring them, and the secret ones are hidden", () => {
    const json = { connectionEnvironment: 1, clientId: "c", clientSecret: "s3cret", refreshToken: "t0ken" };
    const made = connection("OAuth2CodeFlow").from({ ...json, clientAuthentication: "body" });
    expect(made).to.include({ clientId: "c", refreshToken: "t0ken", clientAuthentication: "body" });
    expect(inspect(made))
      .to.include("c")
      .and.to.not.match(/s3cret|t0ken/);
    const wrong = connection("OAuth2CodeFlow").findings({ ...json, clientAuthentication: "cookie" });
    expect(wrong.map(({ instancePath }) => instancePath)).to.deep.equal(["/clientAuthentication"]);
  });

  it("has the addresses for tokens that the definition says, whatever a stored connection still holds", () => {
    const json = {
      connectionEnvironment: 2,
      tokenUrl: "https://evil.company.com",
      BaseUrl: "https://evil.company.com",
    };
    const made = connection("OAuth2CodeFlow").from(json);
    expect(made.tokenUrl).to.equal("https://login.sandbox.company.com/token");
    expect(made.authorizationUrl).to.equal("https://login.company.com/authorize?access_type=offline");
    expect(made.BaseUrl).to.equal("https://sandbox.company.com");
    expect(JSON.parse(JSON.stringify(made))).to.deep.equal(json);
    const unknown = connection("OAuth2CodeFlow").from({ connectionEnvironment: 0 });
    expect(() => unknown.tokenUrl).to.throw(/^No base url was set\.$/);
    const { tokenUrl } = connection("OAuth2ClientCredentials").from({
      ...{ tenantUrl: "https://tenant.company.com", client_secret: "s" },
      tokenUrl: "https://tenant.company.com/token",
    });
    expect(tokenUrl).to.equal("https://tenant.company.com/token");
  });

  it("never shows a sensitive property, not even in the finding that refuses it", () => {
    const made = connection("OAuth2ClientCredentials").from({
      tenantUrl: "https://tenant.company.com",
      client_secret: "s3cret",
    });
    const found = connection("BasicAuth").findings({
      username: "u",
      password: "s3cret",
      connectionEnvironment: 1,
    });
    expect(found.map(({ keyword }) => keyword)).to.deep.equal(["minLength"]);
    for (const shown of [inspect(made), String(made), JSON.stringify(found)]) {
      expect(shown).to.include("--hidden value--").and.to.not.include("s3cret");
    }
  });

  it("hides a sensitive property whose schema only JSON Schema can say", () => {
    const codeOf = (isSensitive: boolean) => {
      const seed = Type.Unsafe<string>({
        ...{ title: "Seed", description: "Of the codes.", isSensitive },
        oneOf: [{ type: "string", maxLength: 8 }, { type: "integer" }],
      });
      const { model } = buildConnectorModel(
        defineConnector("Company", {
          ...{ key: "company", description: "", modules: [moduleOf()] },
          connections: [connectionOf({ authType: "Custom", properties: { seed } }, "CustomAuth")],
        }),
      );
      const files = generatedModules(model).filter(({ path }) => path.includes("/connections/"));
      return files.map(({ content }) => content).join();
    };
    expect(codeOf(true))
      .to.include("oneOf")
      .and.to.match(/writeOnly"?: true/);
    expect(codeOf(false)).to.include("oneOf").and.to.not.include("writeOnly");
  });
});
