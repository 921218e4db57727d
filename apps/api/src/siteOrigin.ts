/**
 * Finds the public origin of the site for absolute links: the configured URL, or else the host that the client asked. Null
 * for a host that is none: it would become part of a page.
 */
export function findSiteOrigin(siteUrl: string | undefined, request: Request): string | null {
  if (siteUrl) return new URL(siteUrl).origin
  const host = request.headers.get('host') ?? new URL(request.url).host
  if (!hostForm.test(host)) return null
  // Encryption ends at the proxy, so the scheme of the request says nothing.
  return `${localForm.test(host) ? 'http' : 'https'}://${host.toLowerCase()}`
}

const hostForm = /^(?=.{1,200}$)[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i
const localForm = /^(?:localhost|127\.0\.0\.1)(?::|$)/i
