import { storeByteRoutes, storeEndpoints, storeRoutes } from '@svc/operations'
import {
  type CallHandler,
  createCallAnswer,
  createRateLimit,
  createServiceApp,
  type Fetch,
  mountHttp,
  type ServiceAppDeps,
} from '@svc/serve'
import { explainObjectError, mountByteRoutes } from './byteRoutes.ts'
import * as calls from './calls/index.ts'
import { storeOpenapi } from './contract/openapi.ts'
import type { StoreDeps } from './deps.ts'

export interface StoreAppDeps extends StoreDeps, ServiceAppDeps {
  /** Rate limits per client and minute, for reads and for everything else. */
  perMinute: { reads: number; calls: number }
}

/** Creates the store's app: calls and bytes. */
export function createStoreApp(deps: StoreAppDeps): Fetch {
  const limits = {
    reads: createRateLimit({ perMinute: deps.perMinute.reads, shared: deps.shared?.reads }),
    calls: createRateLimit({ perMinute: deps.perMinute.calls, shared: deps.shared?.calls }),
  }
  return createServiceApp(deps, {
    // In this order: the path that asks for missing parts also has the form of a part.
    paths: [
      ...storeRoutes.map(({ path, method }) => ({ path, methods: [method.toUpperCase()] })),
      ...Object.values(storeByteRoutes).map((path) => ({ path, methods: ['GET', 'HEAD', 'PUT'] })),
    ],
    mount(app) {
      const answer = createCallAnswer<StoreAppDeps>(deps)
      mountHttp<CallHandler<StoreDeps>, typeof storeEndpoints>(app, storeEndpoints, calls, answer)
      mountByteRoutes(app, deps)
    },
    limitFor: (path) => (path === storeByteRoutes.part ? limits.reads : limits.calls),
    allowHeaders: 'Authorization, Content-Type, If-None-Match, Range, X-Request-Id',
    contract: { path: '/v1/openapi.yaml', build: storeOpenapi },
    explainError: explainObjectError,
  })
}
