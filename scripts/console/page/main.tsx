/** The page of the console: who may look, where we are, and the frame around it. */
import { type ComponentType, render } from "preact";
import { useEffect, useErrorBoundary, useRef, useState } from "preact/hooks";
import { takeToken } from "./client.js";
import { ActionsPage } from "./pages/actions.jsx";
import { ChangesPage } from "./pages/changes.jsx";
import { ConnectionPage } from "./pages/connection.jsx";
import { OverviewPage } from "./pages/overview.jsx";
import { RecordsPage } from "./pages/records.jsx";
import { RejectedPage } from "./pages/rejected.jsx";
import { RunsPage } from "./pages/runs.jsx";
import { SchedulesPage } from "./pages/schedules.jsx";
import { TryPage } from "./pages/try.jsx";
import { WorkersPage } from "./pages/workers.jsx";
import { WorkspacesPage } from "./pages/workspaces.jsx";
import { Problem } from "./parts/basics.jsx";
import { WorkspaceChoice } from "./parts/workspace-choice.jsx";
import {
  chosenWorkspace,
  DATABASE_PAGES,
  hrefOf,
  keepFresh,
  overview,
  PAGES,
  type PageName,
  refresh,
  route,
  titleOf,
  trouble,
} from "./state.js";

const COMPONENTS: Readonly<Record<PageName, ComponentType>> = {
  overview: OverviewPage,
  records: RecordsPage,
  changes: ChangesPage,
  rejected: RejectedPage,
  runs: RunsPage,
  actions: ActionsPage,
  connection: ConnectionPage,
  try: TryPage,
  workspaces: WorkspacesPage,
  schedules: SchedulesPage,
  workers: WorkersPage,
};

function Frame() {
  const { page } = route.value;
  const known = overview.value;
  const Page = COMPONENTS[page];
  document.title = `${titleOf(page)}${known === undefined ? "" : ` · ${known.title}`}`;
  const announced = useNewPlace();
  return (
    <>
      <button type="button" class="skip" onClick={enterPage}>
        Skip to the page
      </button>
      <p class="hidden" role="status">
        {announced}
      </p>
      {known?.target.isProduction === true && (
        <header class="production">Production: {known.target.title}</header>
      )}
      <div class="frame">
        <nav aria-label="Pages">
          <p class="name" dir="auto">
            {known?.title ?? "Console"}
          </p>
          {known?.database !== undefined && <WorkspaceChoice />}
          <PageLinks pages={PAGES} />
          {known?.database !== undefined && (
            <>
              <p class="quiet small">Database</p>
              <PageLinks pages={DATABASE_PAGES} />
            </>
          )}
          <p class="quiet small">{known?.isWritable === false ? "Read-only" : ""}</p>
        </nav>
        <main id="main" tabIndex={-1}>
          {trouble.value !== undefined && <Problem>{trouble.value.message}</Problem>}
          {known !== undefined && <Guarded key={`${page} ${chosenWorkspace.value}`} page={Page} />}
        </main>
      </div>
    </>
  );
}

function enterPage(): void {
  const main = document.getElementById("main");
  (main?.querySelector<HTMLElement>("h1") ?? main)?.focus();
}

/**
 * What whoever listens hears of another page or workspace. The keyboard is at the heading of another page, and where the
 * part of the page that had it has gone.
 */
function useNewPlace(): string {
  const { page } = route.value;
  const words = [titleOf(page), chosenWorkspace.value].filter(Boolean).join(", ");
  const before = useRef<{ readonly page: PageName; readonly words: string }>(undefined);
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    const was = before.current;
    before.current = { page, words };
    if (was === undefined) return;
    if (was.page !== page || document.activeElement === document.body) enterPage();
    if (was.words !== words) setAnnounced(words);
  }, [route.value]);
  return announced;
}

function PageLinks({ pages }: { readonly pages: Readonly<Record<string, string>> }) {
  return (
    <ul>
      {Object.entries(pages).map(([name, title]) => (
        <li key={name}>
          <a href={hrefOf(name as PageName)} aria-current={name === route.value.page ? "page" : undefined}>
            {title}
            <Waiting name={name as PageName} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** How many wait for somebody, beside the page that shows them. */
function Waiting({ name }: { readonly name: PageName }) {
  const objects = overview.value?.objects ?? [];
  const waiting =
    name === "overview"
      ? objects.filter(({ lastRun }) => lastRun?.state === "needs-approval").length
      : name === "rejected"
        ? objects.reduce((sum, { rejected }) => sum + rejected, 0)
        : 0;
  return waiting === 0 ? null : <span class="badge warn">{waiting}</span>;
}

/** One page that fails leaves the others. */
function Guarded({ page: Page }: { readonly page: ComponentType }) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <Page />;
  return (
    <Problem>
      This page can't be shown: {error instanceof Error ? error.message : String(error)}{" "}
      <button type="button" onClick={reset}>
        Try again
      </button>
    </Problem>
  );
}

function NoToken() {
  return (
    <main class="lonely">
      <h1>Open the console from the terminal</h1>
      <p>
        This tab has no token. Open the address that <code>npx connectorcli console</code> prints: it has one,
        for this tab alone.
      </p>
    </main>
  );
}

async function start(): Promise<void> {
  const place = document.getElementById("page");
  if (place === null) return;
  place.replaceChildren();
  if (!takeToken()) return render(<NoToken />, place);
  render(<Frame />, place);
  await refresh();
  keepFresh();
}

void start();
