import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import type { Channel } from './channel.ts'

/** A key of 32 bytes with the name that rows say. */
export interface ContactKey {
  id: string
  key: Buffer
}

/** Keys as `id:base64`, separated by commas: the first encrypts, all decrypt. */
export const contactKeys = z
  .string()
  .transform((list) => list.split(',').map((each) => each.trim()))
  .pipe(
    z
      .array(
        z
          .string()
          .regex(/^[a-z0-9-]{1,16}:[A-Za-z0-9+/]{43}=$/, 'not an id and a key: <id>:<32 bytes as base64>')
          .transform((text): ContactKey => {
            const [id = '', key = ''] = text.split(':')
            return { id, key: Buffer.from(key, 'base64') }
          }),
      )
      .min(1)
      .max(8)
      .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'two keys have the same id'),
  )

/** Whose contact data it is. Data of one wallet or channel does not decrypt for another. */
interface ContactOwner {
  wallet: Address
  channel: Channel<unknown>['name']
}

export interface Contacts {
  /** Returns base64. */
  encrypt: (owner: ContactOwner, target: object) => string
  /** Throws if the data was changed, is another owner's, or its key is gone. */
  decrypt: (owner: ContactOwner, box: string) => unknown
  /** Whether a row should be encrypted again with the newest key. */
  isOutdated: (box: string) => boolean
  /** A keyed hash that recognises an address or endpoint without storing it: with the newest key first, for rows of older keys the rest. */
  hash: (channel: ContactOwner['channel'], identity: string) => readonly [string, ...string[]]
  /** Keys for tokens in links. */
  tokenKeys: readonly [Buffer, ...Buffer[]]
}

const version = 1
const ivBytes = 12
const tagBytes = 16
/** Sizes are rounded up, so that a row does not tell how long an address is. */
const padTo = 128

/**
 * Encrypts contact data (AES-256-GCM). A row contains the version, the id of its key, the IV, the tag and the ciphertext; wallet
 * and channel are authenticated with it.
 */
export function createContacts(keys: readonly ContactKey[]): Contacts {
  const [newest] = keys
  if (!newest) throw new Error('No key for contact data.')
  const derive = (purpose: string) => {
    const derived = keys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', `svc notify ${purpose}`, 32)))
    const [first, ...rest] = derived
    if (!first) throw new Error('No key for contact data.')
    return [first, ...rest] as const satisfies readonly [Buffer, ...Buffer[]]
  }
  const boxKeys = new Map(derive('contact').map((key, index) => [keys[index]?.id ?? '', key]))
  const hashKeys = derive('hash')

  return {
    encrypt(owner, target) {
      const head = Buffer.concat([Buffer.from([version, newest.id.length]), Buffer.from(newest.id)])
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', getKey(newest.id), iv)
      cipher.setAAD(buildAad(owner, head))
      const text = JSON.stringify(target)
      // JSON ignores spaces at its end.
      const padded = Buffer.concat([Buffer.from(text), Buffer.alloc(padTo - (Buffer.byteLength(text) % padTo), ' ')])
      const sealed = Buffer.concat([cipher.update(padded), cipher.final()])
      return Buffer.concat([head, iv, cipher.getAuthTag(), sealed]).toString('base64')
    },
    decrypt(owner, given) {
      const box = Buffer.from(given, 'base64')
      const { id, head } = parseHead(box)
      const iv = box.subarray(head.length, head.length + ivBytes)
      const tag = box.subarray(head.length + ivBytes, head.length + ivBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', getKey(id), iv, { authTagLength: tagBytes })
      decipher.setAAD(buildAad(owner, head))
      decipher.setAuthTag(tag)
      const sealed = box.subarray(head.length + ivBytes + tagBytes)
      return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString())
    },
    isOutdated: (box) => parseHead(Buffer.from(box, 'base64')).id !== newest.id,
    hash(channel, identity) {
      const compute = (key: Buffer) => createHmac('sha256', key).update(`${channel} ${identity}`).digest('hex')
      const [first, ...rest] = hashKeys
      return [compute(first), ...rest.map(compute)]
    },
    tokenKeys: derive('token'),
  }

  function getKey(id: string): Buffer {
    const key = boxKeys.get(id)
    if (!key) throw new Error(`The key ${id} of contact data is not configured.`)
    return key
  }
}

function parseHead(box: Buffer): { id: string; head: Buffer } {
  const [given, length = 0] = box
  if (given !== version || box.length < 2 + length + ivBytes + tagBytes)
    throw new Error('Contact data of an unknown form.')
  const head = box.subarray(0, 2 + length)
  return { id: head.subarray(2).toString(), head }
}

const buildAad = ({ wallet, channel }: ContactOwner, head: Buffer) =>
  Buffer.concat([head, Buffer.from(`${channel} ${getAddress(wallet)}`)])
