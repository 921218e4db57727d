import { type Address, type Hex, type LocalAccount, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/** The people of the local chain, in the order of anvil's accounts. Tables and logs use these names. */
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
  /** Has tokens but no history. Use this account to try things. */
  newcomer: 'newcomer',
  /** Makes the calls that anyone may make after a deadline. */
  keeper: 'keeper',
  /** May pause new tasks and claims; schedules and executes the owner's changes. */
  guardian: 'guardian',
  /** Holds the supply of TOK and receives the fees. */
  treasury: 'treasury',
  /** Only deploys contracts. */
  deployer: 'deployer',
  /** The final court of both markets. */
  court: 'court',
  /** Signs receipts for deliveries. Those after it only have a past: the scenarios are played by those before. */
  store: 'store',
  clara: 'neighbour',
  otis: 'neighbour',
  ines: 'neighbour',
  petra: 'neighbour',
  wanjiru: 'neighbour',
  mira: 'neighbour',
  aiko: 'neighbour',
  samir: 'neighbour',
  lukas: 'neighbour',
  noor: 'neighbour',
  sanne: 'neighbour',
  tuan: 'neighbour',
  eli: 'neighbour',
  rune: 'neighbour',
  vera: 'neighbour',
  zola: 'neighbour',
} as const

export type Person = keyof typeof people
export type PersonRole = (typeof people)[Person]

/** Anvil's well-known mnemonic. Its keys are public, so use them on local chains only. */
export const mnemonic = 'test test test test test test test test test test test junk'

/** The private key of each person. These keys are public knowledge. */
export const publicKeys = deriveKeys()

/** The account of each person, which can sign. */
export const accounts = Object.fromEntries(
  Object.entries(publicKeys).map(([person, key]) => [person, privateKeyToAccount(key)]),
) as Record<Person, LocalAccount>

/** Finds the account with an address. Throws if it is not an account of the devnet. */
export function findAccount(address: Address): LocalAccount {
  const account = Object.values(accounts).find((each) => each.address === address)
  if (!account) throw new Error(`${address} is not an account of the devnet.`)
  return account
}

/** Lists the people with a role, in order. */
export function listPeople(role: PersonRole): Person[] {
  return (Object.keys(people) as Person[]).filter((person) => people[person] === role)
}

function deriveKeys(): Record<Person, Hex> {
  // Deriving the seed takes a tenth of a second, so it is done once and not per account.
  const parent = mnemonicToAccount(mnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  const derive = (index: number) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new Error(`Account ${index} has no key.`)
    return toHex(privateKey)
  }
  return Object.fromEntries(Object.keys(people).map((person, index) => [person, derive(index)])) as Record<Person, Hex>
}
