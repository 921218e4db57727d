import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { limits } from '@svc/protocol'
import { z } from 'zod'
import { DevError } from './devError.ts'

/** What `pnpm dev --help` prints. */
export const help = `pnpm dev [options]

Starts a local chain with both markets and a demo world, Postgres, the index, the API with the web site, the gateway, a
keeper, a store and a notifier; runs until Ctrl-C, and continues from there the next time.

  --fresh                  delete the chain, the index and the requests of earlier runs, and build a new world
  --tasks <number>         post this many more open tasks, half in each market
  --api-port <number>      the web site and the API (${limits.ports.site})
  --gateway-port <number>  the local gateway (${limits.ports.gateway})
  --store-port <number>    the store of delivered work (${limits.ports.store})
  --notify-port <number>   the notifier (${limits.ports.notifier})
  --rpc-port <number>      the chain (8545)
  --index-port <number>    health and metrics of the index (9464)
  --site-port <number>     the web site from its sources, with hot reload (5173)
                           a port of 0 takes a free one
  --no-watch               do not restart services on save, and serve the built site only
  --dir <folder>           where everything is kept: chain, database, built site, logs (.dev); one run at a time
  --help                   this text

Postgres: set DATABASE_URL to use a running server, where pnpm dev creates its own database, named svc_dev_ and some
letters. Without it, pnpm dev starts the Postgres installed on this machine, with its data in the folder.
A chat needs LLM_GATEWAY_API_KEY, LLM_BASE_URL and SVC_LLM_MODEL. Of the other variables, only PATH, HOME and
NODE_COMPILE_CACHE are passed to the parts.

A killed run cannot save its chain; the next run says so and builds a new world.`

const port = z.coerce.number().int().min(0).max(65_535)

const schema = z.object({
  fresh: z.boolean(),
  tasks: z.coerce.number().int().min(0).max(1_000_000),
  'api-port': port,
  'gateway-port': port,
  'store-port': port,
  'notify-port': port,
  'rpc-port': port,
  'index-port': port,
  'site-port': port,
  watch: z.boolean(),
  dir: z.string().min(1),
})

/** The parsed command line, with an absolute folder. */
export type Options = z.output<typeof schema>

/** The default folder of a run. */
export const usualDir = fileURLToPath(new URL('../../.dev', import.meta.url))

/** Parses the command line; null if it asks for help. Throws `DevError`. */
export function readOptions(args: readonly string[]): Options | null {
  const { help: asksForHelp, 'no-watch': noWatch, ...rest } = parse(args)
  const values = { ...rest, watch: !noWatch }
  if (asksForHelp) return null
  const { data, error } = schema.safeParse(values)
  const [issue] = error?.issues ?? []
  if (issue) throw new DevError(`--${issue.path.join('.')}: ${issue.message}. See pnpm dev --help.`)
  return { ...(data as Options), dir: resolve(values.dir) }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        fresh: { type: 'boolean', default: false },
        tasks: { type: 'string', default: '0' },
        'api-port': { type: 'string', default: String(limits.ports.site) },
        'gateway-port': { type: 'string', default: String(limits.ports.gateway) },
        'store-port': { type: 'string', default: String(limits.ports.store) },
        'notify-port': { type: 'string', default: String(limits.ports.notifier) },
        'rpc-port': { type: 'string', default: '8545' },
        'index-port': { type: 'string', default: '9464' },
        'site-port': { type: 'string', default: '5173' },
        'no-watch': { type: 'boolean', default: false },
        dir: { type: 'string', default: usualDir },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new DevError(`${(error as Error).message}. See pnpm dev --help.`)
  }
}
