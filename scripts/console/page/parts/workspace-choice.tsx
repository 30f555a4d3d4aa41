import { hrefOf, overview, route } from "../state.js";

/** Chooses the workspace that all pages show; the address keeps the choice. */
export function WorkspaceChoice() {
  const { database } = overview.value ?? {};
  if (database === undefined) return null;
  const { workspaces, count, workspace } = database;
  const shown = workspace?.name ?? "";
  // The one that is shown may be far down in a long list.
  const names = workspaces.includes(shown) ? workspaces : [shown, ...workspaces];
  return (
    <div class="workspace-choice">
      <label>
        <span class="quiet small">Workspace</span>
        <select
          value={shown}
          disabled={count === 0}
          onChange={(event) => {
            // What is open on the page belongs to the workspace before.
            location.hash = hrefOf(route.value.page, { workspace: event.currentTarget.value }).slice(1);
          }}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name || "none"}
            </option>
          ))}
        </select>
      </label>
      {workspaces.length < count && <a href={hrefOf("workspaces")}>all {count}</a>}
    </div>
  );
}
