import { isIP, isIPv6 } from 'node:net'

/**
 * A client, as limits know it: an IPv4 address, or the /64 network of an IPv6 customer, who has all of its addresses. Empty
 * if there is no connection.
 */
export type Client = string

/** Reads an address of a peer or of `X-Forwarded-For`, where some proxies add a port; null if it is not an address. */
export function parseClientAddress(text: string): string | null {
  const address = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  if (isIP(address) === 0) return null
  if (!isIPv6(address)) return address
  const groups = parseGroups(address)
  // An IPv4-mapped IPv6 address is the same client.
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff
  if (isMapped) return [groups[6], groups[7]].flatMap((group = 0) => [group >> 8, group & 0xff]).join('.')
  return groups.map((group) => group.toString(16)).join(':')
}

/** Returns the client that an address of {@link parseClientAddress} belongs to. */
export const toClient = (address: string): Client =>
  isIPv6(address) ? `${address.split(':', 4).join(':')}::/64` : address

/** The address that stands for a client when a request is passed on. Its networks are the same there. */
export const toRepresentativeAddress = (client: Client): string => client.replace(/\/64$/, '')

/**
 * Lists a client and the networks around it, the widest last: an IPv4 address and its /24; an IPv6 /64, its /56 and its /48.
 * One customer may have a /56, and for little money a /48 or a /24: counted by address alone, it would be many clients.
 */
export function listNetworks(client: Client): readonly Client[] {
  const dot = client.lastIndexOf('.')
  if (dot > 0) return [client, `${client.slice(0, dot)}.0/24`]
  if (!client.endsWith('::/64')) return [client]
  const site = client.lastIndexOf(':', client.length - '::/64'.length - 1)
  const subnet = Number.parseInt(client.slice(site + 1), 16) & 0xff_00
  return [client, `${client.slice(0, site)}:${subnet.toString(16)}::/56`, `${client.slice(0, site)}::/48`]
}

/** How many clients' allowances each network around a client has, by how many there are; the widest last. */
const networkFactors = [[], [1], [1, 16], [1, 4, 16]] as const

/** Lists the networks of a client with what each of them may have, where one client alone may have `perClient`. */
export function listAllowances(client: Client, perClient: number): { network: Client; allowed: number }[] {
  const networks = listNetworks(client)
  const factors: readonly number[] = networkFactors[networks.length] ?? []
  return networks.map((network, index) => ({ network, allowed: perClient * (factors[index] ?? 1) }))
}

/** Returns the widest network that a client is counted in. */
export const findWidestNetwork = (client: Client): Client => listNetworks(client).at(-1) ?? client

/** The eight groups of a valid IPv6 address. */
function parseGroups(address: string): number[] {
  const [plain = ''] = address.split('%', 1)
  const hex = plain.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  )
  const [head = '', tail] = hex.split('::')
  const [left, right] = [head, tail ?? ''].map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [left ?? [], right ?? []].map((half) => half.map((group) => Number.parseInt(group, 16)))
  const missing = 8 - (left?.length ?? 0) - (right?.length ?? 0)
  return [...(groups[0] ?? []), ...Array.from({ length: missing }, () => 0), ...(groups[1] ?? [])]
}
