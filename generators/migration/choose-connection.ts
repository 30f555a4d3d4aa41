/** Chooses the connection that takes the members of the registration configuration: one that exists, or a new one. */
import { declaredMembers } from "../../schemas/model/connection-members.js";
import { AUTH_TYPES, type AuthType, type ConnectorModel } from "../../schemas/model/connector-model.js";
import { AUTH_TYPE_FACTS, type ClientNames, namesOfClient } from "../scaffolds/index.js";
import { authTypeOf, type Member, type MemberRole, roleOf } from "./registration-members.js";

export interface WantedConnection {
  readonly authType?: AuthType | undefined;
  /** Name of the definition's class. */
  readonly name?: string | undefined;
}

/** The names of the connection, or a sentence that says why it is not clear which one is meant. */
export function chooseConnection(
  model: ConnectorModel,
  members: readonly Member[],
  { authType, name }: WantedConnection,
): ClientNames | string {
  const fitting = model.connections.filter(
    (connection) =>
      (authType ?? connection.authType) === connection.authType &&
      (name ?? connection.name) === connection.name,
  );
  const told = authTypeOf(members);
  const alike = fitting.filter((connection) => connection.authType === told);
  const only = fitting.length === 1 ? fitting[0] : alike.length === 1 ? alike[0] : undefined;
  if (only !== undefined) {
    const names = namesOfClient(model, { authType: only.authType, name: only.name });
    return typeof names === "string" ? names : { ...names, ...readsOf(members, names) };
  }
  if (fitting.length > 1) {
    const classes = fitting.map(({ name }) => name).join(", ");
    return `It can't be told which connection is meant. Say it with --name: ${classes}.`;
  }
  const type = authType ?? (model.connections.length === 0 ? told : undefined);
  if (type === undefined) {
    return `It can't be told which auth type is meant. Say it with --auth-type: ${AUTH_TYPES.join(", ")}.`;
  }
  const names = namesOfClient(model, { authType: type, name });
  return typeof names === "string" ? names : { ...names, ...readsOf(members, names) };
}

/** The usual property of a new definition that `member` replaces; undefined if it replaces none. */
export function replacedProperty(
  members: readonly Member[],
  member: Member,
  { authType, definition }: ClientNames,
): string | undefined {
  if (definition !== undefined) return undefined;
  return AUTH_TYPE_FACTS[authType].properties.find(({ name }) => memberFor(members, name) === member)?.name;
}

/**
 * The name of the property that `member` becomes: its own, or that of the member of the auth type's interface whose part
 * it has and that the definition lacks.
 */
export function propertyNameFor(
  members: readonly Member[],
  member: Member,
  { authType, definition }: ClientNames,
): string {
  const isThere = (name: string) => definition?.attributes.some((attribute) => attribute.name === name);
  const lacking = declaredMembers(authType).filter((name) => isThere(name) !== true);
  return lacking.find((name) => memberFor(members, name) === member) ?? member.name;
}

/** The properties that the auth handler reads if members become the properties of the definition. */
function readsOf(members: readonly Member[], names: ClientNames): Pick<ClientNames, "reads"> {
  const { authType, definition } = names;
  if (definition?.attributes.some(({ isSensitive }) => isSensitive) === true) return {};
  const of = (isSensitive: boolean) => {
    const usual = AUTH_TYPE_FACTS[authType].properties.find(
      (property) => property.isSensitive === isSensitive,
    );
    const member = usual && memberFor(members, usual.name);
    return member && propertyNameFor(members, member, names);
  };
  const [secret, user] = [of(true), of(false)];
  return { reads: { ...(secret !== undefined && { secret }), ...(user !== undefined && { user }) } };
}

const ROLE_OF_PROPERTY: Readonly<Record<string, MemberRole>> = {
  username: "username",
  password: "password",
  apiKey: "key",
  apiToken: "key",
};

/** The member with the role of the usual property; undefined if there are none or several. */
function memberFor(members: readonly Member[], property: string): Member | undefined {
  const wanted = ROLE_OF_PROPERTY[property];
  const found = members.filter((member) => roleOf(member) === wanted);
  return found.length === 1 ? found[0] : undefined;
}
