import { expect } from "chai";
import {
  ADDRESS_NAMES,
  CODE_SECRET_NAMES,
  CREDENTIAL_NAMES,
  isSecretName,
  matchedPhrase,
  mayAssignSecret,
  PERSONAL_NAMES,
  SECRET_NAMES,
} from "../../schemas/naming/secret-names.js";

const TABLE = [
  {
    says: "personal",
    vocabulary: PERSONAL_NAMES,
    matching:
      "email workEmail emails email2 EMAIL e_mail emailAddress phone PhoneNumber mobile_phone ssn SSN passport " +
      "passportNumber iban salary baseSalary birthDate dateOfBirth dob street siteStreet1 address address-line-2 " +
      "accountNumber bankAccount taxId firstName lastname LAST_NAME fullName password secret accessToken token " +
      "gender cardNumber cvv phoneNumbers",
    others:
      "name displayName projectName nameConflict tokenCount tokenType emailSent isEmailVerified emailTemplateId " +
      "phoneModel mobileApp birthdayCardId addressCount id accountId accountType taxAmount salaried streetlights " +
      "nextPageToken continuationToken secretary passengers keyFigures primaryKey webAddress hasPassport " +
      "key keys pat bearer auth pass cookie path pattern compatible standardBearer",
  },
  {
    says: "a secret",
    vocabulary: SECRET_NAMES,
    matching:
      "password apiKey API_KEY clientSecret token refreshToken privateKey pwd passphrase credentials apikey key " +
      "pat bearer authHeader clientAssertion cookie personalAccessToken keys",
    others:
      "clientId tokenUrl tokenEndpoint secretName keyId userName passwordPolicy compass monkey bypass " +
      "recordKey primaryKey keyboard pattern patId authType cookieConsent forbearer",
  },
  {
    says: "a credential",
    vocabulary: CREDENTIAL_NAMES,
    matching: "clientId ClientSecret userName username user login tenantId apiKey",
    others:
      "scope maxRetries timeoutSeconds clientCount userGroup endUser loginPage realTimeActionProcessing",
  },
  {
    says: "an address",
    vocabulary: ADDRESS_NAMES,
    matching: "baseUrl BaseURL tokenUrl TokenEndpoint AuthorizationEndpoint host apiHost uri server",
    others: "webhookUrl redirectUri urlEncoding hostCount timeout ghost defaultRetentionPolicy curl",
  },
] as const;

describe("matchedPhrase", () => {
  for (const { says, vocabulary, matching, others } of TABLE) {
    for (const name of matching.split(" ")) {
      it(`finds that ${name} is ${says}`, () => {
        expect(matchedPhrase(name, vocabulary)).to.be.a("string");
      });
    }
    it(`does not find ${says} in ${others}`, () => {
      const found = others.split(" ").filter((name) => matchedPhrase(name, vocabulary) !== undefined);
      expect(found).to.deep.equal([]);
    });
  }

  it("gives the longest phrase that the name ends with", () => {
    expect(matchedPhrase("OAuthClientSecret", SECRET_NAMES)).to.equal("client secret");
    expect(matchedPhrase("work_email_address_2", PERSONAL_NAMES)).to.equal("email address");
  });
});

describe("isSecretName", () => {
  const secret =
    "Authorization Proxy-Authorization Cookie Set-Cookie X-Api-Key api_key client_secret refreshToken nextPageToken " +
    "mypassword passwordHash password2 key pat bearer authHeader sharedKey clientAssertion otp jwt PIN credentials";
  for (const name of secret.split(" ")) {
    it(`hides ${name}`, () => {
      expect(isSecretName(name)).to.equal(true);
    });
  }

  it("hides every name that a finding calls secret", () => {
    for (const phrase of [...SECRET_NAMES.endings, ...SECRET_NAMES.wholeNames]) {
      for (const name of [phrase, phrase.replaceAll(" ", "_"), phrase.replaceAll(" ", "").toUpperCase()]) {
        expect(isSecretName(name), name).to.equal(true);
      }
    }
  });

  const others =
    "id name email recordKey primaryKey keyboard path pattern tokenCount secretary authType passengers author " +
    "compass bearers-of-news status firstName";
  it(`shows ${others}`, () => {
    expect(others.split(" ").filter(isSecretName)).to.deep.equal([]);
  });

  it("takes no time that grows with the square of the name", () => {
    // A search from every place of it would run for hours.
    expect(isSecretName("aB".repeat(1_000_000))).to.equal(false);
  });
});

describe("mayAssignSecret", () => {
  it("sees every assignment of a text to a name that a finding calls secret", () => {
    for (const phrase of [...CODE_SECRET_NAMES.endings, ...CODE_SECRET_NAMES.wholeNames]) {
      const name = phrase.replaceAll(" ", "_");
      for (const code of [
        `const ${name} = "x";`,
        `{ ${name}: 'x' }`,
        `{ "${phrase}": \`x\` }`,
        `${name}Hash2="x"`,
        `const ${name}: string = "x"`,
      ]) {
        expect(mayAssignSecret(code), code).to.equal(true);
      }
    }
  });

  it("lets other modules be", () => {
    expect(mayAssignSecret('export const Site = { description: "A place.", format: "uri" };')).to.equal(
      false,
    );
  });
});
