import { hrefOf, objects, route } from "../state.js";

/** Chooses the data object of a page; the address keeps the choice. */
export function ObjectChoice({ all }: { readonly all?: string }) {
  const { page, query } = route.value;
  const chosen = query.get("object") ?? (all === undefined ? objects.value[0]?.dataPath : "");
  return (
    <label>
      Data object{" "}
      <select
        value={chosen}
        onChange={(event) => {
          const { value } = event.currentTarget;
          location.hash = hrefOf(page, value === "" ? {} : { object: value }).slice(1);
        }}
      >
        {all !== undefined && <option value="">{all}</option>}
        {objects.value.map(({ dataPath, title }) => (
          <option key={dataPath} value={dataPath}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
