/** How long to wait for wallets to announce themselves before falling back to window.ethereum. */
const settleMs = 400
const maxWallets = 20

/**
 * Finds this browser's wallets as {id, name, provider}: those that announce themselves (EIP-6963), otherwise
 * window.ethereum. Calls back with the whole list whenever it grows, and once when the time is up.
 */
export function findWallets(onChange) {
  const found = new Map()
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    const { info, provider } = detail ?? {}
    if (typeof provider?.request !== 'function' || found.has(info?.uuid) || found.size >= maxWallets) return
    found.set(info.uuid, { id: String(info.uuid), name: nameOf(info), provider })
    onChange([...found.values()])
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  setTimeout(() => {
    const plain = globalThis.ethereum
    if (found.size === 0 && typeof plain?.request === 'function') {
      found.set('plain', { id: 'plain', name: 'Browser wallet', provider: plain })
    }
    onChange([...found.values()])
  }, settleMs)
}

/** An extension chooses its own name, so reduce it to one line of plain text. */
const nameOf = ({ name }) =>
  String(name ?? 'Wallet')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .slice(0, 40) || 'Wallet'
