import { type Hex, type LocalAccount, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/** The people of the local chain, in the order of anvil's accounts. Names are what tables and logs call them. */
export const people = {
  ada: 'poster',
  bruno: 'poster',
  chiara: 'poster',
  devi: 'poster',
  emeka: 'worker',
  farah: 'worker',
  goran: 'worker',
  hana: 'worker',
  ivo: 'worker',
  jun: 'arbitrator',
  kofi: 'arbitrator',
  lena: 'arbitrator',
  mateo: 'arbitrator',
  nadia: 'arbitrator',
  olga: 'arbitrator',
  /** Has money and no history: yours to try things with. */
  newcomer: 'newcomer',
  /** Calls what anyone may call when a time is over. */
  keeper: 'keeper',
  /** May pause entries; queues and carries out the owner's changes. */
  guardian: 'guardian',
  /** Holds the supply of TOK and takes the fees. */
  treasury: 'treasury',
  /** Deploys and does nothing else. */
  deployer: 'deployer',
} as const

export type Person = keyof typeof people
export type PersonRole = (typeof people)[Person]

/** Anvil's well-known mnemonic: its keys are public, so they are for local chains only. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** The key of each person: public, as said. */
export const publicKeys = deriveKeys()

/** The account of each person, able to sign. */
export const accounts = Object.fromEntries(
  Object.entries(publicKeys).map(([person, key]) => [person, privateKeyToAccount(key)]),
) as Record<Person, LocalAccount>

/** The people with a role, in order. */
export function peopleWhoAre(role: PersonRole): Person[] {
  return (Object.keys(people) as Person[]).filter((person) => people[person] === role)
}

function deriveKeys(): Record<Person, Hex> {
  // The seed costs a tenth of a second, so it is stretched once and not once per account.
  const parent = mnemonicToAccount(mnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const derive = (index: number) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new Error(`Account ${index} has no key.`)
    return toHex(privateKey)
  }
  return Object.fromEntries(Object.keys(people).map((person, index) => [person, derive(index)])) as Record<Person, Hex>
}
