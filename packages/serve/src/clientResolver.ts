import { BlockList, isIP, isIPv6, type Socket } from 'node:net'

/** Identifies the client of a request: an IPv4 address, or the /64 network of an IPv6 customer. */
export type ResolveClient = (socket: Socket | undefined, forwardedFor: () => string | null) => string

/** Trusts `X-Forwarded-For` only from these proxies, and only the part that they appended. */
export function createClientResolver(trustedProxies: readonly string[]): ResolveClient {
  const trusted = new BlockList()
  for (const each of trustedProxies) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  // A connection has the same peer for its whole life.
  const peers = new WeakMap<Socket, { client: string; isProxy: boolean }>()

  return (socket, forwardedFor) => {
    if (!socket) return ''
    let peer = peers.get(socket)
    if (!peer) {
      const address = plain(socket.remoteAddress ?? '')
      peer = { client: computeNetwork(address), isProxy: isIP(address) !== 0 && isTrusted(address) }
      peers.set(socket, peer)
    }
    if (!peer.isProxy) return peer.client
    // Each proxy appends its peer: from the right, the first address that is not a trusted proxy is the client.
    for (const each of (forwardedFor() ?? '').slice(-1_000).split(',').reverse()) {
      const address = plain(each.trim())
      if (isIP(address) === 0) break
      if (!isTrusted(address)) return computeNetwork(address)
    }
    return peer.client
  }
}

/** An IPv4-mapped IPv6 address is the same client. */
const plain = (address: string) => (address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address)

function computeNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%', 1).join('').split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
