import {
  apiEndpoints,
  type Endpoint,
  gatewayEndpoints,
  notifyEndpoints,
  paidEndpoints,
  storeEndpoints,
} from './endpoints.ts'
import { buyOpenTasks } from './gateway/buyOpenTasks.ts'
import type { Operation } from './operation.ts'
import { type OperationName, operations } from './operations.ts'

/** An operation at its place in a service. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'delete'
  path: `/${string}`
  operation: Operation
}

const methods = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const

/** Splits an endpoint into its method and its path. */
export function splitEndpoint(endpoint: Endpoint): Pick<Route, 'method' | 'path'> {
  const [method, path] = endpoint.split(' ') as [Uppercase<Route['method']>, Route['path']]
  return { method: methods[method], path }
}

/** Lists the routes of a service, in the order of its endpoints. */
const listRoutes = (endpoints: Readonly<Partial<Record<OperationName, Endpoint>>>): readonly Route[] =>
  (Object.entries(endpoints) as [OperationName, Endpoint][]).map(([name, endpoint]) => ({
    ...splitEndpoint(endpoint),
    operation: operations[name],
  }))

/** Every route of the API, in the order of its documents. */
export const apiRoutes: readonly Route[] = listRoutes(apiEndpoints)

/** Every route of the local gateway. */
export const gatewayRoutes: readonly Route[] = listRoutes(gatewayEndpoints)

/** Every route of the store that takes and answers JSON. */
export const storeRoutes: readonly Route[] = listRoutes(storeEndpoints)

/** Every route of the notifier. */
export const notifyRoutes: readonly Route[] = listRoutes(notifyEndpoints)

/** What the gateway serves for a price, as documents describe it. */
export const paidRoutes: readonly Route[] = [{ ...splitEndpoint(paidEndpoints.listOpenTasks), operation: buyOpenTasks }]
