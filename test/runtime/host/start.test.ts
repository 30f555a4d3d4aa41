import { inspect } from "node:util";
import { expect } from "chai";
import type { Log } from "../../../runtime/entries/runtime.js";
import {
  StartError,
  type StartOptions,
  sensitiveTypes,
  startConnector,
} from "../../../runtime/host/index.js";
import { MODULE, smallRegistration } from "../../support/registration.js";

const RIGHT = {
  registrationConfiguration: { Region: "North" },
  services: {
    "app-1": {
      actionProcessor: { CreateSiteConfig: { ProcessQueuedEvent: true } },
      cacheWriter: { SiteConfig: { UploadObject: true }, VisitConfig: { Checkpoint: null }, PageSize: 50 },
    },
  },
};

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

function start(options: object = {}) {
  return startConnector(smallRegistration(), { ...RIGHT, log: SILENT, ...options });
}

function refusal(options: object, registration = smallRegistration()): StartError {
  try {
    startConnector(registration, { ...RIGHT, log: SILENT, ...options } as StartOptions);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error("it started");
}

const linesOf = (error: StartError) => error.findings.map(({ message }) => message);

describe("startConnector", () => {
  it("gives each module with its readers, its handlers and their switches", () => {
    const [module] = start().modules;
    expect(module?.id).to.equal("app-1");
    const objects = module?.cacheWriter.dataObjects ?? [];
    expect(objects.map(({ name, uploadObject }) => [name, uploadObject])).to.deep.equal([
      ["Site", true],
      ["Visit", false],
    ]);
    expect(objects.map(({ reader }) => reader)).to.deep.equal(MODULE.dataObjects.map(({ reader }) => reader));
    expect(objects.map(({ settings }) => settings)).to.deep.equal([
      { uploadObject: true },
      { checkpoint: null },
    ]);
    const [action] = module?.actionProcessor.actions ?? [];
    expect(action).to.include({ name: "Create", dataObject: "Site", dataPath: "sites/app/1/site" });
    expect(action?.processQueuedEvent).to.equal(true);
    expect(action?.handler).to.equal(MODULE.actions[0]?.handler);
  });

  it("gives typed configurations with names as in code", () => {
    const connector = start();
    expect(connector.configuration).to.deep.include({ region: "North" });
    expect(connector.modules[0]?.cacheWriter.configuration).to.deep.include({
      siteConfig: { uploadObject: true },
      PageSize: 50,
    });
  });

  it("is frozen, and no change of what was given reaches it", () => {
    const given = structuredClone(RIGHT);
    const connector = startConnector(smallRegistration(), { ...given, log: SILENT });
    given.services["app-1"].cacheWriter.SiteConfig.UploadObject = false;
    const configuration = connector.modules[0]?.cacheWriter.configuration as { siteConfig: object };
    expect(configuration.siteConfig).to.deep.equal({ uploadObject: true });
    const [module] = connector.modules;
    const parts = [
      connector,
      connector.modules,
      module,
      module?.cacheWriter,
      module?.cacheWriter.dataObjects,
    ];
    const objects = [...(module?.cacheWriter.dataObjects ?? []), ...(module?.actionProcessor.actions ?? [])];
    for (const part of [...parts, ...objects, configuration, configuration.siteConfig]) {
      expect(Object.isFrozen(part)).to.equal(true);
    }
    expect(Object.isFrozen(given.services["app-1"].cacheWriter)).to.equal(false);
  });

  it("keeps a switch off that the configuration leaves out", () => {
    const services = { "app-1": { actionProcessor: {}, cacheWriter: {} } };
    const [module] = start({ services }).modules;
    expect(module?.cacheWriter.dataObjects.map(({ uploadObject }) => uploadObject)).to.deep.equal([
      false,
      false,
    ]);
    expect(module?.actionProcessor.actions.map(({ processQueuedEvent }) => processQueuedEvent)).to.deep.equal(
      [false],
    );
  });

  it("hides what is sensitive in the registration configuration, in the log that it is given too", () => {
    const hidden: string[] = [];
    const log = { ...SILENT, hide: (values: readonly string[]) => void hidden.push(...values) };
    const connector = start({ registrationConfiguration: { Signature: "signed-by-me" }, log });
    expect(inspect(connector.configuration))
      .to.include("--hidden value--")
      .and.to.not.include("signed-by-me");
    expect(hidden).to.deep.equal(["signed-by-me"]);
  });

  it("knows the types that a log has to hide by", () => {
    const names = sensitiveTypes(smallRegistration()).map(({ name }) => name);
    expect(names).to.include.members(["RegistrationConfiguration", "ApiKeyAuth", "Site", "Failure"]);
  });
});

describe("startConnector: what stops it (§7)", () => {
  it("names what is invalid in the registration configuration", () => {
    const error = refusal({ registrationConfiguration: { Region: "East" } });
    expect(error.message).to.equal(
      'Sites does not start: 1 finding\n  registrationConfiguration/Region: expected one of ["North","South"], found "East"',
    );
  });

  it("names every finding of all configurations at once", () => {
    const services = {
      "app-1": {
        actionProcessor: { CreateSiteConfig: { ProcessQueuedEvent: "yes" } },
        cacheWriter: { SiteConfig: { UploadObject: 1 }, PageSize: 0 },
      },
    };
    const error = refusal({ registrationConfiguration: [], services });
    expect(error.findings.map(({ place }) => place)).to.deep.equal([
      "registrationConfiguration",
      "app-1/cacheWriter/SiteConfig/UploadObject",
      "app-1/cacheWriter/PageSize",
      "app-1/actionProcessor/CreateSiteConfig/ProcessQueuedEvent",
    ]);
    expect(linesOf(error)).to.include("app-1/cacheWriter/PageSize: expected at least 1, found 0");
    expect(error.message).to.match(/^Sites does not start: 4 findings\n/);
  });

  it("never shows a sensitive value, by its schema or by its name", () => {
    const module = {
      ...MODULE,
      cacheWriterConfiguration: { ...MODULE.cacheWriterConfiguration, ...passwords() },
    };
    const services = { "app-1": { actionProcessor: {}, cacheWriter: { sharedPassword: "hunter2" } } };
    const error = refusal(
      { registrationConfiguration: { Signature: "short" }, services },
      smallRegistration({}, [module as never]),
    );
    expect(error.findings).to.have.length(2);
    for (const text of [inspect(error), error.message, JSON.stringify(error)]) {
      expect(text)
        .to.include("--hidden value--")
        .and.to.not.match(/hunter2|"short"/);
    }
  });

  it("names configurations that are missing", () => {
    const error = refusal({ registrationConfiguration: undefined, services: {} });
    expect(linesOf(error)).to.deep.equal([
      "registrationConfiguration: expected object, found nothing",
      "app-1/cacheWriter: expected object, found nothing",
      "app-1/actionProcessor: expected object, found nothing",
    ]);
  });

  it("names the nearest right module and service if one is unknown", () => {
    const services = {
      ...RIGHT.services,
      "ap-1": {},
      "app-1": { ...RIGHT.services["app-1"], cacheWritr: {} },
    };
    expect(linesOf(refusal({ services }))).to.deep.equal([
      'app-1/cacheWritr: expected the name of a service (actionProcessor, cacheWriter), found "cacheWritr". Did you mean "cacheWriter"?',
      'ap-1: expected the id of a module (app-1), found "ap-1". Did you mean "app-1"?',
    ]);
  });

  it("takes nothing that objects inherit for a configuration", () => {
    const services = Object.create(RIGHT.services) as object;
    expect(refusal({ services }).findings).to.have.length(2);
  });

  it("refuses what is no JSON", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    for (const registrationConfiguration of [circular, { Region: 7n }]) {
      expect(linesOf(refusal({ registrationConfiguration }))).to.deep.equal([
        "registrationConfiguration: expected JSON, found a value that can't be written as such",
      ]);
    }
    expect(linesOf(refusal({ services: null }))).to.include("services: expected object, found null");
  });

  it("names readers and handlers that are none", () => {
    const module = {
      ...MODULE,
      dataObjects: MODULE.dataObjects.map((object) => ({ ...object, reader: undefined })),
      actions: MODULE.actions.map((action) => ({ ...action, handler: "create" })),
    };
    expect(linesOf(refusal({}, smallRegistration({}, [module as never])))).to.deep.equal([
      "app-1/Site: expected a reader, found nothing",
      "app-1/Visit: expected a reader, found nothing",
      'app-1/Site/Create: expected a handler, found "create"',
    ]);
  });
});

/** A schema that forgets to say that a password is sensitive. */
function passwords() {
  const schema = { type: "object", properties: { sharedPassword: { type: "string", minLength: 8 } } };
  return { schema, check: () => false };
}
