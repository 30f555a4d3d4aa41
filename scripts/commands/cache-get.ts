/** `connectorcli cache get`: the cached record with a key, the primary one or any other. */
import { recordKey } from "../../runtime/record-key.js";
import type { RecordStore, StoredRecord } from "../../runtime/store/records.js";
import type { DataObjectModel, KeyModel } from "../../schemas/model/connector-model.js";
import { textOf } from "../argument-values.js";
import type { Arguments } from "../command-spec.js";
import type { Output } from "../output.js";
import { chosenObjects, UnknownName } from "../running/chosen-parts.js";
import { recordText } from "../running/record-text.js";
import { shownObject } from "../running/stored-types.js";
import { withStore } from "../running/with-store.js";

export function cacheGet(args: Arguments, output: Output): Promise<number> {
  return withStore(args, output, async ({ model, store }) => {
    const given = args["key"];
    const values = Array.isArray(given) ? given.map(String) : [];
    let found = 0;
    for (const object of chosenObjects(model, { object: textOf(args["object"]) })) {
      const key = keyOf(object.keys, textOf(args["by"]));
      if (key.propertyNames.length !== values.length) {
        output.say(`The key "${key.name}" has these values: ${key.propertyNames.join(", ")}.`);
        return 2;
      }
      const shown = shownObject(object, args["reveal"] === true);
      for (const record of await recordsWith(store.records, { object, key, values })) {
        output.result(recordText(record, shown, args));
        found++;
      }
    }
    if (found > 0) return 0;
    output.say("The cache has no record with this key.");
    return 1;
  });
}

interface WantedKey {
  readonly object: DataObjectModel;
  readonly key: KeyModel;
  readonly values: readonly string[];
}

async function recordsWith(
  records: RecordStore,
  { object, key, values }: WantedKey,
): Promise<readonly StoredRecord[]> {
  const text = recordKey(key.name, values);
  if (!key.isPrimary) return records.find(object.dataPath, text);
  const record = await records.get(object.dataPath, text);
  return record === undefined ? [] : [record];
}

function keyOf(keys: readonly KeyModel[], name: string | undefined): KeyModel {
  const key = keys.find((one) => (name === undefined ? one.isPrimary : one.name === name));
  if (key !== undefined) return key;
  throw new UnknownName(
    "key",
    name ?? "primary",
    keys.map((one) => one.name),
  );
}
