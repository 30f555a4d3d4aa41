/** A second list, of what was deleted: two lists share the one checkpoint of a reader. */
import type { DeclaredContext } from "./declaration.js";

/** What a list is read with if its reader has two of them. */
export interface ListContexts {
  /** For the list of what is there. */
  readonly list: DeclaredContext;
  /** For the list of what was deleted. It is read last, and from its beginning if the run was interrupted in it. */
  readonly deleted: DeclaredContext;
}

/** What the checkpoint of such a reader holds: that of each list, null for one that has none yet. */
interface Checkpoints {
  readonly list: string | null;
  readonly deleted: string | null;
}

/** The contexts of both lists: each finds what it has saved itself. */
export function listContexts(context: DeclaredContext): ListContexts {
  const before = checkpointsIn(context.checkpoint);
  const { at = context.resumePoint, list = before.list } = resumedFrom(context.resumePoint);
  let saved: Checkpoints = { ...before, list };
  const save = (more: Partial<Checkpoints>) => {
    saved = { ...saved, ...more };
    context.saveCheckpoint(JSON.stringify(saved));
  };
  return {
    list: {
      ...context,
      checkpoint: before.list,
      resumePoint: at,
      saveCheckpoint: (list) => save({ list }),
      // A list whose first answer gives the checkpoint does not give it again to a run that goes on.
      saveResumePoint: (at) => context.saveResumePoint(JSON.stringify({ at, list: saved.list })),
    },
    deleted: {
      ...context,
      checkpoint: before.deleted,
      resumePoint: null,
      saveCheckpoint: (deleted) => save({ deleted }),
      saveResumePoint: () => {},
    },
  };
}

/** The context of a reader that has one list. It may have had two. */
export function oneListContext(context: DeclaredContext): DeclaredContext {
  return { ...context, checkpoint: checkpointsIn(context.checkpoint).list };
}

/** A text of a reader that had one list until now is the checkpoint of that. */
function checkpointsIn(checkpoint: string | null): Checkpoints {
  const { list, deleted } = objectIn(checkpoint);
  if (isTextOrNull(list) && isTextOrNull(deleted)) return { list, deleted };
  return { list: checkpoint, deleted: null };
}

/** Where the list goes on, and its checkpoint; nothing for a text that is the list's own. */
function resumedFrom(resumePoint: string | null): {
  readonly at?: string;
  readonly list?: string | null;
} {
  const { at, list } = objectIn(resumePoint);
  return typeof at === "string" && isTextOrNull(list) ? { at, list } : {};
}

/** The members of the object that a text is as JSON; none if it is no object. */
function objectIn(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null || !text.startsWith("{")) return {};
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
