/** Lists every agent. */
import { answer, defineReader } from "connectorcli/runtime";
import { Agent, type AgentJson } from "../../generated/app/agent.js";

export const agentReader = defineReader(Agent, {
  list: "GET /agents",
  answer: answer<{ readonly agents: readonly AgentJson[] }>(),
  items: "agents",
  pages: { kind: "one" },
});
