import type { ErrorCode, Route, Schema } from '@svc/operations'

/** A JSON Schema as a document has it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Schemas by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>

interface MediaType {
  schema: JsonSchema
  examples?: Readonly<Record<string, { summary: string; value: unknown }>>
}

interface Header {
  description: string
  schema: JsonSchema
}

export type Headers = Readonly<Record<string, Header>>

export interface OpenapiParameter {
  name: string
  in: 'query' | 'path' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface OpenapiResponse {
  description: string
  headers?: Headers
  content?: { 'application/json': MediaType; 'text/event-stream'?: MediaType }
}

/** One operation of a document. */
export interface OpenapiOperation {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  /** Whether the specification names it. */
  'x-specification': boolean
  /** About how many calls to a provider it takes if it is answered from the chain. */
  'x-chain-cost'?: number
  parameters?: readonly OpenapiParameter[]
  'x-codeSamples': readonly { lang: string; label: string; source: string }[]
  requestBody?: { required: true; content: { 'application/json': MediaType } }
  responses: Readonly<Record<string, OpenapiResponse>>
}

/** An OpenAPI document of a service. `formatOpenapi` shares what operations have in common; in memory each has all of it. */
export interface OpenapiDocument {
  openapi: string
  info: Readonly<Record<'title' | 'version' | 'description', string>> & {
    license: { name: string; identifier: string }
    contact: { name: string }
  }
  servers: readonly { url: string; description: string }[]
  security: readonly never[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  components: { schemas: Schemas }
}

/** A request that works against a service with the demo data; a test sends every one of them. */
export interface Example {
  summary: string
  input: Readonly<Record<string, unknown>>
}

/** What distinguishes the document of one service from that of another. */
export interface OpenapiOptions {
  title: string
  description: string
  server: string
  routes: readonly Route[]
  tags: Readonly<Partial<Record<Route['operation']['tag'], string>>>
  /** The body of every error. */
  error: Schema
  /** Errors that any route may return, and those that any route with method POST may return besides. */
  commonErrors: { all: readonly ErrorCode[]; post: readonly ErrorCode[] }
  /** Shell variable with the URL of the service, for examples. */
  urlVariable: string
  listExamples: (route: Route) => readonly Example[]
}
