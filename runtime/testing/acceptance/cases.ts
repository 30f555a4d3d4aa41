/** What a scenario is tried on, and what it tries there. */
import type { ConnectorRegistration } from "../../registration/registration.js";
import type { FakeOptions } from "../fake-options.js";
import type { AcceptanceSurroundings } from "./acceptance-options.js";
import type { ActionSubject } from "./acting.js";
import type { World, WorldOptions } from "./world.js";

/** The part of a connector that a scenario is tried on. */
export interface Subject extends Partial<ActionSubject> {
  readonly registration: ConnectorRegistration;
  /** What `fake.ts` says. */
  readonly fake: FakeOptions;
  readonly seed: number;
  /** Runs something in another time zone, if that is possible. */
  readonly inTimeZone: AcceptanceSurroundings["inTimeZone"];
}

/** How the world of a case is made. */
export interface Shape {
  /** Records of the object that is tried. @default as the options say */
  readonly records?: number | undefined;
  /** The most records of a page. @default 5 */
  readonly pageSize?: number | undefined;
  readonly rate?: FakeOptions["rate"];
  readonly behindMs?: number | undefined;
  /** Records of each object above the one that is tried. @default 2 */
  readonly parents?: number | undefined;
  /** Whether texts in keys have marks in them that mean something in an address. @default false */
  readonly hasOddKeys?: boolean | undefined;
  /** Whether links in answers lead to another host. @default false */
  readonly isMisleading?: boolean | undefined;
}

/** One thing that is tried. */
export interface Case {
  /** What happens, for the author; goes on behind "with 3 records on pages of 2". */
  readonly how?: string | undefined;
  readonly shape?: Shape | undefined;
  /** Brings a new world to where the case begins. */
  readonly prepare?: ((world: World) => Promise<unknown>) | undefined;
  /** @param another Makes a world of another tenant, which ends with the case. */
  readonly run: (world: World, another: OpenAnother) => Promise<void>;
}

/** Makes another world for the same connector. */
export type OpenAnother = (options?: Partial<WorldOptions>) => Promise<World>;

/** Tries a case. Cases of the same shape and preparation share a world as long as nothing is found. */
export type Try = (tried: Case) => Promise<void>;
