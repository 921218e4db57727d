import { BlockList, isIPv6, type Socket } from 'node:net'
import { type Client, parseClientAddress, toClient } from './clientNetworks.ts'

/** Identifies the client of a request. */
export type ResolveClient = (socket: Socket | undefined, forwardedFor: () => string | null) => Client

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
  const peers = new WeakMap<Socket, { client: Client; isProxy: boolean }>()

  return (socket, forwardedFor) => {
    if (!socket) return ''
    let peer = peers.get(socket)
    if (!peer) {
      const address = parseClientAddress(socket.remoteAddress ?? '')
      peer = { client: toClient(address ?? ''), isProxy: address !== null && isTrusted(address) }
      peers.set(socket, peer)
    }
    if (!peer.isProxy) return peer.client
    // Each proxy appends its peer: from the right, the first address that is not a trusted proxy is the client.
    for (const each of (forwardedFor() ?? '').slice(-1_000).split(',').reverse()) {
      const address = parseClientAddress(each.trim())
      if (address === null) break
      if (!isTrusted(address)) return toClient(address)
    }
    return peer.client
  }
}
