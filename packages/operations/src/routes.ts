import {
  apiEndpoints,
  type Endpoint,
  gatewayEndpoints,
  notifyEndpoints,
  paidEndpoints,
  specifiedApiEndpoints,
  specifiedGatewayEndpoints,
  storeEndpoints,
} from './endpoints.ts'
import { buyOpenTasks } from './gateway/payments.ts'
import type { Operation } from './operation.ts'
import { type OperationName, operations } from './operations.ts'

/** An operation at its place in a service. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'delete'
  path: `/${string}`
  operation: Operation
  /** Whether the specification names it. All others are our additions. */
  isSpecified: boolean
  /** Whether it answers 401 without a session. */
  isPrivate: boolean
}

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const

/** Splits an endpoint into its method and its path. */
export function splitEndpoint(endpoint: Endpoint): Pick<Route, 'method' | 'path'> {
  const [method, path] = endpoint.split(' ') as [Uppercase<Route['method']>, Route['path']]
  return { method: methods[method], path }
}

const createRoute = (endpoint: Endpoint, operation: Operation, isSpecified: boolean): Route => ({
  ...splitEndpoint(endpoint),
  operation,
  isSpecified,
  isPrivate: operation.errors?.includes('SESSION_REQUIRED') ?? false,
})

/** Lists the routes of a service, in the order of its endpoints. */
const listRoutes = (
  endpoints: Readonly<Partial<Record<OperationName, Endpoint>>>,
  specified: Readonly<Partial<Record<OperationName, Endpoint>>> = {},
): readonly Route[] =>
  (Object.entries(endpoints) as [OperationName, Endpoint][]).map(([name, endpoint]) =>
    createRoute(endpoint, operations[name], name in specified),
  )

/** Every route of the API, in the order of its documents. */
export const apiRoutes: readonly Route[] = listRoutes(apiEndpoints, specifiedApiEndpoints)

/** Every route of the local gateway. */
export const gatewayRoutes: readonly Route[] = listRoutes(gatewayEndpoints, specifiedGatewayEndpoints)

/** Every route of the store that takes and answers JSON. */
export const storeRoutes: readonly Route[] = listRoutes(storeEndpoints)

/** Every route of the notifier. */
export const notifyRoutes: readonly Route[] = listRoutes(notifyEndpoints)

/** What the gateway serves for a price, as documents describe it. */
export const paidRoutes: readonly Route[] = [createRoute(paidEndpoints.listOpenTasks, buyOpenTasks, false)]
