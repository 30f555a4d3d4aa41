/** The projects platform to try the connector on: what can't be told from the connector itself. */
import { defineFake } from "connectorcli/testing";

const id = (index: number) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`;

export const fake = defineFake({
  records: { Project: 250, Timesheet: 120 },
  values: {
    Project: {
      id,
      number: (index) => `P-${index + 1}`,
      title: (index) => `Bridge ${index + 1}`,
      status: () => "Active",
      managerEmail: (index) => `manager-${index + 1}@company.example`,
    },
    Timesheet: { project_id: id, week: () => "2026-W07", worker: (index) => index + 1, hours: () => 8 },
  },
  routes: {
    // A day passes: a project gets another title, one is deleted, one has a status that is new; hours are corrected.
    "POST /day": ({ objectOf }) => {
      const [projects, timesheets] = [objectOf("Project"), objectOf("Timesheet")];
      projects.change(`id/${id(0)}`, { title: "Tunnel 1" });
      projects.remove(`id/${id(projects.records().length - 1)}`);
      projects.insert({ id: id(89_999), number: "P-90000", status: "Lost" });
      timesheets.change(`id/${id(0)}/2026-W07/1`, { hours: 12 });
      timesheets.remove(`id/${id(1)}/2026-W07/2`);
      return { status: 204 };
    },
  },
});
