/** Shows where an author's code was when it threw. */
import path from "node:path";
import type { AuthorFrame } from "./loaded-project.js";

/** A line for each frame: `at readProjects (modules/app/project-reader.ts:12:20)`. */
export function frameLines(frames: readonly AuthorFrame[], cwd: string): readonly string[] {
  return frames.map(({ name, file, line, column }) => {
    const place = `${shownPath(file, cwd)}:${line}:${column}`;
    return name === undefined ? `at ${place}` : `at ${name} (${place})`;
  });
}

/** Frames for programs: files relative to `folder`, with `/` on every system. */
export function framesJson(frames: readonly AuthorFrame[], folder: string): readonly AuthorFrame[] {
  return frames.map((frame) => ({
    ...frame,
    file: path.relative(folder, frame.file).split(path.sep).join("/"),
  }));
}

function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith("..") ? file : relative;
}
