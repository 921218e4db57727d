#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { parseGrant, unixSocket } from '@svc/agent'
import { SvcError } from '@svc/protocol'
// svc-tools: the MCP server, over stdio, or with `http --port <port>` over HTTP on this machine.
import { getStateFolder } from '@svc/serve'
import { createHostedTools, toHostedDeps } from './hosted.ts'
import { serveHttp } from './http.ts'
import { loadMarkets } from './loadMarkets.ts'
import { createToolServer } from './server.ts'
import { startCommand } from './startCommand.ts'
import { createToolDeps } from './toolDeps.ts'
import { createActTool } from './tools/act.ts'
import { jobTools, tools } from './tools/index.ts'
import { createToolWork } from './work/toolWork.ts'

startCommand()
const usage = `Usage: svc-tools                     MCP over stdio, for a client that starts it
       svc-tools http [--port 4021]  MCP over HTTP, at http://127.0.0.1:<port>/mcp
       svc-tools hosted --host <name> [--port 4021]
                                     the tools that read and prepare, for everyone behind a reverse proxy

  --api <url>  the market's API (default: SVC_API_URL); its contracts are verified on chain and pinned
  --host       host name of the market, for hosted; repeat it for several
  --repin      accept new contracts of the API
  --grant <folder>
               also svc_act, which acts within the grant of this folder through its signer; stdio only
  --tools all  also those to negotiate and to find people (default: job)

SVC_DEPLOYMENTS, a file with the contract addresses, replaces both.
`

const { values, positionals } = read()
const [mode = 'stdio'] = positionals
if (
  values.help ||
  !['stdio', 'http', 'hosted'].includes(mode) ||
  (mode === 'hosted') !== (values.host !== undefined) ||
  positionals.length > 1 ||
  // Whoever reaches the port could act.
  (values.grant !== undefined && mode !== 'stdio') ||
  !['all', 'job'].includes(values.tools) ||
  !/^\d{1,5}$/.test(values.port)
) {
  process.stderr.write(usage)
  process.exit(values.help ? 0 : 2)
}

const { env, markets } = await loadCheckedMarkets().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof SvcError ? error.message : 'The configuration cannot be read. Check SVC_DEPLOYMENTS.'}\n`,
  )
  process.exit(2)
})
// biome-ignore lint/style/noProcessEnv: an entry file.
const work = createToolWork(markets, env, getStateFolder(process.env))
const deps = createToolDeps(markets, env.SVC_GATEWAY_URL, env.SVC_API_URL, work)
// Never log the message: it can contain a provider's URL with a key. Stdout is reserved for the protocol.
const onError = (error: unknown) => {
  process.stderr.write(`fault: ${error instanceof Error ? error.name : typeof error}\n`)
}
const isHosted = mode === 'hosted'
const given = values.tools === 'all' ? tools : jobTools
const own = values.grant === undefined ? [] : [await openActTool(values.grant)]
const offered = isHosted ? createHostedTools() : [...given, ...own]
const factory = () => createToolServer(isHosted ? toHostedDeps(deps) : deps, onError, offered)

if (mode !== 'stdio') {
  const { port, close } = await serveHttp(factory, { port: Number(values.port), onError, hosts: values.host })
  process.stderr.write(`listening on http://127.0.0.1:${port}/mcp\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close(2_000))
} else {
  serveStdio(factory, { onerror: onError })
}

async function loadCheckedMarkets() {
  // biome-ignore lint/style/noProcessEnv: an entry file.
  const loaded = await loadMarkets(process.env, notify, values)
  await loaded.markets.providers.checkAll('registries')
  return loaded
}

async function openActTool(folder: string) {
  const grant = parseGrant(JSON.parse(await readFile(join(folder, 'grant.json'), 'utf8')))
  return createActTool(grant, unixSocket(join(folder, 'signer.sock')))
}

// Stdout is reserved for the protocol.
function notify(message: string) {
  process.stderr.write(`${message}\n`)
}

function read() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '4021' },
        api: { type: 'string' },
        repin: { type: 'boolean' },
        host: { type: 'string', multiple: true },
        tools: { type: 'string', default: 'job' },
        grant: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch {
    process.stderr.write(usage)
    process.exit(2)
  }
}
