/** The calls that readers and handlers make. It knows the base address and no credentials: add a method for each endpoint. */
import type { ApiResponse, CallOptions, HttpClient } from "connectorcli/client";

export class ApiClient {
  /** The calls of declared readers go through it. */
  readonly http: HttpClient;

  /** @param baseUrl The base address of the connection; paths are below it. */
  constructor(http: HttpClient, baseUrl: string) {
    this.http = http.at(baseUrl);
  }

  get<Result>(path: string, options?: CallOptions): Promise<ApiResponse<Result>> {
    return this.http.get<Result>(path, options);
  }

  post<Result>(path: string, json: unknown, options?: CallOptions): Promise<ApiResponse<Result>> {
    return this.http.post<Result>(path, { ...options, json });
  }

  put<Result>(path: string, json: unknown, options?: CallOptions): Promise<ApiResponse<Result>> {
    return this.http.put<Result>(path, { ...options, json });
  }

  patch<Result>(path: string, json: unknown, options?: CallOptions): Promise<ApiResponse<Result>> {
    return this.http.patch<Result>(path, { ...options, json });
  }

  delete<Result>(path: string, options?: CallOptions): Promise<ApiResponse<Result>> {
    return this.http.delete<Result>(path, options);
  }
}
