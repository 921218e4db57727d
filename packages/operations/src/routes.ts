import { apiEndpoints, type Endpoint, gatewayEndpoints, paidEndpoints, storeEndpoints } from './endpoints.ts'
import { buyOpenTasks } from './gateway/buyOpenTasks.ts'
import type { Operation } from './operation.ts'
import { type OperationName, operations } from './operations.ts'

/** An operation at its place in a service. */
export interface Route {
  method: 'get' | 'post' | 'put'
  path: `/${string}`
  operation: Operation
}

/** Splits an endpoint into its method and its path. */
export function splitEndpoint(endpoint: Endpoint): Pick<Route, 'method' | 'path'> {
  const path = endpoint.slice(endpoint.indexOf(' ') + 1) as Route['path']
  const method = endpoint.startsWith('GET ') ? 'get' : endpoint.startsWith('PUT ') ? 'put' : 'post'
  return { method, path }
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

/** What the gateway serves for a price, as documents describe it. */
export const paidRoutes: readonly Route[] = [{ ...splitEndpoint(paidEndpoints.listOpenTasks), operation: buyOpenTasks }]
