/**
 * What the tests of the page use of a browser. The declarations of the library need those of a browser's own code, whose
 * names would then be known in every source: `name` or `event` that nobody declared would compile.
 */

export interface Browser {
  contexts(): readonly BrowserContext[];
  newContext(options: {
    readonly viewport: Size;
    readonly colorScheme?: "light" | "dark";
  }): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserContext {
  newPage(): Promise<Page>;
  waitForEvent(event: "page"): Promise<Page>;
  /** How long anything is waited for. */
  setDefaultTimeout(milliseconds: number): void;
  close(): Promise<void>;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Page extends Finding {
  goto(address: string): Promise<unknown>;
  goBack(): Promise<unknown>;
  url(): string;
  content(): Promise<string>;
  /** Runs an expression, as text, in the page. */
  evaluate(expression: string): Promise<unknown>;
  emulateMedia(media: { readonly colorScheme: "light" | "dark" }): Promise<void>;
  setViewportSize(size: Size): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  readonly keyboard: { type(text: string): Promise<void>; press(key: string): Promise<void> };
  on(event: "pageerror", listener: (error: Error) => void): void;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "response", listener: (response: { text(): Promise<string> }) => void): void;
}

interface Finding {
  locator(selector: string): Locator;
  getByText(text: string | RegExp, options?: Exactness): Locator;
  getByLabel(text: string | RegExp, options?: Exactness): Locator;
  getByPlaceholder(text: string): Locator;
  getByRole(
    role: string,
    options?: Exactness & { readonly name?: string | RegExp; readonly level?: number },
  ): Locator;
}

interface Exactness {
  readonly exact?: boolean;
}

export interface Locator extends Finding {
  first(): Locator;
  nth(index: number): Locator;
  filter(options: { readonly hasText: string }): Locator;
  count(): Promise<number>;
  waitFor(): Promise<void>;
  click(): Promise<void>;
  focus(): Promise<void>;
  fill(text: string): Promise<void>;
  selectOption(option: { readonly label: string }): Promise<unknown>;
  isDisabled(): Promise<boolean>;
  getAttribute(name: string): Promise<string | null>;
  textContent(): Promise<string | null>;
}
