import { expect } from "chai";
import {
  type AttributeModel,
  type ConnectionModel,
  connectionProperties,
  standardMembers,
} from "../../schemas/entries/model.js";

const OWN: AttributeModel = {
  name: "secret",
  key: "clientSecret",
  title: "Secret",
  description: "",
  isSensitive: true,
  isRequired: true,
  options: [],
  schema: { kind: "string", nullable: false, keywords: [] },
};

function connection(
  authType: ConnectionModel["authType"],
  attributes: readonly AttributeModel[],
): ConnectionModel {
  return {
    kind: "connection",
    name: "Auth",
    key: "auth",
    authType,
    type: "Standard",
    title: "",
    description: "",
    attributes,
    baseUrl: { kind: "none" },
    tokenUrl: { kind: "none" },
    authorizationUrl: { kind: "none" },
  };
}

describe("connectionProperties", () => {
  it("adds the standard members of the authorization code flow, secrets sensitive", () => {
    const keys = connectionProperties(connection("OAuth2CodeFlow", [])).map(({ key }) => key);
    expect(keys).to.deep.equal([
      "clientId",
      "clientSecret",
      "tokenUrl",
      "authorizationUrl",
      "refreshUrl",
      "scope",
      "clientAuthentication",
      "refreshToken",
    ]);
    const secret = standardMembers("OAuth2CodeFlow").filter(({ isSensitive }) => isSensitive);
    expect(secret.map(({ key }) => key)).to.deep.equal(["clientSecret", "refreshToken"]);
  });

  it("adds no user's sign-in to client credentials, and nothing to the other types", () => {
    const keys = connectionProperties(connection("OAuth2ClientCredentials", [])).map(({ key }) => key);
    expect(keys).to.include("tokenUrl").and.to.not.include.members(["authorizationUrl", "refreshToken"]);
    for (const authType of ["ApiKey", "Basic", "Custom"] as const)
      expect(connectionProperties(connection(authType, [OWN]))).to.deep.equal([OWN]);
  });

  it("asks for no address that the definition says", () => {
    const said: ConnectionModel = {
      ...connection("OAuth2CodeFlow", []),
      tokenUrl: { kind: "fixed", url: "https://login.company.com/token" },
    };
    const keys = connectionProperties(said).map(({ key }) => key);
    expect(keys).to.include("authorizationUrl").and.to.not.include("tokenUrl");
  });

  it("leaves a member that the author declares again as it was declared, first and once", () => {
    const all = connectionProperties(connection("OAuth2ClientCredentials", [OWN, OWN]));
    expect(all[0]).to.equal(OWN);
    expect(all.filter(({ key }) => key === "clientSecret")).to.deep.equal([OWN]);
    const byName = connectionProperties(
      connection("OAuth2CodeFlow", [{ ...OWN, name: "scope", key: "Scp" }]),
    );
    expect(byName.filter(({ name }) => name === "scope")).to.have.length(1);
  });
});
