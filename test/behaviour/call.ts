/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** One request to a service. */
export interface Request {
  /** `GET /api/market/open` of the API, `GET /v1/tasks/:id` or `GET /market.html` of the gateway, or a tool: `svc_get_task`. */
  to: string
  /** The path parameters, the query or the body; the arguments of a tool. */
  input: JsonObject
  headers?: Readonly<Record<string, string>>
}

/** An answer. That of a page is what it shows, parsed; that of a tool that fails has status 400. */
export interface Answer {
  status: number
  body: Json
}

/** Sends a request. Checks know nothing else of a service, so that a mutation can stand in between. */
export type Call = (request: Request) => Promise<Answer>

/** Throws if an answer is not what the chain says. */
export type Check = (call: Call) => Promise<void>

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
