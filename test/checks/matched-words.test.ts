import fullFormats from "ajv-formats/dist/formats.js";
import { expect } from "chai";
import { isKnownFormat, KNOWN_FORMATS } from "../../schemas/checks/known-formats.js";
import { matchedWords } from "../../schemas/checks/matched-words.js";
import { isPlaceholder } from "../../schemas/checks/placeholder-text.js";
import { ADDRESSES, CREDENTIALS, PERSONAL, SECRETS } from "../../schemas/checks/telling-words.js";

const TABLE = [
  {
    says: "personal",
    vocabulary: PERSONAL,
    telling:
      "email workEmail emails email2 EMAIL e_mail emailAddress phone PhoneNumber mobile_phone ssn SSN passport " +
      "passportNumber iban salary baseSalary birthDate dateOfBirth dob street siteStreet1 address address-line-2 " +
      "accountNumber bankAccount taxId firstName lastname LAST_NAME fullName password secret accessToken token " +
      "gender cardNumber cvv phoneNumbers",
    innocent:
      "name displayName projectName nameConflict tokenCount tokenType emailSent isEmailVerified emailTemplateId " +
      "phoneModel mobileApp birthdayCardId addressCount id accountId accountType taxAmount salaried streetlights " +
      "nextPageToken continuationToken secretary passengers keyFigures primaryKey webAddress hasPassport",
  },
  {
    says: "secret",
    vocabulary: SECRETS,
    telling:
      "password apiKey API_KEY clientSecret token refreshToken privateKey pwd passphrase credentials apikey",
    innocent:
      "clientId tokenUrl tokenEndpoint secretName keyId userName passwordPolicy compass monkey bypass",
  },
  {
    says: "a credential",
    vocabulary: CREDENTIALS,
    telling: "clientId ClientSecret userName username user login tenantId apiKey",
    innocent:
      "scope maxRetries timeoutSeconds clientCount userGroup endUser loginPage realTimeActionProcessing",
  },
  {
    says: "an address",
    vocabulary: ADDRESSES,
    telling: "baseUrl BaseURL tokenUrl TokenEndpoint AuthorizationEndpoint host apiHost uri server",
    innocent: "webhookUrl redirectUri urlEncoding hostCount timeout ghost defaultRetentionPolicy curl",
  },
] as const;

describe("the words in names of properties", () => {
  for (const { says, vocabulary, telling, innocent } of TABLE) {
    for (const name of telling.split(" ")) {
      it(`hear ${says} in ${name}`, () => {
        expect(matchedWords(name, vocabulary)).to.be.a("string");
      });
    }
    it(`hear nothing that is ${says} in ${innocent}`, () => {
      const heard = innocent.split(" ").filter((name) => matchedWords(name, vocabulary) !== undefined);
      expect(heard).to.deep.equal([]);
    });
  }

  it("say the longest phrase that they hear", () => {
    expect(matchedWords("OAuthClientSecret", SECRETS)).to.equal("client secret");
    expect(matchedWords("work_email_address_2", PERSONAL)).to.equal("email address");
  });
});

describe("the list of formats", () => {
  it("is that of ajv-formats", () => {
    expect([...KNOWN_FORMATS].sort()).to.deep.equal([...fullFormats.formatNames].sort());
    expect(isKnownFormat("date-times")).to.equal(false);
  });
});

describe("placeholder texts", () => {
  for (const text of [
    "TODO: describe",
    "Add a description.",
    "<description>",
    "Example description of the object.",
    "???",
    "Represents a(n) Pay Slip.",
    "n/a",
    "Description of the property",
    "PaySlip",
  ]) {
    it(`are seen in "${text}"`, () => {
      expect(isPlaceholder(text, ["PaySlip"])).to.equal(true);
    });
  }

  for (const text of [
    "Todos of the user.",
    "Whether the description is shown.",
    "A",
    "Test result of the unit.",
    "Represents a pay slip of an employee",
    "文字",
    "Enter date of the building",
  ]) {
    it(`are not seen in "${text}"`, () => {
      expect(isPlaceholder(text, ["PaySlip"])).to.equal(false);
    });
  }
});
