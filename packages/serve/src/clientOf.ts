import { BlockList, isIP, isIPv6, type Socket } from 'node:net'

/** Names the client of a request: an IPv4 address, or the /64 network that one IPv6 customer has. */
export type ClientOf = (socket: Socket | undefined, forwardedFor: () => string | null) => string

/** Believes `X-Forwarded-For` only from proxies of this list, and of it only the part that such proxies wrote. */
export function createClientOf(trustedProxies: readonly string[]): ClientOf {
  const trusted = new BlockList()
  for (const each of trustedProxies) {
    const [address = '', bits] = each.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  // A connection has one peer for as long as it lives.
  const peers = new WeakMap<Socket, { client: string; isProxy: boolean }>()

  return (socket, forwardedFor) => {
    if (!socket) return ''
    let peer = peers.get(socket)
    if (!peer) {
      const address = plain(socket.remoteAddress ?? '')
      peer = { client: networkOf(address), isProxy: isIP(address) !== 0 && isTrusted(address) }
      peers.set(socket, peer)
    }
    if (!peer.isProxy) return peer.client
    // Each proxy appends whom it heard: from the right, the first that is no proxy of ours is the client.
    for (const each of (forwardedFor() ?? '').slice(-1_000).split(',').reverse()) {
      const address = plain(each.trim())
      if (isIP(address) === 0) break
      if (!isTrusted(address)) return networkOf(address)
    }
    return peer.client
  }
}

/** An IPv4 address that came over IPv6 is the same client. */
const plain = (address: string) => (address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address)

function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%', 1).join('').split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => '0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
