import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { keyFiles } from '@svc/serve'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'
import { parseEnvFile } from '../doctor/systemContext.ts'
import { executeProgram } from './database.ts'

/** What cannot be made again: keys, and the settings with those that are in the environment. By file name, as base64. */
export type KeyRing = Readonly<Record<string, string>>

const keyRing = z.record(z.string(), z.string())

/** Variables with a key that is worth as much as its rows: without it they cannot be read, or nothing can be signed in their name. */
const keyVariables = [
  'SVC_STORE_KEY',
  'SVC_CLERK_KEY',
  'SVC_KEEPER_KEY',
  'SVC_NOTIFY_KEY',
  'SVC_NOTIFY_VAPID_KEY',
] as const

export interface KeySources {
  environment: Readonly<Record<string, string | undefined>>
  /** Files of settings, which are kept whole. */
  envFiles: readonly string[]
  /** Further files and folders of keys. */
  paths: readonly string[]
}

/** Collects the keys of all services, and the names of the variables whose keys are among them. */
export async function collectKeys(sources: KeySources): Promise<{ ring: KeyRing; variables: ReadonlySet<string> }> {
  const ring: Record<string, string> = {}
  const variables = new Set<string>()
  const add = (name: string, bytes: Buffer | string) => {
    const free = name in ring ? `${Object.keys(ring).length}-${name}` : name
    ring[free] = Buffer.from(bytes).toString('base64')
  }
  const addPath = async (path: string): Promise<boolean> => {
    const found = await lstat(path).catch(() => null)
    if (found?.isDirectory()) {
      for (const name of await readdir(path)) await addPath(join(path, name))
      return true
    }
    if (!found?.isFile()) return false
    add(basename(path), await readFile(path))
    return true
  }
  for (const path of sources.paths) if (!(await addPath(path))) throw new AdminError(`There is no key at ${path}.`)
  const texts = await Promise.all(sources.envFiles.map((file) => readFile(file, 'utf8')))
  for (const [index, file] of sources.envFiles.entries()) add(basename(file), texts[index] ?? '')
  const environment = Object.assign({ ...sources.environment }, ...texts.map(parseEnvFile))
  for (const name of keyVariables) {
    const value = environment[name]
    if (!value) continue
    variables.add(name)
    if (sources.environment[name]) add(name, value)
  }
  for (const name of [...keyFiles, 'SVC_CLERK_FOLDER'] as const) {
    const path = environment[name]
    if (!path) continue
    const isGiven = basename(path) in ring
    if (isGiven || (await addPath(path))) variables.add(name.replace(/_FILE$/, ''))
  }
  return { ring, variables }
}

/** Encrypts a file to the public key of an operator, who keeps the private one elsewhere, and removes the plain one. */
export async function seal(file: string, recipient: string): Promise<void> {
  await executeProgram('age', ['--recipient', recipient, '--output', `${file}.age`, file])
  await rm(file)
}

/** Decrypts a file that `seal` made, with the private key in another one. */
export const unseal = (file: string, identity: string): Promise<void> =>
  executeProgram('age', ['--decrypt', '--identity', identity, '--output', file, `${file}.age`])

/** Writes each key to a folder that only its owner can read. */
export async function writeKeys(file: string, folder: string): Promise<string[]> {
  const ring = keyRing.parse(JSON.parse(await readFile(file, 'utf8')))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, base64] of Object.entries(ring))
    await writeFile(join(folder, basename(name)), Buffer.from(base64, 'base64'), { mode: 0o600, flag: 'wx' })
  return Object.keys(ring)
}
