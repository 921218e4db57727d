import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { createRuntime, type ServerDefinition } from 'mcporter'

/** The protocol that a client speaks: the newest, or that of before 2026-07-28. */
export type Era = 'auto' | 'legacy'

/** How to start the server over stdio. */
export interface Command {
  command: string
  args: string[]
  env: Record<string, string>
}

/** What a client does with the server, whichever client it is. */
export interface Caller {
  call: (name: string, args: Record<string, unknown>) => Promise<Answer>
  close: () => Promise<void>
}

export interface Answer {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Record<string, unknown>
}

/** Connects the official client. */
export async function connect(
  to: Command | URL,
  era: Era,
  onStderr: (text: string) => void = () => {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } })
  if (to instanceof URL) {
    await client.connect(new StreamableHTTPClientTransport(to))
    return client
  }
  const transport = new StdioClientTransport({ ...to, stderr: 'pipe' })
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString()))
  await client.connect(transport)
  return client
}

/** The official client as a caller. */
export const createCaller = (client: Client): Caller => ({
  call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as Answer,
  close: () => client.close(),
})

/** mcporter as a caller: another client, with the SDK of before. */
export async function connectMcporter(to: Command | URL): Promise<Caller> {
  const definition: ServerDefinition =
    to instanceof URL
      ? { name: 'svc', command: { kind: 'http', url: to } }
      : { name: 'svc', command: { kind: 'stdio', command: to.command, args: to.args, cwd: '/' }, env: to.env }
  const runtime = await createRuntime({ servers: [definition] })
  return {
    call: async (name, args) => (await runtime.callTool('svc', name, { args })) as Answer,
    close: () => runtime.close(),
  }
}

const require = createRequire(import.meta.url)

/** The command lines of the two other clients. */
export const commandLines = {
  mcporter: fileURLToPath(new URL('../node_modules/mcporter/dist/cli.js', import.meta.url)),
  conformance: fileURLToPath(
    new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
  ),
  inspector: join(
    require.resolve('@modelcontextprotocol/inspector/package.json'),
    '../clients/launcher/build/index.js',
  ),
}

/** What of a value breaks a JSON Schema; null for none. */
export function schemaProblem(schema: object, value: unknown): string | null {
  const outcome = new AjvJsonSchemaValidator().getValidator(schema as never)(value)
  return outcome.valid ? null : (outcome.errorMessage ?? 'invalid')
}
