import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a link in a message may do without a session. */
type TokenPurpose = 'verify' | 'unsubscribe' | 'refuse'

export interface SignedTokens {
  /** Writes a token for a subscription, or for the hash of an address. It expires at a unix second, or never. */
  create: (purpose: TokenPurpose, subscription: string, expiresAt: number | null) => string
  /** Returns the subscription of a token; null if it is not ours, for another purpose, or expired. */
  read: (purpose: TokenPurpose, token: string, now: number) => string | null
}

/** Creates tokens that only this service can write. Keys that were rotated out still read. */
export function createSignedTokens(keys: readonly [Buffer, ...Buffer[]]): SignedTokens {
  const sign = (key: Buffer, content: string) => createHmac('sha256', key).update(content).digest()
  return {
    create(purpose, subscription, expiresAt) {
      const content = `${subscription}.${expiresAt ?? 'never'}`
      return `${content}.${sign(keys[0], `${purpose}.${content}`).toString('base64url')}`
    },
    read(purpose, token, now) {
      const [, content = '', subscription = '', expiry, mac = ''] =
        /^(([\w-]{1,64})\.(never|\d{1,12}))\.([\w-]{43})$/.exec(token) ?? []
      const given = Buffer.from(mac, 'base64url')
      const isOurs = keys.some((key) => {
        const expected = sign(key, `${purpose}.${content}`)
        return expected.length === given.length && timingSafeEqual(expected, given)
      })
      if (!isOurs) return null
      return expiry === 'never' || Number(expiry) > now ? subscription : null
    },
  }
}
