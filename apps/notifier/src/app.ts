import { notifyEndpoints, notifyRoutes, notifyTokenRoutes, ServiceError } from '@svc/operations'
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
import { notifierOpenapi } from './contract/openapi.ts'
import type { NotifierDeps } from './deps.ts'

export interface NotifierAppDeps extends NotifierDeps, ServiceAppDeps {
  /** Requests per client and minute. */
  perMinute: number
}

/** Creates the notifier's app: calls, the page of an unsubscribe link, and calendars. */
export function createNotifierApp(deps: NotifierAppDeps): Fetch {
  const limit = createRateLimit({ perMinute: deps.perMinute, shared: deps.shared?.calls })
  return createServiceApp(deps, {
    paths: notifyRoutes.map(({ path, method }) => ({ path, methods: [method.toUpperCase()] })),
    mount(app) {
      const answer = createCallAnswer<NotifierAppDeps>(deps)
      mountHttp<CallHandler<NotifierDeps>, typeof notifyEndpoints>(app, notifyEndpoints, calls, answer)
      app.get(notifyTokenRoutes.unsubscribe, (c) => respond(c.env, 200, unsubscribePage, pageHeaders))
      app.get(notifyTokenRoutes.refuse, (c) => respond(c.env, 200, refusePage, pageHeaders))
      app.get(notifyTokenRoutes.calendar, async (c) => {
        const calendar = await deps.calendars.read(c.req.param('token').slice(0, 100))
        if (calendar === null) throw new ServiceError('NOT_FOUND', 'There is no calendar at this address.')
        return respond(c.env, 200, calendar, {
          'content-type': 'text/calendar; charset=utf-8',
          'cache-control': 'private, max-age=300',
        })
      })
    },
    limitFor: () => limit,
    contract: { path: '/notify/v1/openapi.yaml', build: notifierOpenapi },
    allowHeaders: 'Authorization, Content-Type, X-Request-Id',
  })
}

/**
 * A page for mail programs that open a link instead of sending the request of RFC 8058. A visit alone changes nothing: scanners of mail
 * open every link.
 */
const buildPage = (title: string, text: string) =>
  [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Task Market</title>`,
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">',
    '<meta name="color-scheme" content="light dark"></head><body><main>',
    `<h1>${title}</h1><p>${text}</p>`,
    `<form method="post"><button>${title}</button></form></main></body></html>`,
  ].join('\n')

const unsubscribePage = buildPage(
  'Stop e-mails',
  'The Task Market deletes your e-mail address and sends you nothing more.',
)

const refusePage = buildPage(
  'This was not me',
  'Somebody else named your e-mail address. The Task Market deletes it and lets nobody name it again.',
)

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const
