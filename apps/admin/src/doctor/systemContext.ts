import { fileURLToPath } from 'node:url'
import { createProvider, createRpc, createViemChain } from '@svc/chain'
import { createMachineContext, type Environment } from '@svc/serve'
import postgres from 'postgres'
import { type DoctorContext, nameProvider } from './diagnosis.ts'

const exampleFile = fileURLToPath(new URL('../../../../.env.example', import.meta.url))
const timeoutMs = 10_000

/** What the doctor looks at on this machine. */
export async function createSystemContext(environment: Environment): Promise<DoctorContext> {
  const machine = createMachineContext(environment)
  const example = (await machine.readText(exampleFile)) ?? ''
  return {
    ...machine,
    knownVariables: [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name),
    now: Date.now,
    connect: (url, index, chainId) =>
      createProvider(createRpc({ name: nameProvider(index), url }), createViemChain(chainId)),
    async query(url, statement) {
      const sql = postgres(url, { max: 1, connect_timeout: 5, idle_timeout: 1, onnotice: () => {} })
      try {
        return await sql.unsafe(statement)
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
    requestJson: async (url) => (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).json(),
    requestStatus: async (url) => (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).status,
  }
}

/** Parses a file of `NAME=value` lines, as systemd and compose read it. */
export function parseEnvFile(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
}
