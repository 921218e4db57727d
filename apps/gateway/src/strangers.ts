import { HttpError } from '@svc/serve'

/** The hosts and origins that a gateway answers to. */
export interface Doors {
  hosts: ReadonlySet<string>
  origins: ReadonlySet<string>
}

/** Those of its own URL, and of this machine. */
export function doorsOf(baseUrl: string, port: number): Doors {
  const { host, protocol, origin } = new URL(baseUrl)
  const local = ['127.0.0.1', 'localhost', '[::1]'].map((name) => new URL(`http://${name}:${port}`))
  return {
    hosts: new Set([
      host,
      ...(/:\d+$/.test(host) ? [] : [`${host}:${protocol === 'https:' ? 443 : 80}`]),
      ...local.map((each) => each.host),
    ]),
    origins: new Set([origin, ...local.map((each) => each.origin)]),
  }
}

/**
 * Refuses a request that was meant for another host: a page whose name was made to point here (DNS rebinding) could read
 * and act as if it were ours. Refuses a post that a page of another origin makes.
 */
export function refuseStrangers({ method, headers }: Request, { hosts, origins }: Doors): void {
  if (!hosts.has(headers.get('host')?.toLowerCase() ?? '')) {
    throw new HttpError(421, 'FOREIGN_HOST', 'This gateway does not answer to this Host.', {
      hint: 'Open it by its own address; SVC_GATEWAY_URL sets it.',
    })
  }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = origin !== null && !origins.has(origin.toLowerCase())
  if (isForeign || (site !== null && site !== 'same-origin' && site !== 'none')) {
    throw new HttpError(403, 'FOREIGN_ORIGIN', 'A page of another origin may not post to this gateway.')
  }
}
