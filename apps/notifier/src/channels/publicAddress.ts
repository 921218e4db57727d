import { BlockList, isIPv4, isIPv6 } from 'node:net'

// IANA's special-purpose registries. IPv4 lists what is not public; IPv6 lists what is, because almost all of it is not.
const notPublicIpv4 = createBlockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata services of clouds
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4',
])

/** Global unicast. Outside it: loopback, IPv4-mapped, NAT64, unique local, link-local and multicast addresses. */
const globalIpv6 = createBlockList('ipv6', ['2000::/3'])
const notPublicIpv6 = createBlockList('ipv6', [
  '2001::/23', // Teredo, ORCHID and others
  '2001:db8::/32',
  '2002::/16', // 6to4: any IPv4 address, also a private one
  '2620:4f:8000::/48',
  '3fff::/20',
])

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6')
}

function createBlockList(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
