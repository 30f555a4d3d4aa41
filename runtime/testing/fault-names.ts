/** The names of what can go wrong at a fake target system, with words for people. */

/** What happens at each fault. */
export const FAULTS = Object.freeze({
  serverError: "500",
  badGateway: "502 with a page for people",
  unavailable: "503 with Retry-After",
  gatewayTimeout: "504",
  tooManyRequests: "429 with Retry-After",
  tooManyRequestsAnyTime: "429 that does not say when to come again",
  unauthorized: "401 although the credentials are right",
  tokenEnds: "the access token ends under way; 401 where there is none",
  forbidden: "403",
  notFound: "404 for what is there",
  resetBeforeAnswer: "the connection is cut before the answer; what was asked for is done",
  resetInBody: "the connection is cut in the middle of the answer",
  truncatedJson: "200 with half of the JSON, and a length that fits",
  htmlWithSuccess: "200 with a page for people in place of JSON",
  emptyBody: "200 without a body",
  nullBody: "200 with null",
  errorWithSuccess: "200 with an error in the body, and no list",
  slowAnswer: "the answer begins late",
  slowDrip: "the answer comes in small pieces",
  noAnswer: "no answer at all: the connection stays open",
  redirectElsewhere: "302 to another host",
  redirectToItself: "302 to the same address",
  pageShift: "a record on a page that was read is deleted while the list is read",
  recordArrives: "a record is added while the list is read",
  recordChanges: "a record is changed while the list is read",
  duplicate: "a record of the page before comes again",
  emptyPage: "a page without records in the middle, where the page says that there are more",
  listEndsEarly: "the list ends although its total says that there are more",
  cursorRepeats: "the page says that the next one is this one",
  nullWhereNotAllowed: "null in a member that can't be null",
  wrongType: "a member of another type",
  newEnumMember: "a member of an enumeration that nobody knew of",
  missingMember: "a required member is not there",
  unknownMember: "a member that nobody knew of",
  longRecord: "a record of 1 MB, by a member that nobody knew of",
  totalTooHigh: "a total above the count of records",
  clockSkew: "the header Date is a day ahead",
  byteOrderMark: "the JSON begins with a byte order mark",
  textType: "JSON that calls itself text",
});

/** The name of a fault. */
export type FaultName = keyof typeof FAULTS;

/** Which requests a fault strikes. */
export interface FaultPlan {
  /** What happens. */
  readonly name: FaultName;
  /**
   * Numbers of the requests that it strikes, counted from 1 since the start. Requests for tokens do not count.
   * @default by `share`
   */
  readonly at?: readonly number[] | undefined;
  /**
   * The number of the first request that it strikes; every one behind it is struck too. It goes before `share`.
   * @default by `share`
   */
  readonly from?: number | undefined;
  /**
   * Which share of all requests it strikes, from 0 to 1, by the seed.
   * @default 0.2; 1 with `path`
   */
  readonly share?: number | undefined;
  /**
   * The only address that it strikes: its path, such as `/v2/customers/7/contacts`, without a query. So one list below a
   * parent can be refused for good, while all others are answered.
   * @default any address
   */
  readonly path?: string | undefined;
}
