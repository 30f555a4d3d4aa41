/** A form of a JSON Schema. What is wrong in it is what the runtime would say: its own findings are the validator. */
import Form from "@rjsf/core";
import type { ErrorSchema, IconButtonProps, RJSFSchema, ValidatorType } from "@rjsf/utils";
import type { ComponentType } from "preact";
import { type Finding, findings as findingsOf } from "../../../../runtime/validation/index.js";
import { pointerSteps } from "../../../../schemas/json.js";
import type { JsonSchema } from "../shapes.js";

export interface SchemaFormProps {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface LibraryProps {
  readonly schema: RJSFSchema;
  readonly formData: unknown;
  readonly validator: ValidatorType;
  readonly liveValidate: boolean;
  readonly showErrorList: boolean;
  readonly noHtml5Validate: boolean;
  readonly uiSchema: object;
  readonly templates: object;
  readonly tagName: string;
  readonly idPrefix: string;
  readonly onChange: (event: { readonly formData?: unknown }) => void;
}

// The library is typed for another renderer, whose place Preact takes.
const LibraryForm = Form as unknown as ComponentType<LibraryProps>;

const validator = {
  validateFormData: (value: unknown, schema: JsonSchema) => {
    const found = findingsOf(schema, value);
    return {
      errors: found.map(({ message, instancePath }) => ({ stack: message, property: instancePath, message })),
      errorSchema: errorSchemaOf(found),
    };
  },
  toErrorList: () => [],
  // Chooses among the parts of a union.
  isValid: (schema: JsonSchema, value: unknown) => findingsOf(schema, value).length === 0,
  rawValidation: () => ({}),
} as unknown as ValidatorType;

function errorSchemaOf(found: readonly Finding[]): ErrorSchema {
  const root: ErrorSchema = {};
  for (const { instancePath, expected } of found) {
    let at = root as Record<string, ErrorSchema>;
    for (const step of pointerSteps(instancePath)) {
      // A name such as __proto__ is a name like any other.
      if (!Object.hasOwn(at, step)) Object.defineProperty(at, step, { value: {}, enumerable: true });
      at = at[step] as Record<string, ErrorSchema>;
    }
    const errors = (at as ErrorSchema).__errors ?? [];
    (at as ErrorSchema).__errors = [...errors, `expected ${expected}`];
  }
  return root;
}

/** Words in place of the icons of a style sheet that is not there. */
const button = (words: string) =>
  function FormButton({ onClick, disabled, id }: IconButtonProps) {
    return (
      <button type="button" class="small" id={id} disabled={disabled ?? false} onClick={onClick as never}>
        {words}
      </button>
    );
  };

const TEMPLATES = {
  ButtonTemplates: {
    AddButton: button("Add"),
    RemoveButton: button("Remove"),
    MoveUpButton: button("Up"),
    MoveDownButton: button("Down"),
    CopyButton: button("Copy"),
    ClearButton: button("Clear"),
    SubmitButton: () => null,
  },
};

export function SchemaForm({ schema, value, onChange }: SchemaFormProps) {
  return (
    <LibraryForm
      schema={schema as RJSFSchema}
      formData={value}
      validator={validator}
      liveValidate
      showErrorList={false}
      noHtml5Validate
      uiSchema={{ "ui:submitButtonOptions": { norender: true } }}
      templates={TEMPLATES}
      tagName="div"
      idPrefix="input"
      onChange={({ formData }) => onChange(formData)}
    />
  );
}
