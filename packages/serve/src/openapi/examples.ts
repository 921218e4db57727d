import type { Route } from '@svc/operations'

/** Builds the request of an example. */
export function buildExampleRequest(
  { method, path }: Route,
  { input }: { input: object },
): { url: string; body: string | null } {
  const rest = new Map<string, unknown>(Object.entries(input))
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeParameter(value)
  })
  if (method !== 'get') return { url, body: rest.size > 0 ? JSON.stringify(Object.fromEntries(rest)) : null }
  const query = [...rest].map(([name, value]) => `${name}=${encodeParameter(value)}`)
  return { url: query.length > 0 ? `${url}?${query.join('&')}` : url, body: null }
}

/** Writes an example as a shell command. `urlVariable` has the URL of the service. */
export function formatCurl(route: Route, example: { input: object }, urlVariable: string): string {
  const { url, body } = buildExampleRequest(route, example)
  const method = route.method === 'get' ? '' : `-X ${route.method.toUpperCase()} `
  if (body !== null)
    return `curl ${route.method === 'put' ? method : ''}"$${urlVariable}${url}" -H 'content-type: application/json' -d '${body}'`
  return `curl ${method}"$${urlVariable}${url}"`
}

/** Encodes a value for a URL. Colons of task ids and cursors stay readable. */
const encodeParameter = (value: unknown) => encodeURIComponent(String(value)).replaceAll('%3A', ':')
