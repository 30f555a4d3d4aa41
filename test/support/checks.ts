/** Connectors for tests of the rules: a clean one, and what is found when one part of it is replaced. */
import type { TProperties, TSchema } from "@sinclair/typebox";
import {
  buildConnectorModel,
  checkModel,
  type Diagnostic,
  type DiagnosticCode,
} from "../../schemas/entries/model.js";
import {
  type ActionOptions,
  type ConnectionOptions,
  type ConnectorOptions,
  type DataObjectOptions,
  defineAction,
  defineConnection,
  defineConnector,
  defineDataObject,
  defineModule,
  defineRegistrationConfiguration,
  type ModuleOptions,
  Type,
} from "../../schemas/entries/vocabulary.js";

type Findings = readonly Diagnostic[];
type Rules = typeof checkModel;

let rules: Rules = checkModel;

/** What `work` gives while `other` stands in place of the rules. */
export function withRules<T>(other: Rules, work: () => T): T {
  rules = other;
  try {
    return work();
  } finally {
    rules = checkModel;
  }
}

export const ID = Type.String({ description: "Identifier in the target system." });

/** An object that nothing is wrong with, but for what is given. */
export function objectOf(
  properties: TProperties | TSchema = { id: ID },
  options: Partial<DataObjectOptions> = {},
  name = "Employee",
) {
  return defineDataObject(name, {
    description: "A person who works for the company.",
    primaryKey: "id" as never,
    ...options,
    properties,
  });
}

export function actionOf(
  object: ReturnType<typeof objectOf>,
  options: Partial<ActionOptions> = {},
  name = "Create",
) {
  return defineAction(name, { dataObject: object, description: "Hires a person.", ...options });
}

export function moduleOf(options: Partial<ModuleOptions> = {}, name = "Staff") {
  return defineModule(name, {
    key: "staff",
    description: "People and what they are paid for.",
    version: 1,
    dataObjects: [objectOf()],
    ...options,
  });
}

export function connectionOf(options: Partial<ConnectionOptions> = {}, name = "ApiKeyAuth") {
  return defineConnection(name, {
    authType: "ApiKey",
    title: "API key",
    description: "",
    properties: { apiKey: Type.String({ title: "API key", description: "", isSensitive: true }) },
    baseUrl: "https://api.company.com/v1",
    ...options,
  });
}

/** What builder and checks say of the clean connector with `options` in place of its own. */
export function connectorFindings(options: Partial<ConnectorOptions> = {}): Findings {
  const { model, diagnostics } = buildConnectorModel(
    defineConnector("Company", {
      key: "company",
      description: "The company's own system.",
      connections: [connectionOf()],
      modules: [moduleOf()],
      ...options,
    }),
  );
  return [...diagnostics, ...rules(model)];
}

export function moduleFindings(options: Partial<ModuleOptions>, name?: string): Findings {
  return connectorFindings({ modules: [moduleOf(options, name)] });
}

export function objectFindings(
  shape?: TProperties | TSchema,
  options?: Partial<DataObjectOptions>,
  name?: string,
): Findings {
  return moduleFindings({ dataObjects: [objectOf(shape, options, name)] });
}

/** What is said of a key over an object with the properties of `shape`. */
export function keyFindings(shape: TProperties, ...properties: readonly string[]): Findings {
  return objectFindings(shape, { primaryKey: { name: "id", properties } as never });
}

/** What is said of a property named `name`. */
export function valueFindings(value: unknown, name = "value"): Findings {
  return objectFindings({ id: ID, [name]: value as TSchema });
}

export function actionFindings(options: Partial<ActionOptions>, name?: string): Findings {
  const object = objectOf();
  return moduleFindings({ dataObjects: [object], actions: [actionOf(object, options, name)] });
}

export function connectionFindings(options: Partial<ConnectionOptions>, name?: string): Findings {
  return connectorFindings({ connections: [connectionOf(options, name)] });
}

/** What is said of a connection property. */
export function attributeFindings(value: TSchema, name = "value"): Findings {
  return connectionFindings({ properties: { [name]: value } });
}

export function registrationFindings(properties: TProperties): Findings {
  const registrationConfiguration = defineRegistrationConfiguration("RegistrationConfiguration", {
    properties,
  });
  return connectorFindings({ registrationConfiguration });
}

export function codesOf(findings: Findings): readonly DiagnosticCode[] {
  return findings.map(({ code }) => code);
}

export interface CheckCase {
  /** What the rule does, as a sentence after "reports". */
  readonly reports: string;
  readonly code: DiagnosticCode;
  readonly wrong: () => readonly Diagnostic[];
  /** As near to `wrong` as a connector can be without breaking the rule. */
  readonly fine: () => readonly Diagnostic[];
}
