import { notifyEndpoints, notifyRoutes, ServiceError } from '@svc/operations'
import {
  type CallHandler,
  createCallAnswer,
  createRateLimit,
  createServiceApp,
  type Fetch,
  mountHttp,
  respond,
  type ServiceAppDeps,
} from '@svc/serve'
import * as calls from './calls/index.ts'
import type { NotifierDeps } from './deps.ts'
import { unsubscribePage, unsubscribePageHeaders } from './unsubscribePage.ts'

export interface NotifierAppDeps extends NotifierDeps, ServiceAppDeps {
  /** Requests per client and minute. */
  perMinute: number
}

/** Creates the notifier's app: calls, the page of an unsubscribe link, and calendars. */
export function createNotifierApp(deps: NotifierAppDeps): Fetch {
  const limit = createRateLimit({ perMinute: deps.perMinute })
  return createServiceApp(deps, {
    paths: notifyRoutes.map(({ path, method }) => ({ path, methods: [method.toUpperCase()] })),
    mount(app) {
      const answer = createCallAnswer<NotifierDeps>(deps)
      mountHttp<CallHandler<NotifierDeps>, typeof notifyEndpoints>(app, notifyEndpoints, calls, answer)
      app.get('/notify/v1/unsubscribe/:token', (c) => respond(c.env, 200, unsubscribePage, unsubscribePageHeaders))
      app.get('/notify/v1/calendar/:token', async (c) => {
        const calendar = await deps.calendars.read(c.req.param('token').slice(0, 100))
        if (calendar === null) throw new ServiceError('NOT_FOUND', 'There is no calendar at this address.')
        return respond(c.env, 200, calendar, {
          'content-type': 'text/calendar; charset=utf-8',
          'cache-control': 'private, max-age=300',
        })
      })
    },
    limitFor: () => limit,
    allowHeaders: 'Authorization, Content-Type, X-Request-Id',
  })
}
