import { ServiceError } from '@svc/operations'

/** The hosts and origins that a gateway accepts. */
export interface AllowedHosts {
  hosts: ReadonlySet<string>
  origins: ReadonlySet<string>
}

/** Allows the gateway's own URL, and loopback names. */
export function listAllowedHosts(baseUrl: string, port: number): AllowedHosts {
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
 * Rejects requests for another host: with DNS rebinding, a foreign page could otherwise read and act as if it were ours.
 * Rejects posts by pages of another origin.
 */
export function assertAllowedOrigin({ method, headers }: Request, { hosts, origins }: AllowedHosts): void {
  if (!hosts.has(headers.get('host')?.toLowerCase() ?? '')) {
    throw new ServiceError('FOREIGN_HOST', 'This gateway does not accept this Host header.', {
      hint: 'Open it at its own address, which SVC_GATEWAY_URL sets.',
    })
  }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isForeign = origin !== null && !origins.has(origin.toLowerCase())
  if (isForeign || (site !== null && site !== 'same-origin' && site !== 'none')) {
    throw new ServiceError('FOREIGN_ORIGIN', 'Pages of another origin cannot post to this gateway.')
  }
}
