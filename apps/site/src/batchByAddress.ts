/** The most addresses of one request. */
const perRequest = 50

interface Batch<Found> {
  addresses: Set<string>
  answer: Promise<ReadonlyMap<string, Found>>
}

/**
 * Returns a function that loads what belongs to one wallet. What is drawn together is loaded together: `load` gets the addresses
 * of one moment, sorted.
 */
export function batchByAddress<Found extends { address: string }>(
  load: (addresses: string) => Promise<readonly Found[]>,
): (address: string) => Promise<Found | null> {
  let open: Batch<Found> | null = null
  return async (address) => {
    if (!open || open.addresses.size >= perRequest) {
      const addresses = new Set<string>()
      // Sent when everything that is drawn now has asked.
      const answer = new Promise((done) => setTimeout(done, 0)).then(async () => {
        if (open?.addresses === addresses) open = null
        const found = await load([...addresses].sort().join(','))
        return new Map(found.map((each) => [each.address.toLowerCase(), each]))
      })
      open = { addresses, answer }
    }
    open.addresses.add(address)
    return (await open.answer).get(address.toLowerCase()) ?? null
  }
}
