/** Spans of what a worker does. Without `@opentelemetry/api`, or without an SDK behind it, they cost nothing. */

/** Measures what is done within a span. */
export interface Tracer {
  /** Does `task` within a span of this name, which ends with it, and has its error if it fails. */
  span<Result>(
    name: string,
    attributes: Readonly<Record<string, string>>,
    task: () => Promise<Result>,
  ): Promise<Result>;
}

/** Measures nothing. */
export const NO_TRACER: Tracer = { span: (_name, _attributes, task) => task() };

/** Spans by OpenTelemetry if its API is installed; what exports them is the host's SDK. */
export async function openTelemetryTracer(): Promise<Tracer> {
  try {
    const { trace, SpanStatusCode } = await import("@opentelemetry/api");
    const tracer = trace.getTracer("connectorcli");
    return {
      span: (name, attributes, task) =>
        tracer.startActiveSpan(name, { attributes }, async (span) => {
          try {
            return await task();
          } catch (error) {
            // Its message may hold what nobody else may see.
            const type = error instanceof Error ? error.name : "Error";
            span.setStatus({ code: SpanStatusCode.ERROR, message: type });
            throw error;
          } finally {
            span.end();
          }
        }),
    };
  } catch {
    return NO_TRACER;
  }
}
