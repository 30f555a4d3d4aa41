/** What can be wrong with connections and the registration configuration (spec §1.3, §2.1, §2.3). */
export const connectionMessages = {
  "connection-none": {
    severity: "warning",
    section: "§1.3",
    message: "The connector defines no connection.",
    fix: "Define one with defineConnection and list it under connections.",
  },
  "connection-title-missing": {
    severity: "error",
    section: "§2.1",
    message: "{what} has no title.",
    fix: "Give it the title that a user should read.",
  },
  "connection-description-missing": {
    severity: "error",
    section: "§2.1",
    message: "{what} has no description.",
    fix: "Write one; it may be empty.",
  },
  "connection-auth-type-unknown": {
    severity: "error",
    section: "§5.1",
    message: 'Connection "{connection}" has the auth type "{authType}".{hint}',
    fix: "Use ApiKey, Basic, OAuth2CodeFlow, OAuth2ClientCredentials or Custom.",
  },
  "connection-secret-not-sensitive": {
    severity: "error",
    section: "§2.1",
    message: '{what} is a secret (it says "{words}"), but isSensitive is false.',
    fix: "Set isSensitive: true.",
  },
  "connection-sensitivity-unstated": {
    severity: "warning",
    section: "§2.1",
    message: "{what} does not say whether it is sensitive; it is taken as a secret.",
    fix: "Set isSensitive to true or false.",
  },
  "connection-base-url-missing": {
    severity: "warning",
    section: "§2.1",
    message: 'Connection "{connection}" has no base address.',
    fix: "Set baseUrl to an address, to one address an environment, or to a property that holds it.",
  },
  "connection-environment-without-address": {
    severity: "warning",
    section: "§2.1",
    message: 'Connection "{connection}" asks for an environment, but no address belongs to {environments}.',
    fix: "Set baseUrl to an object with one address for Production and one for Test.",
  },
  "connection-address-invalid": {
    severity: "error",
    section: "§2.1",
    message: 'The address "{address}" of connection "{connection}" is not an absolute http or https address.',
    fix: "Write the whole address, such as https://api.company.com/v1.",
  },
  "connection-address-credentials": {
    severity: "error",
    section: "§1.3",
    message: 'An address of connection "{connection}" carries a credential.',
    fix: "Take them out of the address; they belong in connection properties.",
  },
  "connection-address-placeholder": {
    severity: "error",
    section: "§2.1",
    message: 'The address "{address}" of connection "{connection}" is a placeholder.',
    fix: "Put the target system's own address in its place.",
  },
  "connection-address-property-unknown": {
    severity: "error",
    section: "§2.1",
    message:
      'Connection "{connection}" takes its base address from "{property}", which it does not have.{hint}',
    fix: "Name one of its properties.",
  },
  "registration-credential": {
    severity: "error",
    section: "§1.3",
    message: '{what} holds a credential (it says "{words}").',
    fix: "Move it into a connection definition.",
  },
  "registration-address": {
    severity: "error",
    section: "§1.3",
    message: '{what} holds an address of the target system (it says "{words}").',
    fix: "Move it into a connection definition.",
  },
  "service-credential": {
    severity: "warning",
    section: "§1.3",
    message: '{what} holds a credential (it says "{words}").',
    fix: "Move it into a connection definition; configurations are no place for secrets.",
  },
  "switch-missing": {
    severity: "warning",
    section: "§2.8",
    message: 'The {service} configuration of module "{module}" has no switch for "{name}".',
    fix: "Declare {field}, or leave complete out, so that missing switches are added.",
  },
} as const;
